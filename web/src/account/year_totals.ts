import type { GameTotals } from '../wire';

/** The totals of a year, by game and currency, from those of its months. */
export function ofYear(months: readonly GameTotals[]): GameTotals[] {
  const sums = new Map<string, GameTotals>();
  for (const month of months) {
    const key = `${month.title} ${month.currency}`;
    const before = sums.get(key);
    sums.set(key, before ? added(before, month) : month);
  }
  return [...sums.values()].sort((one, other) => one.title.localeCompare(other.title));
}

const added = (before: GameTotals, month: GameTotals): GameTotals => ({
  ...before,
  rounds: before.rounds + month.rounds,
  staked_minor: before.staked_minor + month.staked_minor,
  returned_minor: before.returned_minor + month.returned_minor,
});
