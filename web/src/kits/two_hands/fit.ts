/** Position of a hand's cards, in card widths, and the card size, in CSS pixels. */
const RATIO = 1.4;
const GAP = 0.09;
/** The place of a third card. */
export const THIRD = 2;

/** Beside the other two on the outer side of the table, or below them. */
export type Aside = 'left' | 'right' | 'below';

interface Size {
  readonly wide: number;
  readonly high: number;
}

const rowOf = (places: number) => places * (1 + GAP) - GAP;

/** Size of a hand with so many places. */
export function handSize(places: number, below: boolean): Size {
  if (places <= THIRD) return { wide: rowOf(places), high: RATIO };
  if (below) return { wide: rowOf(THIRD), high: RATIO + GAP + 1 };
  return { wide: rowOf(THIRD) + GAP + RATIO, high: RATIO };
}

/** Upper left corner of a card; a third card is rotated about its middle. */
export function cornerOf(place: number, places: number, aside: Aside): { x: number; y: number } {
  const turned = (RATIO - 1) / 2;
  const moved = places > THIRD && aside === 'left' ? RATIO + GAP : 0;
  if (place < THIRD) return { x: moved + place * (1 + GAP), y: 0 };
  if (aside === 'below') return { x: (rowOf(THIRD) - 1) / 2, y: RATIO + GAP - turned };
  return { x: aside === 'left' ? turned : rowOf(THIRD) + GAP + turned, y: 0 };
}

export interface Fit {
  readonly card: number;
  readonly below: boolean;
  /** Names and margins are small too. */
  readonly low: boolean;
  /** There is space for the shoe. */
  readonly shoe: boolean;
}

/** Below this height everything around the cards is smaller. */
const LOW = 230;
/** Names and totals, the result, and the paddings above and below the cards; a hand's share of those beside them. */
const AROUND = { low: { high: 74, wide: 26 }, usual: { high: 112, wide: 46 } } as const;
const CARD_MIN = 30;
const CARD_MAX = { one: 128, several: 120 } as const;
const SHOE = 86;

/** The largest cards of two hands beside each other. */
export function fit(width: number, height: number, places: number): Fit {
  const low = height < LOW;
  const around = AROUND[low ? 'low' : 'usual'];
  const card = (below: boolean) => {
    const { wide, high } = handSize(places, below);
    return Math.min((width / 2 - around.wide) / wide, (height - around.high) / high);
  };
  const below = card(true) > card(false);
  const max = places === 1 ? CARD_MAX.one : CARD_MAX.several;
  const size = Math.floor(Math.max(CARD_MIN, Math.min(max, card(below))));
  const beside = width / 2 - around.wide - size * handSize(places, below).wide;
  return { card: size, below, low, shoe: beside > SHOE };
}
