import { percent } from '../../kits/statistics/shares';
import { covered } from './bets';

/** Frequency of results. Past spins don't predict the next one. */
export interface Counted {
  readonly pocket: string;
  readonly times: number;
}

/** How often each pocket came up, most often first; of equals, the most recent first. */
export function counts(results: readonly string[], pockets: readonly string[]): readonly Counted[] {
  const last = new Map(results.map((pocket, at) => [pocket, at]));
  const times = new Map(pockets.map((pocket) => [pocket, 0]));
  for (const pocket of results) times.set(pocket, (times.get(pocket) ?? 0) + 1);
  return [...times]
    .map(([pocket, count]) => ({ pocket, times: count }))
    .sort((a, b) => b.times - a.times || (last.get(b.pocket) ?? -1) - (last.get(a.pocket) ?? -1));
}

/** Percentage of results that this bet would have won; 0 without results. */
export function share(results: readonly string[], bet: string): number {
  const wins = new Set(covered(bet, [...new Set(results)]));
  return percent(results, (pocket) => wins.has(pocket));
}
