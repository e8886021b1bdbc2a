import type { CurrencyLimits, CurrencyView } from '../wire';

/** From the least that one of the main bets takes to the most that all of them take together, or one of them. */
export function mainRange({ bets, table_max_minor }: CurrencyLimits): { least: number; most: number } | null {
  const main = bets.filter(({ main }) => main);
  if (!main.length) return null;
  return {
    least: Math.min(...main.map(({ min_minor }) => min_minor)),
    most: table_max_minor ?? Math.max(...main.map(({ max_minor }) => max_minor)),
  };
}

/** A table's limits in the player's currency, or else in the first that a player can hold; undefined: in none of them. */
export function playableLimits(
  limits: readonly CurrencyLimits[],
  chosen: string,
  held: readonly Pick<CurrencyView, 'code'>[],
): CurrencyLimits | undefined {
  const holdable = limits.filter(({ currency }) => held.some(({ code }) => code === currency));
  return holdable.find(({ currency }) => currency === chosen) ?? holdable[0];
}
