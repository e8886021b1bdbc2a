import { describe, expect, test } from 'vitest';
import type { BaccaratHand, BaccaratView } from './wire';
import { cameUp, outcome, winnerIn } from './came_up';
import { marks } from './mark';

const hand = (totals: readonly number[], natural = false): BaccaratHand => ({
  cards: totals.map(() => '9D'),
  totals,
  natural,
});
const coup = (
  player: BaccaratHand,
  banker: BaccaratHand,
  winner: BaccaratView['winner'],
  won: readonly string[] = [],
) => ({ player, banker, winner, won }) as BaccaratView;

describe('a coup of baccarat', () => {
  test('is described as far as it has been dealt', () => {
    expect(cameUp(coup(hand([]), hand([]), null))).toBe('');
    expect(cameUp(coup(hand([4]), hand([]), null))).toBe('Player 4.');
    expect(cameUp(coup(hand([4, 7]), hand([0, 5]), 'player'))).toBe('Player 7, Banker 5: Player wins.');
    expect(cameUp(coup(hand([4, 7]), hand([0, 9], true), 'banker'))).toBe(
      'Player 7, Banker natural 9: Banker wins.',
    );
    expect(cameUp(coup(hand([6]), hand([6]), 'tie'))).toBe('Player 6, Banker 6: Tie.');
  });
  test.each([
    ['player', false, 'Player wins'],
    ['banker', true, 'Banker wins with a natural'],
    ['tie', true, 'Tie with a natural'],
    [null, false, ''],
  ] as const)('won by %s, natural %s: %s', (winner, natural, text) =>
    expect(outcome(coup(hand([8], natural && winner === 'tie'), hand([8], natural), winner))).toBe(text),
  );
  test('tells the pairs that came up', () => {
    const both = coup(hand([4, 8]), hand([3, 6]), 'player', ['player', 'player_pair', 'banker_pair']);
    expect(cameUp(both)).toBe('Player 8, Banker 6: Player wins. Player pair. Banker pair.');
    expect(outcome(both)).toBe('Player wins, Player pair, Banker pair');
    expect(outcome(coup(hand([4]), hand([4]), 'tie', ['tie', 'banker_pair']))).toBe('Tie, Banker pair');
  });
  test('is won by a side', () => expect(winnerIn(coup(hand([]), hand([]), 'banker'))).toBe('second'));
});

test.each([
  ['P8', { text: 'P8', tone: 'blue', spoken: 'Player with 8' }],
  ['B7', { text: 'B7', tone: 'red', spoken: 'Banker with 7' }],
  ['T6', { text: 'T6', tone: 'green', spoken: 'Tie at 6' }],
  ['B7pb', { text: 'B7', tone: 'red', spoken: 'Banker with 7, Player pair, Banker pair' }],
])('%s in the lobby', (result, mark) => expect(marks.mark(result)).toEqual(mark));
