import { percent } from '../../kits/statistics/shares';
import { covered } from './bets';

/** What came up how often. Past spins say nothing about the next one; they are counted because people ask. */
export interface Counted {
  readonly pocket: string;
  readonly times: number;
}

/** How often each pocket came up, most often first; of two that came as often the one that came later. */
export function counts(results: readonly string[], pockets: readonly string[]): readonly Counted[] {
  const last = new Map(results.map((pocket, at) => [pocket, at]));
  const times = new Map(pockets.map((pocket) => [pocket, 0]));
  for (const pocket of results) times.set(pocket, (times.get(pocket) ?? 0) + 1);
  return [...times]
    .map(([pocket, count]) => ({ pocket, times: count }))
    .sort((a, b) => b.times - a.times || (last.get(b.pocket) ?? -1) - (last.get(a.pocket) ?? -1));
}

/** Of all results the whole percent that this bet would have won; 0 of none. */
export function share(results: readonly string[], bet: string): number {
  const wins = new Set(covered(bet, [...new Set(results)]));
  return percent(results, (pocket) => wins.has(pocket));
}
