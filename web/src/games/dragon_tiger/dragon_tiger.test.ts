import { expect, test } from 'vitest';
import type { DragonTigerView } from './wire';
import { marks } from './mark';
import { highCards } from './high_cards';

test.each([
  ['DK7', { text: 'D', tone: 'red', spoken: 'Dragon, king against seven' }],
  ['T2Q', { text: 'T', tone: 'gold', spoken: 'Tiger, two against queen' }],
  ['=TT', { text: '=', tone: 'green', spoken: 'Tie, ten against ten' }],
])('%s in the lobby', (result, mark) => expect(marks.mark(result)).toEqual(mark));

test('the dragon is the first side', () => {
  const view = { dragon: 'KH', tiger: '7S', winner: 'dragon' } as DragonTigerView;
  expect(highCards(view)).toEqual({ first: 'KH', second: '7S', won: 'first' });
  expect(highCards({ ...view, tiger: null, winner: null })).toEqual({ first: 'KH', second: null, won: null });
});
