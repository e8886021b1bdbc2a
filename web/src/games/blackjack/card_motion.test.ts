import { expect, test } from 'vitest';
import type { RoundEvent } from '../../wire';
import type { BlackjackView } from './wire';
import { motion, moves } from './card_motion';

const did = (what: RoundEvent['what'], box = -1, hand = 0): RoundEvent => ({
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

const from = (...of: Parameters<typeof moves>) => [...moves(...of)].map(([key, { fromMs }]) => [key, fromMs]);

test('the first cards leave the shoe one after the other', () => {
  const order = [did('card', 0), did('card'), did('card', 0), did('face_down')];
  expect(from(view(1, true, 2), order)).toEqual([
    ['0.0.0', 0],
    ['-1.0.0', 90],
    ['0.0.1', 180],
    ['-1.0.1', 270],
  ]);
});
test('after a split only the new cards move', () => {
  const at = moves(view(1, true, 2, 2), [did('decided', 0), did('card', 0, 0), did('card', 0, 1)]);
  expect([...at.keys()]).toEqual(['0.0.1', '0.1.1']);
});
test('the dealer draws after the card has turned, and each after the one before lies there', () => {
  const order = [did('turned'), did('card'), did('card'), did('ended')];
  expect(from(view(4, false, 2), order)).toEqual([
    ['-1.0.1', 0],
    ['-1.0.2', 430],
    ['-1.0.3', 800],
  ]);
  expect(motion.moments(view(4, false, 2), order).at(-1)).toBe(1060);
});
test('the card turns once the last card of a hand lies there', () => {
  const order = [did('decided', 0), did('card', 0), did('turned'), did('ended')];
  expect(from(view(2, false, 3), order)).toEqual([
    ['0.0.2', 0],
    ['-1.0.1', 370],
  ]);
});
test('a snapshot moves nothing', () => expect(moves(view(2, false, 2), []).size).toBe(0));
