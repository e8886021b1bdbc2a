import { expect, test } from 'vitest';
import type { Happening } from '../../wire';
import type { BlackjackView } from './wire';
import { delays, restMs } from './director';

const did = (what: Happening['what'], box = -1, hand = 0): Happening => ({
  what,
  box,
  hand,
  card: '',
  came: '',
  action: '',
  by: '',
  name: '',
  reason: '',
});
const view = (dealer: number, faceDown: boolean, ...hands: number[]) =>
  ({
    boxes: [{ box: 0, hands: hands.map((count) => ({ cards: Array(count).fill('9D') })) }],
    dealer: { cards: Array(dealer).fill('7S'), face_down: faceDown },
  }) as unknown as BlackjackView;

test('the first cards leave the shoe one after the other', () => {
  const order = [did('card', 0), did('card'), did('card', 0), did('face_down')];
  expect([...delays(view(1, true, 2), order)]).toEqual([
    ['0.0.0', 0],
    ['-1.0.0', 90],
    ['0.0.1', 180],
    ['-1.0.1', 270],
  ]);
});
test('after a split only the new cards move', () => {
  const at = delays(view(1, true, 2, 2), [did('decided', 0), did('card', 0, 0), did('card', 0, 1)]);
  expect([...at.keys()]).toEqual(['0.0.1', '0.1.1']);
});
test('the dealer draws after the card has turned', () => {
  const order = [did('turned'), did('card'), did('card'), did('ended')];
  const at = delays(view(4, false, 2), order);
  expect([...at]).toEqual([
    ['-1.0.2', 180],
    ['-1.0.3', 420],
  ]);
  expect(restMs(at, order)).toBe(680);
});
test('a snapshot moves nothing', () => {
  expect(delays(view(2, false, 2), []).size).toBe(0);
  expect(restMs(new Map(), [])).toBe(0);
});
