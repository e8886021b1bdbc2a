import { untrack } from 'svelte';
import { api } from '../../state/api';
import type { PastResult, RoundEvent } from '../../wire';

const KEPT = 500;

/** The inputs of a board. */
interface ResultSource {
  /** The jurisdiction lets players see past results. */
  readonly enabled: boolean;
  readonly connected: boolean;
  readonly did: readonly RoundEvent[];
  /** The last coup seen to its end; null: none. */
  readonly seen: {
    readonly id: string;
    readonly number: string;
    readonly view: { readonly result: string };
  } | null;
}

/** Past results of a table, oldest first: those fetched from the server and those seen since. */
export class Results {
  all = $state.raw<readonly PastResult[]>([]);
  #table: string;
  /** The current shoe: the server's name for it, or a local one since a shuffle. */
  #shoe: string;
  #shuffles = 0;
  /** The shoe may have changed since the last coup the server reported: the next coup will show. */
  #guessed = false;

  /** `shoe`: a local name for the current shoe; empty if every coup has a fresh one. */
  constructor(table: string, shoe = '') {
    this.#table = table;
    this.#shoe = shoe;
  }

  /** Call when the table is created. Updates that change none of these inputs cause no requests. */
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
      if (seen) untrack(() => this.add(seen.id, seen.view.result, seen.number));
    });
  }

  /** Fetch past results. Without an answer the board stays as it is; results seen meanwhile come after the answer. */
  async remember(): Promise<void> {
    const [before, shoe] = [this.all, this.#shoe];
    const past = await api.results(this.#table, KEPT).catch(() => null);
    const newest = past?.at(-1);
    if (!past || !newest) return;
    const seen = before.find(({ round }) => round === newest.round);
    // Replace a local shoe name by the server's.
    const named = (one: string) => (one === (seen?.shoe ?? shoe) ? newest.shoe : one);
    const since = this.all.filter(
      (one) => !before.includes(one) && !past.some(({ round }) => round === one.round),
    );
    this.all = [...past, ...since.map((one) => ({ ...one, shoe: named(one.shoe) }))].slice(-KEPT);
    this.#shoe = named(this.#shoe);
    this.#guessed = !seen && newest.shoe !== '' && this.#shoe === newest.shoe;
  }

  /** After a shuffle, results belong to another shoe. */
  shuffled(): void {
    this.#shuffles += 1;
    this.#shoe = `here ${this.#shuffles}`;
    this.#guessed = false;
  }

  /** Identified by `round`: own rounds dealt within one second share a number. */
  add(round: string, result: string, number: string): void {
    if (!result || this.all.some((one) => one.round === round)) return;
    this.all = [...this.all, { result, number, shoe: this.#shoe, round }].slice(-KEPT);
    if (this.#guessed) void this.remember();
  }
}
