import { describe, expect, test } from 'vitest';
import { refusalWords } from '../state/refusal_words';
import type { BetLimits } from '../wire';
import * as betting from './betting';
import { NO_BETS, type Allowed, type Bets, type Move } from './betting';
import { forbidden, type Restricted } from './bet_restrictions';

const chips = (...bets: string[]) => bets.map((bet) => ({ box: 0, bet, stake_minor: 100 }));

/** Four outcomes: left and right are two each, low the lower two, zero one of them. */
const TWO_OF_FOUR: Restricted = {
  never_together: [{ bets: ['big', 'odd', 'zero'], named: 'Big, Odd and Zero' }],
  covering: {
    percent: 75,
    most: 3,
    outcomes: 4,
    of: { left: [0, 2], right: [1, 3], low: [0, 1], zero: [0], big: [], odd: [] },
  },
};

describe('bets not allowed together', () => {
  test.each([
    [['big', 'odd'], null],
    [['zero', 'big'], null],
    [['big', 'odd', 'zero'], 'never_together'],
    [['left', 'zero', 'left'], null],
    [['left', 'low', 'zero'], null],
    [['left', 'right'], 'covers_too_much'],
    [['no_such_bet'], null],
    [[], null],
  ])('%j: %s', (bets, code) => {
    expect(forbidden(chips(...bets), TWO_OF_FOUR)?.code ?? null).toBe(code);
  });
  test('are refused in the server’s words, at the spot placed last', () => {
    const never = forbidden(chips('odd', 'zero', 'big'), TWO_OF_FOUR)!;
    expect(never.args).toMatchObject({ box: 0, bet: 'big' });
    expect(refusalWords(never.code, never.args)).toBe('Big, Odd and Zero can’t be bet on in the same round.');
    const most = forbidden(chips('left', 'right'), TWO_OF_FOUR)!;
    expect(refusalWords(most.code, most.args)).toBe(
      'These bets cover 4 of 4 outcomes. You may cover at most 3 (75 %).',
    );
  });
});

describe('a chip that would break a restriction', () => {
  const bets = ['player', 'banker', 'tie'].map(
    (bet) => ({ bet, main: true, min_minor: 100, max_minor: 1000 }) as BetLimits,
  );
  const restricted = {
    never_together: [{ bets: ['player', 'banker'], named: 'Player and Banker' }],
    covering: null,
  };
  const allowed: Allowed = { bets, tableMaxMinor: null, balanceMinor: 10_000, restricted };
  const on = (bet: string) => ({ box: 0, bet });
  const placed = ['tie', 'player'].reduce<Bets>(
    (lie, bet) => betting.place(lie, on(bet), 100, allowed).bets,
    NO_BETS,
  );
  const refused: [string, Bets, () => Move][] = [
    ['placed', placed, () => betting.place(placed, on('banker'), 100, allowed)],
    [
      'one of several',
      placed,
      () =>
        betting.placeAll(
          placed,
          [
            { ...on('tie'), chips: 1 },
            { ...on('banker'), chips: 1 },
          ],
          100,
          allowed,
        ),
    ],
    ['both at once', NO_BETS, () => betting.repeat(chips('player', 'banker'), allowed)],
  ];
  test.each(refused)('%s is refused, and the bets before stay', (_, before, move) => {
    const { bets: after, notice } = move();
    expect(after).toBe(before);
    expect(notice?.code).toBe('never_together');
  });
  test('does not limit the bets before, or the other one once they are removed', () => {
    expect(betting.double(placed, allowed).notice).toBeNull();
    const without = betting.takeBack(placed, on('player'));
    expect(betting.place(without, on('banker'), 100, allowed).notice).toBeNull();
  });
});
