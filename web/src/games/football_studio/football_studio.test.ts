import { expect, test } from 'vitest';
import type { FootballStudioView } from './wire';
import { marks } from './mark';
import { highCards } from './high_cards';

test.each([
  ['HK7', { text: 'H', tone: 'red', spoken: 'Home, king against seven' }],
  ['A2A', { text: 'A', tone: 'blue', spoken: 'Away, two against ace' }],
  ['=99', { text: '=', tone: 'green', spoken: 'Draw, nine against nine' }],
])('%s in the lobby', (result, mark) => expect(marks.mark(result)).toEqual(mark));

test('home is the first side', () => {
  const view = { home: '2C', away: 'AS', winner: 'away' } as FootballStudioView;
  expect(highCards(view)).toEqual({ first: '2C', second: 'AS', won: 'second' });
  expect(highCards({ ...view, winner: 'draw' }).won).toBe('tie');
});
