import { FLIGHT_MS, FLIP_MS, cardKey, type Move, type Moves } from '../../table/card_moves';
import type { Motion } from '../../table/reveal.svelte';
import type { RoundEvent } from '../../wire';
import { drawn } from './partial_view';
import type { BlackjackView } from './wire';

/** Compute when each card of one message leaves the shoe, and when the hole card turns. */
const BETWEEN_MS = 90;
/** The dealer turns and draws only after all earlier cards have landed and can be read. */
const READ_MS = 110;
const DEALER = -1;

type Places = Map<string, number>;

const hand = ({ box, hand: place }: RoundEvent) => `${box}.${place}`;
const flies = ({ what }: RoundEvent) => what === 'card' || what === 'face_down';

/** Count the new cards of each hand in the message; they are the last cards of their hands. */
function newCards(did: readonly RoundEvent[]): Places {
  const count: Places = new Map();
  for (const one of did.filter(flies)) count.set(hand(one), (count.get(hand(one)) ?? 0) + 1);
  return count;
}

function cardsAt(view: BlackjackView, box: number, place: number): number {
  if (box === DEALER) return view.dealer.cards.length + Number(view.dealer.face_down);
  return view.boxes.find((b) => b.box === box)?.hands[place]?.cards.length ?? 0;
}

export function moves(view: BlackjackView, did: readonly RoundEvent[]): Moves {
  const left = newCards(did);
  const all = new Map<string, Move>();
  let [clock, restMs] = [0, 0];
  const move = (key: string, fromMs: number, turns = false) => {
    const move = { fromMs, restMs: fromMs + (turns ? FLIP_MS : FLIGHT_MS), turns };
    restMs = Math.max(restMs, move.restMs);
    all.set(key, move);
  };
  const afterAll = () => (all.size ? restMs + READ_MS : 0);
  for (const one of did) {
    const place = cardsAt(view, one.box, one.hand) - (left.get(hand(one)) ?? 0);
    if (one.what === 'turned') move(cardKey(DEALER, 0, place - 1), afterAll(), true);
    if (!flies(one)) continue;
    left.set(hand(one), left.get(hand(one))! - 1);
    const fromMs = one.box === DEALER && place > 1 ? afterAll() : clock;
    move(cardKey(one.box, one.hand, place), fromMs);
    clock = fromMs + BETWEEN_MS;
  }
  return all;
}

export const motion: Motion<BlackjackView> = {
  moments: (view, did) => [...moves(view, did).values()].map(({ restMs }) => restMs),
  drawn: (view, before, did, passedMs) => drawn(view, before, moves(view, did), passedMs),
};
