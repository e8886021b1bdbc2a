import { describe, expect, test } from 'vitest';
import { asked, isSettled, offered, standing, totalText } from './view_queries';
import { moved } from './roving_moves';
import type { BlackjackView, HandView, TurnView } from './wire';

describe('reading a hand', () => {
  const hand = { low: 7, total: 17, blackjack: false, finished: false, outcome: null } as HandView;
  test('both totals while both count', () => {
    expect(totalText(hand, isSettled(hand))).toBe('7 / 17');
    expect(totalText(hand, isSettled({ ...hand, finished: true }))).toBe('17');
    expect(totalText({ low: 11, total: 21 }, isSettled({ ...hand, low: 11, total: 21 }))).toBe('21');
  });
  test.each([
    ['won', 'good', '✓'],
    ['pushed', 'good', '='],
    ['blackjack', 'good', '★'],
    ['lost', 'bad', '✕'],
    ['bust', 'bad', '✕'],
  ] as const)('%s is %s with %s', (outcome, tone, mark) =>
    expect(standing({ ...hand, outcome })).toMatchObject({ tone, mark }),
  );
  test('a blackjack is marked before it is paid', () =>
    expect(standing({ ...hand, blackjack: true })).toMatchObject({ tone: 'open', mark: '★' }));
});

describe('what is asked', () => {
  const speech = (turn: [box: number, hand: number], options: string[], ...hands: string[][]) =>
    asked(
      { boxes: [{ box: turn[0], hands: hands.map((cards) => ({ cards })) }] } as unknown as BlackjackView,
      [
        {
          box: turn[0],
          hand: turn[1],
          options: options.map((action) => ({ action })),
        } as unknown as TurnView,
      ],
    );
  const pair = speech([0, 0], ['hit', 'stand', 'split'], ['2C', '2S']);
  test.each([
    ['a card', speech([0, 0], ['hit', 'stand'], ['2C', '2S', '4H'])],
    [
      'a split to a hand of as many options',
      speech([0, 0], ['hit', 'stand', 'double'], ['2C', '9H'], ['2S']),
    ],
    ['the next hand', speech([0, 1], ['hit', 'stand', 'split'], ['2C', '9H'], ['2S', '2H'])],
    ['the next box', speech([1, 0], ['hit', 'stand', 'split'], ['2C', '2S'])],
  ])('changes with %s', (_, later) => expect(later).not.toBe(pair));
  test('stays while nothing has happened', () =>
    expect(speech([0, 0], ['hit', 'stand', 'split'], ['2C', '2S'])).toBe(pair));
});

test('an offer that is answered keeps its place among those that are open', () => {
  const turns = [0, 1, 2].map((box) => ({ box, hand: 0, options: [] }) as TurnView);
  const [first, , last] = turns;
  const after = offered(offered([], turns), [first!, last!]);
  expect(after.map(({ box }) => box)).toEqual([0, 1, 2]);
  expect(offered(after, []).map(({ box }) => box)).toEqual([0, 1, 2]);
});

describe('arrows over the spots', () => {
  const bets = ['pairs', 'main', 'bust_it'];
  const at = { box: 1, bet: 'main' };
  test.each([
    ['ArrowLeft', { box: 0, bet: 'main' }],
    ['ArrowRight', { box: 2, bet: 'main' }],
    ['ArrowUp', { box: 1, bet: 'pairs' }],
    ['ArrowDown', { box: 1, bet: 'bust_it' }],
    ['Home', { box: 0, bet: 'pairs' }],
    ['End', { box: 2, bet: 'pairs' }],
    ['x', null],
  ])('%s', (key, to) => expect(moved(at, key, 3, bets)).toEqual(to));
  test('stop at the edge', () => expect(moved({ box: 2, bet: 'main' }, 'ArrowRight', 3, bets)?.box).toBe(2));
  test('at one box left and right walk over its bets', () =>
    expect(moved({ box: 0, bet: 'main' }, 'ArrowRight', 1, bets)?.bet).toBe('bust_it'));
});
