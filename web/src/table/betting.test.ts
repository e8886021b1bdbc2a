import { describe, expect, test } from 'vitest';
import type { BetLimits } from '../wire';
import * as betting from './betting';
import { NO_BETS, type Allowed, type Bets, type Move } from './betting';

const bet = (name: string, main: boolean, min_minor: number, max_minor: number): BetLimits => ({
  bet: name,
  title: name,
  kind: '',
  main,
  min_minor,
  max_minor,
  pays: [],
});
const LIMITS = [
  bet('main', true, 500, 5000),
  bet('pairs', false, 100, 1000),
  bet('bust_it', false, 100, 600),
];
const FREE = { never_together: [], covering: null };
const rich: Allowed = { bets: LIMITS, tableMaxMinor: null, balanceMinor: 100_000, restricted: FREE };
const main = { box: 0, bet: 'main' };
const pairs = { box: 0, bet: 'pairs' };

const placed = (...chips: number[]) =>
  chips.reduce<Bets>((bets, chip) => betting.place(bets, main, chip, rich).bets, NO_BETS);

describe('several at once', () => {
  const inside = ['straight_1', 'split_1_2'].map((name) => bet(name, true, 100, 1000));
  const allowed: Allowed = { bets: inside, tableMaxMinor: 1500, balanceMinor: 5000, restricted: FREE };
  const wanted = [
    { box: 0, bet: 'straight_1', chips: 1 },
    { box: 0, bet: 'split_1_2', chips: 2 },
  ];
  test('are one step with their chips', () => {
    const { bets, notice } = betting.placeAll(NO_BETS, wanted, 300, allowed);
    expect(notice).toBeNull();
    expect(betting.stakes(bets).map(({ stake_minor }) => stake_minor)).toEqual([300, 600]);
    expect(betting.undo(bets)).toEqual(NO_BETS);
  });
  test.each([
    [600, 'maximum_reached'],
    [501, 'maximum_reached'],
    [2600, 'maximum_reached'],
  ])('are refused whole at chips of %i', (chip, code) => {
    const { bets, notice } = betting.placeAll(NO_BETS, wanted, chip, allowed);
    expect([bets, notice?.code]).toEqual([NO_BETS, code]);
  });
  test('stop at the most the table takes of all bets', () => {
    const once = betting.placeAll(NO_BETS, wanted, 300, allowed).bets;
    const { bets, notice } = betting.double(once, allowed);
    expect(bets).toBe(once);
    expect(notice).toMatchObject({ code: 'table_maximum', minor: 1500 });
  });
  test('are refused where one isn’t a bet of the table', () =>
    expect(
      betting.placeAll(NO_BETS, [{ box: 0, bet: 'straight_99', chips: 1 }], 100, allowed).notice?.code,
    ).toBe('no_such_bet'));
});

describe('place', () => {
  test('adds one chip to the spot', () => {
    expect(betting.stakes(placed(500, 500, 100))).toEqual([{ ...main, stake_minor: 1100 }]);
  });
  test('fills up to the maximum and says so', () => {
    const { bets, notice } = betting.place(placed(2500, 2000), main, 2500, rich);
    expect(betting.total(bets)).toBe(5000);
    expect(notice).toMatchObject({ code: 'maximum_reached', spot: main, minor: 5000 });
  });
  test('at the maximum changes nothing', () => {
    const full = placed(5000);
    expect(betting.place(full, main, 100, rich).bets).toBe(full);
  });
  test('is refused above the balance', () => {
    const { bets, notice } = betting.place(NO_BETS, main, 2500, { ...rich, balanceMinor: 2400 });
    expect(bets).toBe(NO_BETS);
    expect(notice?.code).toBe('not_covered');
  });
  test('of a side bet waits for the main bet', () => {
    expect(betting.place(NO_BETS, pairs, 100, rich).notice?.code).toBe('main_bet_first');
    expect(betting.place(placed(500), pairs, 100, rich).notice).toBeNull();
  });
  test('of a bet the table does not have is refused', () => {
    expect(betting.place(placed(500), { box: 0, bet: 'hot_3' }, 100, rich).notice?.code).toBe('no_such_bet');
  });
});

describe('taking back', () => {
  test('undo takes one step', () => {
    expect(betting.total(betting.undo(placed(500, 100)))).toBe(500);
  });
  test('undo of a doubling takes all of it', () => {
    const { bets } = betting.double(placed(500, 100), rich);
    expect(betting.total(betting.undo(bets))).toBe(600);
  });
  test('takeBack leaves other spots alone', () => {
    const all = betting.allSides(placed(500), 100, rich).bets;
    const fewer = betting.takeBack(all, pairs);
    expect(betting.stakeOn(fewer, pairs)).toBe(0);
    expect(betting.stakeOn(fewer, { box: 0, bet: 'bust_it' })).toBe(100);
  });
  test('takeBack of an empty spot changes nothing', () => {
    expect(betting.takeBack(placed(500), pairs)).toEqual(placed(500));
  });
});

describe('double', () => {
  test('stops each bet at its maximum', () => {
    const bets = betting.place(placed(3000), pairs, 500, rich).bets;
    const after = betting.double(bets, rich).bets;
    expect(betting.stakes(after).map((stake) => stake.stake_minor)).toEqual([5000, 1000]);
  });
  test('is refused whole when the balance is short', () => {
    const bets = placed(3000);
    const move = betting.double(bets, { ...rich, balanceMinor: 4999 });
    expect(move.bets).toBe(bets);
    expect(move.notice).toMatchObject({ code: 'not_covered', minor: 2000 });
  });
  test('with every bet at its maximum says so', () => {
    expect(betting.double(placed(5000), rich).notice?.code).toBe('maximum_reached');
  });
  test('of nothing is refused', () => {
    expect(betting.double(NO_BETS, rich).notice?.code).toBe('nothing_placed');
  });
});

