import { untrack } from 'svelte';
import { api } from '../../state/api';
import type { PastResult, RoundEvent } from '../../wire';

const KEPT = 500;

/** What a board is kept by. */
interface ResultSource {
  /** The house lets its players see what came up. */
  readonly enabled: boolean;
  readonly connected: boolean;
  readonly did: readonly RoundEvent[];
  /** The coup that was seen to its end; null: none lies there. */
  readonly seen: {
    readonly id: string;
    readonly number: string;
    readonly view: { readonly result: string };
  } | null;
}

/** What came up at a table, oldest first: what the house remembers, and what was seen since. */
export class Results {
  all = $state.raw<readonly PastResult[]>([]);
  #table: string;
  /** The shoe that is dealt from: as the house calls it, or as it is called here since a shuffle was heard. */
  #shoe: string;
  #shuffles = 0;
  /** It may be another shoe than the last coup's, which alone the house names: the next coup will tell. */
  #guessed = false;

  /** `shoe`: the one that lies there and has no name yet; empty where no coup shares one with the next. */
  constructor(table: string, shoe = '') {
    this.#table = table;
    this.#shoe = shoe;
  }

  /** To be called as the table is made. What is told without a change of these asks and writes nothing again. */
  follow(source: () => ResultSource): void {
    const asks = $derived(source().enabled && source().connected);
    const did = $derived(source().did);
    const seen = $derived(source().enabled ? source().seen : null);
    $effect(() => {
      // While the line was down coups may have been missed.
      if (asks) untrack(() => void this.remember());
    });
    $effect(() => {
      if (did.some(({ what }) => what === 'shuffling')) untrack(() => this.shuffled());
    });
    $effect(() => {
      if (seen) untrack(() => this.saw(seen.id, seen.view.result, seen.number));
    });
  }

  /** Asks the house. Without its answer the board stays as it is; what is seen until the answer comes after it. */
  async remember(): Promise<void> {
    const [before, shoe] = [this.all, this.#shoe];
    const past = await api.results(this.#table, KEPT).catch(() => null);
    const newest = past?.at(-1);
    if (!past || !newest) return;
    const seen = before.find(({ round }) => round === newest.round);
    // The house's name for what was called so here.
    const named = (one: string) => (one === (seen?.shoe ?? shoe) ? newest.shoe : one);
    const since = this.all.filter(
      (one) => !before.includes(one) && !past.some(({ round }) => round === one.round),
    );
    this.all = [...past, ...since.map((one) => ({ ...one, shoe: named(one.shoe) }))].slice(-KEPT);
    this.#shoe = named(this.#shoe);
    this.#guessed = !seen && newest.shoe !== '' && this.#shoe === newest.shoe;
  }

  /** The cards were shuffled: what comes up now is of another shoe. */
  shuffled(): void {
    this.#shuffles += 1;
    this.#shoe = `here ${this.#shuffles}`;
    this.#guessed = false;
  }

  /** Told by `round`: own rounds may have been dealt within one second, and have one number. */
  saw(round: string, result: string, number: string): void {
    if (!result || this.all.some((one) => one.round === round)) return;
    this.all = [...this.all, { result, number, shoe: this.#shoe, round }].slice(-KEPT);
    if (this.#guessed) void this.remember();
  }
}
