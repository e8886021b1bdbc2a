import { expect, it } from 'vitest';
import type { GameTotals } from '../wire';
import { ofYear } from './year_totals';

const month = (title: string, currency: string, amount: number): GameTotals => ({
  from_ms: 0,
  game: title,
  title,
  currency,
  rounds: 1,
  staked_minor: amount,
  returned_minor: 2 * amount,
});

it('adds the months of a game in one currency', () => {
  const year = ofYear([
    month('b', 'EUR', 1),
    month('a', 'EUR', 10),
    month('a', 'GC', 100),
    month('a', 'EUR', 5),
  ]);
  expect(
    year.map((one) => [one.title, one.currency, one.rounds, one.staked_minor, one.returned_minor]),
  ).toEqual([
    ['a', 'EUR', 2, 15, 30],
    ['a', 'GC', 1, 100, 200],
    ['b', 'EUR', 1, 1, 2],
  ]);
});
