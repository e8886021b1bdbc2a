import { result, short } from '../state/money';
import type { CurrencyView } from '../wire';

export interface Tag {
  readonly text: string;
  readonly spoken: string;
}

/** Amounts on the cloth omit a code such as GC: all are in the table's currency. */
export const bare = (text: string, { code }: CurrencyView) =>
  text.replace(`${code}\u00a0`, '').replace(`${code} `, '');

export function amountTag(minor: number, currency: CurrencyView): string {
  return minor ? bare(short(minor, currency), currency) : '';
}

/** The stake while it is at risk; after the round what came of it. */
export function stakeTag(stakeMinor: number, returnedMinor: number | null, currency: CurrencyView): Tag {
  if (!stakeMinor) return { text: '', spoken: '' };
  const stake = short(stakeMinor, currency);
  if (returnedMinor === null) return { text: bare(stake, currency), spoken: `Stake ${stake}.` };
  const net = returnedMinor - stakeMinor;
  if (!net) return { text: '±0', spoken: `Stake ${stake} returned.` };
  const signed = `${net > 0 ? '+' : '−'}${bare(short(Math.abs(net), currency), currency)}`;
  return { text: signed, spoken: `Stake ${stake}, result ${result(net, currency)}.` };
}
