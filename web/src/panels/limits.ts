import type { BetLimits } from '../wire';

/** Bets with the same limits and payouts: all splits of a roulette are one line of the panel. */
export interface Group {
  readonly title: string;
  readonly one: BetLimits;
  readonly count: number;
}

const alike = ({ kind, min_minor, max_minor, pays, bet }: BetLimits) =>
  kind ? [kind, min_minor, max_minor, ...pays].join('|') : bet;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ');

/** Groups in the table's order; a group of several bets is named by its kind. */
export function groups(bets: readonly BetLimits[]): Group[] {
  const found = new Map<string, BetLimits[]>();
  for (const bet of bets) found.set(alike(bet), [...(found.get(alike(bet)) ?? []), bet]);
  return [...found.values()].map((all) => ({
    title: all.length > 1 ? capital(all[0]!.kind) : all[0]!.title,
    one: all[0]!,
    count: all.length,
  }));
}
