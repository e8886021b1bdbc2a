import { expect, it } from 'vitest';
import type { Bets } from '../table/betting';
import type { BetLimits } from '../wire';
import { legal, repeatable, sameStakes } from './wagers';

const limits = (bet: string, min_minor: number) =>
  ({ bet, main: bet === 'main', min_minor, max_minor: 1000 }) as BetLimits;
const allowed = {
  bets: [limits('main', 10), limits('hot_3', 5)],
  tableMaxMinor: null,
  balanceMinor: 1000,
  restricted: { never_together: [], covering: null },
};
const stake = (box: number, bet: string, stake_minor: number) => ({ box, bet, stake_minor });
const laid = (...all: ReturnType<typeof stake>[]): Bets => ({ steps: all.map((one) => [one]) });

it('sends acceptable bets: main bets above the minimum, and their side bets', () => {
  expect(legal(laid(stake(0, 'main', 5), stake(0, 'main', 5), stake(0, 'hot_3', 5)), allowed)).toEqual([
    stake(0, 'main', 10),
    stake(0, 'hot_3', 5),
  ]);
  expect(legal(laid(stake(0, 'main', 10), stake(0, 'hot_3', 4)), allowed)).toEqual([stake(0, 'main', 10)]);
  expect(legal(laid(stake(0, 'main', 9), stake(0, 'hot_3', 5)), allowed)).toEqual([]);
  expect(legal(laid(stake(0, 'gone', 50)), allowed)).toEqual([]);
});

it('requires a main bet for each box', () => {
  expect(legal(laid(stake(1, 'main', 10), stake(2, 'hot_3', 5)), allowed)).toEqual([stake(1, 'main', 10)]);
});

it('compares bets whatever their order', () => {
  const [a, b] = [stake(0, 'main', 10), stake(0, 'hot_3', 5)];
  expect(sameStakes([a, b], [b, a])).toBe(true);
  expect(sameStakes([a], [a, b])).toBe(false);
  expect(sameStakes([a], [stake(0, 'main', 11)])).toBe(false);
});

it('repeats a bet on the player’s current seat', () => {
  const last = [stake(2, 'main', 10), stake(2, 'hot_3', 5)];
  expect(repeatable(last, [4])).toEqual([stake(4, 'main', 10), stake(4, 'hot_3', 5)]);
  expect(repeatable([stake(2, 'main', 10), stake(3, 'main', 20)], [3])).toEqual([stake(3, 'main', 20)]);
  expect(repeatable(last, [])).toEqual([]);
});
