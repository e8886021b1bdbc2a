/** Unsent bets and chosen chips of the open tables, kept while another page is shown. */
import type { Bets } from './betting';

interface UnsentState {
  /** Bets that aren't sent yet. */
  readonly bets?: Bets;
  /** The last round cleared from the cloth. */
  readonly putAway?: string;
  /** The chip that is chosen; absent: none was. */
  readonly chip?: number;
}

const saved = new Map<string, Map<string, UnsentState>>();

/** The unsent state of a table in a currency. */
export const unsentAt = (table: string, currency: string): UnsentState =>
  saved.get(table)?.get(currency) ?? {};

export function keepUnsent(table: string, currency: string, part: UnsentState): void {
  saved.set(table, new Map([[currency, { ...unsentAt(table, currency), ...part }]]));
}

export const forgetUnsent = (table: string): void => void saved.delete(table);
