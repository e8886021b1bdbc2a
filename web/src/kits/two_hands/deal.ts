/** The deal of two hands: which card is which, and when each that came in one message leaves the shoe. */
import type { RoundEvent } from '../../wire';
import type { Side } from '../roads/roads';

export interface Landing {
  readonly side: Side;
  readonly place: number;
}

const FIRST_MS = 120;
const BETWEEN_MS = 420;
/** Before a third card, so that the totals of two can be read. */
const BEFORE_THIRD_MS = 750;
/** From a card leaving the shoe until its total is shown. */
const LANDED_MS = 420;

/** The cards in the order of dealing: a card to each side in turn, the first side's before the second's. */
export function dealing(first: number, second: number): readonly Landing[] {
  return Array.from({ length: Math.max(first, second) }, (_, place) => place).flatMap((place) => [
    ...(place < first ? [{ side: 'first' as const, place }] : []),
    ...(place < second ? [{ side: 'second' as const, place }] : []),
  ]);
}

/** Number of new cards in the last message; burned cards don't count. */
export const newCards = (did: readonly RoundEvent[]) =>
  did.filter(({ what, box }) => what === 'card' && box >= 0).length;

/** When each of the new cards, the last of `dealt`, leaves the shoe, in milliseconds. */
export function leaving(dealt: readonly Landing[], count: number): readonly number[] {
  let clock = FIRST_MS - BETWEEN_MS;
  return dealt
    .slice(dealt.length - count)
    .map(({ place }, at) => (clock += place > 1 && at ? BEFORE_THIRD_MS : BETWEEN_MS));
}

/** Duration of the deal in `did` until the last card lands. */
export function dealMs(first: number, second: number, did: readonly RoundEvent[]): number {
  const last = leaving(dealing(first, second), newCards(did)).at(-1);
  return last === undefined ? 0 : last + LANDED_MS;
}
