import { api } from '../state/api';
import type { PastResult } from '../wire';

const KEPT = 500;

/** What came up at a table, oldest first: what the house remembers, and what was seen since. */
export class Results {
  all = $state.raw<readonly PastResult[]>([]);
  /** The shoe that is dealt from, counted here: shoes before it are the house's to name. */
  #shuffles = 0;
  #shoe: string | null = null;

  /** Asks the house. Without its answer the board begins with what is seen. */
  async remember(table: string): Promise<void> {
    const past = await api.results(table, KEPT).catch(() => []);
    const seen = this.all.filter(({ round }) => !past.some((one) => one.round === round));
    this.#shoe ??= past.at(-1)?.shoe ?? null;
    this.all = [...past, ...seen.map((one) => ({ ...one, shoe: this.#shoe ?? one.shoe }))].slice(-KEPT);
  }

  /** The cards were shuffled: what comes up now is of another shoe. */
  shuffled(): void {
    this.#shuffles += 1;
    this.#shoe = `here ${this.#shuffles}`;
  }

  /** Told by `round`: own rounds may have been dealt within one second, and have one number. */
  saw(round: string, result: string, number: string): void {
    if (!result || this.all.some((one) => one.round === round)) return;
    this.all = [...this.all, { result, number, shoe: this.#shoe ?? '', round }].slice(-KEPT);
  }
}