describe('all side bets', () => {
  test('puts one chip on each', () => {
    const { bets } = betting.allSides(placed(500), 200, rich);
    expect(betting.stakes(bets).map((stake) => stake.stake_minor)).toEqual([500, 200, 200]);
  });
  test('stops each at its maximum and says so', () => {
    const { bets, notice } = betting.allSides(placed(500), 700, rich);
    expect(betting.stakes(bets).map((stake) => stake.stake_minor)).toEqual([500, 700, 600]);
    expect(notice).toMatchObject({ code: 'maximum_reached', spot: { bet: 'bust_it' }, minor: 600 });
    expect(betting.undo(bets)).toEqual(placed(500));
  });
  test('with every one at its maximum changes nothing', () => {
    const full = betting.allSides(placed(500), 1000, rich).bets;
    const { bets, notice } = betting.allSides(full, 100, rich);
    expect(bets).toBe(full);
    expect(notice?.code).toBe('maximum_reached');
  });
  test('is refused whole when the balance is short', () => {
    const move = betting.allSides(placed(500), 200, { ...rich, balanceMinor: 800 });
    expect(move).toMatchObject({ bets: placed(500), notice: { code: 'not_covered' } });
  });
  test('waits for the main bet', () => {
    expect(betting.allSides(NO_BETS, 100, rich).notice?.code).toBe('main_bet_first');
  });
});

describe('repeat and deal', () => {
  test('repeat is one step', () => {
    const { bets } = betting.repeat(
      [
        { ...main, stake_minor: 500 },
        { ...pairs, stake_minor: 100 },
      ],
      rich,
    );
    expect(betting.total(bets)).toBe(600);
    expect(betting.undo(bets)).toEqual(NO_BETS);
  });
  test('repeat is refused when the limits have changed', () => {
    expect(betting.repeat([{ ...main, stake_minor: 5001 }], rich).notice?.code).toBe('maximum_reached');
    expect(betting.repeat([{ ...main, stake_minor: 499 }], rich).notice?.code).toBe('under_minimum');
    expect(betting.repeat([], rich).notice?.code).toBe('nothing_to_repeat');
  });
  test('a bet below its minimum is not dealt', () => {
    expect(betting.objection(placed(400), rich)).toMatchObject({ code: 'under_minimum', minor: 500 });
    expect(betting.objection(placed(500), rich)).toBeNull();
  });
  test('a side bet whose main bet was taken back is not dealt', () => {
    const bets = betting.place(placed(500), pairs, 100, rich).bets;
    expect(betting.objection(betting.takeBack(bets, main), rich)?.code).toBe('main_bet_first');
  });
  test('nothing is not dealt', () => {
    expect(betting.objection(NO_BETS, rich)?.code).toBe('nothing_placed');
  });
});

/** Small and seeded, so that a failure can be repeated by its seed. */
function dice(seed: number) {
  let state = seed >>> 0;
  return (sides: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function anyMove(bets: Bets, roll: (sides: number) => number, allowed: Allowed): Move {
  const spot = { box: roll(3), bet: LIMITS[roll(3)]!.bet };
  const chip = [100, 500, 2500, 10_000][roll(4)]!;
  switch (roll(8)) {
    case 0:
      return { bets: betting.undo(bets), notice: null };
    case 1:
      return { bets: betting.takeBack(bets, spot), notice: null };
    case 2:
      return betting.double(bets, allowed);
    case 3:
      return betting.allSides(bets, chip, allowed);
    default:
      return betting.place(bets, spot, chip, allowed);
  }
}

describe.each(Array.from({ length: 60 }, (_, seed) => seed + 1))('any 80 moves, seed %i', (seed) => {
  const roll = dice(seed * 7919);
  const allowed = { bets: LIMITS, tableMaxMinor: null, balanceMinor: roll(60_000), restricted: FREE };
  let bets = NO_BETS;
  const history = Array.from({ length: 80 }, () => {
    const move = anyMove(bets, roll, allowed);
    const before = bets;
    bets = move.bets;
    return { before, ...move };
  });

  test('never pass a limit or the balance', () => {
    for (const { bets } of history) {
      expect(betting.total(bets)).toBeLessThanOrEqual(allowed.balanceMinor);
      for (const stake of betting.stakes(bets)) {
        expect(stake.stake_minor).toBeGreaterThan(0);
        expect(stake.stake_minor).toBeLessThanOrEqual(LIMITS.find((l) => l.bet === stake.bet)!.max_minor);
      }
    }
  });
  test('keep the total equal to the sum of the spots', () => {
    for (const { bets } of history) {
      const spots = betting.stakes(bets).reduce((sum, stake) => sum + stake.stake_minor, 0);
      expect(betting.total(bets)).toBe(spots);
    }
  });
  test('change nothing where they refuse', () => {
    for (const { before, bets, notice } of history)
      if (notice && notice.code !== 'maximum_reached') expect(bets).toBe(before);
  });
  test('are all undone by Undo', () => {
    let back = bets;
    for (let steps = bets.steps.length; steps > 0; steps -= 1) back = betting.undo(back);
    expect(back).toEqual(NO_BETS);
  });
});
