import { bare, result, short } from '../state/money';
import type { CurrencyView } from '../wire';

export interface Tag {
  readonly text: string;
  readonly spoken: string;
}

export function amountTag(minor: number, currency: CurrencyView): string {
  return minor ? short(minor, bare(currency)) : '';
}

/** The stake while it is at risk; after the round what came of it. */
export function stakeTag(stakeMinor: number, returnedMinor: number | null, currency: CurrencyView): Tag {
  if (!stakeMinor) return { text: '', spoken: '' };
  const stake = short(stakeMinor, currency);
  if (returnedMinor === null) return { text: short(stakeMinor, bare(currency)), spoken: `Stake ${stake}.` };
  const net = returnedMinor - stakeMinor;
  if (!net) return { text: '±0', spoken: `Stake ${stake} returned.` };
  const signed = `${net > 0 ? '+' : '−'}${short(Math.abs(net), bare(currency))}`;
  return { text: signed, spoken: `Stake ${stake}, result ${result(net, currency)}.` };
}
