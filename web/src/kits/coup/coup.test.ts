import { afterEach, expect, it, vi } from 'vitest';
import type { CoupView } from '../../games/drawing';
import { api } from '../../state/api';
import { Refusal } from '../../state/refusal';
import type { LiveOf } from '../../table/rounds';
import type { PastResult, PlayerResult, PlayerState } from '../../wire';
import { unsentLayout, resultLines, coupLayout } from './layout_state';
import { ownCoupView } from './own_view';
import { Results } from './results.svelte';

const view: CoupView = {
  game: 'roulette',
  bets: [{ bet: 'red', stake_minor: 100, returned_minor: 200, outcome: 'win' }],
  won: ['red', 'straight_3'],
  result: '3',
  ended: true,
  staked_minor: 100,
  returned_minor: 200,
};
const state = (round: CoupView | null): LiveOf<CoupView> =>
  ({ clock: { round: 'r' }, round, unit_minor: 100 }) as LiveOf<CoupView>;
const mine = (result: Partial<PlayerResult> | null = null): PlayerState =>
  ({
    stakes: [
      { box: 0, bet: 'red', stake_minor: 35 },
      { box: 0, bet: 'black', stake_minor: 5 },
    ],
    result: result && { round: 'r', ...result },
  }) as unknown as PlayerState;

it('is null before the coup begins', () => expect(ownCoupView(state(null), mine())).toBeNull());

it('has no returns before the end', () => {
  const own = ownCoupView(state({ ...view, bets: [], won: [], result: '', ended: false }), mine())!;
  expect(own.bets.map(({ returned_minor }) => returned_minor)).toEqual([null, null]);
  expect([own.staked_minor, own.returned_minor]).toEqual([40, 0]);
});

it('scales the server’s returns for a unit to the player’s stakes', () => {
  const own = ownCoupView(state(view), mine())!;
  expect(own.bets).toEqual([
    { bet: 'red', stake_minor: 35, returned_minor: 70, outcome: 'win' },
    { bet: 'black', stake_minor: 5, returned_minor: 0, outcome: 'lost' },
  ]);
  expect([own.staked_minor, own.returned_minor]).toEqual([40, 70]);
});

it('uses the player’s own result, to the smallest unit, once it is there', () => {
  const line = { box: 0, hand: 0, bet: 'red', stake_minor: 35, returned_minor: 69, outcome: 'win' };
  const result = { lines: [line], staked_minor: 40, returned_minor: 69 };
  const own = ownCoupView(state(view), mine(result))!;
  expect(own.bets[0]!.returned_minor).toBe(69);
  expect(own.returned_minor).toBe(69);
});

it('lights winning bets only once the result may be shown', () => {
  expect(coupLayout(view, false)).toMatchObject({ returned: null, won: new Set() });
  expect(coupLayout(view, true)).toEqual({
    stakes: new Map([['red', 100]]),
    returned: new Map([['red', 200]]),
    won: new Set(['red', 'straight_3']),
  });
  expect(unsentLayout({ steps: [[{ box: 0, bet: 'red', stake_minor: 5 }]] }).stakes.get('red')).toBe(5);
});

it('lists the result bet by bet', () =>
  expect(resultLines(view.bets, (bet) => bet.toUpperCase())).toEqual([
    { name: 'RED', stake_minor: 100, returned_minor: 200, outcome: 'win' },
  ]));

const past = (round: string, result: string, shoe = ''): PastResult => ({
  round,
  result,
  number: '#10:00:00',
  shoe,
});

const rounds = (results: Results) => results.all.map(({ round }) => round).join('');
/** The server's answers, one for each request; null: none. */
function answers(...each: (readonly PastResult[] | null)[]) {
  const spy = vi.spyOn(api, 'results');
  for (const one of each)
    if (one) spy.mockResolvedValueOnce(one);
    else spy.mockRejectedValueOnce(new Refusal('offline'));
  return spy;
}
afterEach(() => vi.restoreAllMocks());

it('starts with the server’s results, each coup once, and continues with those seen', async () => {
  answers([past('a', '17'), past('b', '5')]);
  const results = new Results('roulette');
  const loading = results.remember();
  results.add('b', '5', '#10:00:00');
  results.add('c', '9', '#10:00:00');
  await loading;
  results.add('d', '9', '#10:00:00');
  results.add('b', '5', '#10:00:00');
  expect(rounds(results)).toBe('abcd');
  expect(new Set(results.all.map(({ shoe }) => shoe))).toEqual(new Set(['']));
});

it('distinguishes own coups of the same second, and lists each once', () => {
  const results = new Results('roulette');
  results.add('a', '17', '#10:00:00');
  results.add('a', '17', '#10:00:00');
  results.add('b', '5', '#10:00:00');
  results.add('c', '', '#10:00:01');
  expect(results.all.map(({ result }) => result)).toEqual(['17', '5']);
});

it('fetches coups missed while disconnected, and never lists an old coup as the newest', async () => {
  answers([past('a', '1'), past('b', '2')], [past('b', '2'), past('c', '3')]);
  const results = new Results('live_roulette');
  await results.remember();
  await results.remember();
  expect(rounds(results)).toBe('bc');
});

it('is unchanged if the server doesn’t answer', async () => {
  const shoes = [past('a', 'P8', '100'), past('b', 'B7', '200')];
  answers(shoes, null);
  const results = new Results('live_baccarat');
  await results.remember();
  await results.remember();
  expect(results.all).toEqual(shoes);
});

const shoesOf = (results: Results) => results.all.map(({ shoe }) => shoe);

it('starts another shoe after a shuffle, and later uses the server’s name for it', async () => {
  answers([past('a', 'P8', '100'), past('b', 'B7', '200')]);
  const results = new Results('live_baccarat');
  results.add('a', 'P8', '#10:00:00');
  results.shuffled();
  results.add('b', 'B7', '#10:00:20');
  expect(new Set(shoesOf(results)).size).toBe(2);
  await results.remember();
  results.add('c', 'P9', '#10:00:40');
  expect(shoesOf(results)).toEqual(['100', '200', '200']);
});

it('keeps a shuffle despite a late answer', async () => {
  answers([past('a', 'P8', '100')]);
  const results = new Results('live_baccarat');
  const loading = results.remember();
  results.add('b', 'B7', '#10:00:00');
  results.shuffled();
  results.add('c', 'P9', '#10:00:40');
  await loading;
  const [a, b, c] = shoesOf(results);
  expect([a, b]).toEqual(['100', '100']);
  expect(c).not.toBe('100');
});

it('fetches again after the first coup: the shoe may have changed before it', async () => {
  const before = past('a', 'P8', '100');
  const spy = answers([before], [before, past('b', 'B7', '200')]);
  const results = new Results('live_baccarat');
  await results.remember();
  results.add('b', 'B7', '#10:00:00');
  await vi.waitFor(() => expect(shoesOf(results)).toEqual(['100', '200']));
  results.add('c', 'P9', '#10:00:40');
  expect(shoesOf(results)).toEqual(['100', '200', '200']);
  expect(spy).toHaveBeenCalledTimes(2);
});
