import { expect, test } from 'vitest';
import type { RoundEvent } from '../../wire';
import { motion } from './card_motion';
import type { BlackjackView, HandView, TurnView } from './wire';

const did = (what: RoundEvent['what'], box = -1) => ({ what, box, hand: 0 }) as RoundEvent;
const hand = (cards: string, total: number, more: Partial<HandView> = {}) => ({
  cards: cards.split(' '),
  low: total,
  total,
  blackjack: false,
  outcome: null,
  returned_minor: null,
  ...more,
});
function view(player: object, dealer: object, more: Partial<BlackjackView> = {}): BlackjackView {
  const box = { box: 0, hands: [player], side_bets: [], insurance: null };
  return {
    boxes: [box],
    dealer: { face_down: false, bust: false, ...dealer },
    turns: [],
    ended: false,
    returned_minor: 0,
    ...more,
  } as unknown as BlackjackView;
}

const TURNS = [{ box: 0, hand: 0, options: [] }] as TurnView[];
const before = view(hand('6D 5C', 11), { ...hand('7S', 7), face_down: true }, { turns: TURNS });
const won = { outcome: 'won', returned_minor: 40 } as const;
const after = view(hand('6D 5C 9H', 20, won), hand('7S TD', 17), { ended: true, returned_minor: 40 });
const ORDER = [did('decided', 0), did('card', 0), did('turned'), did('ended')];
const at = (passedMs: number) => motion.drawn(after, before, ORDER, passedMs);
const LANDED_MS = 260;

test('a card on its way says nothing of what it makes, and the hand is still asked', () => {
  const { boxes, dealer, turns, ended, returned_minor } = at(0);
  expect(boxes[0]!.hands[0]).toMatchObject({ cards: ['6D', '5C', '9H'], total: 11, outcome: null });
  expect([dealer.total, turns, ended, returned_minor]).toEqual([7, TURNS, false, 0]);
});
test('once it lies there the hand tells its total, and the round nothing yet', () => {
  const { boxes, dealer, turns, ended } = at(LANDED_MS);
  expect(boxes[0]!.hands[0]).toMatchObject({ total: 20, outcome: null, returned_minor: null });
  expect([dealer.total, turns, ended]).toEqual([7, [], false]);
});
test('everything is shown when all cards have landed', () => expect(at(Infinity)).toBe(after));
test('a bust shows as soon as its card lies there', () => {
  const bust = view(hand('6D 5C TH', 21, { outcome: 'bust' }), { ...hand('7S', 7), face_down: true });
  const drawn = motion.drawn(bust, before, [did('card', 0), did('turned')], LANDED_MS);
  expect(drawn.boxes[0]!.hands[0]!.outcome).toBe('bust');
});
test('hands just dealt show no total', () => {
  const first = [did('card', 0), did('card'), did('card', 0), did('face_down')];
  const { boxes, dealer } = motion.drawn(before, null, first, 0);
  expect([boxes[0]!.hands[0]!.total, dealer.total]).toEqual([0, 0]);
});
test('no total is shown between two cards of the dealer', () => {
  const drawing = view(hand('TD 9C', 19), hand('7S 2D 8H', 17));
  const stood = view(hand('TD 9C', 19), { ...hand('7S', 7), face_down: true });
  const order = [did('turned'), did('card')];
  expect(motion.drawn(drawing, stood, order, 320).dealer.total).toBe(0);
});
