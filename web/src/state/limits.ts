import type { CurrencyLimits } from '../wire';

/** From the least that one of the main bets takes to the most that all of them take together, or one of them. */
export function mainRange({ bets, table_max_minor }: CurrencyLimits): { least: number; most: number } | null {
  const main = bets.filter(({ main }) => main);
  if (!main.length) return null;
  return {
    least: Math.min(...main.map(({ min_minor }) => min_minor)),
    most: table_max_minor ?? Math.max(...main.map(({ max_minor }) => max_minor)),
  };
}
