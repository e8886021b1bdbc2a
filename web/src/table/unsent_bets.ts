/** What the player has laid out at the tables that are open, kept while another page is looked at. */
import type { Bets } from './betting';

interface UnsentState {
  /** Bets that aren't sent yet. */
  readonly bets?: Bets;
  /** The last round that was taken off the cloth. */
  readonly putAway?: string;
  /** The chip that is chosen; absent: none was. */
  readonly chip?: number;
}

const saved = new Map<string, Map<string, UnsentState>>();

/** At a table, in the currency it is played in. */
export const unsentAt = (table: string, currency: string): UnsentState =>
  saved.get(table)?.get(currency) ?? {};

export function keepUnsent(table: string, currency: string, part: UnsentState): void {
  saved.set(table, new Map([[currency, { ...unsentAt(table, currency), ...part }]]));
}

export const forgetUnsent = (table: string): void => void saved.delete(table);
