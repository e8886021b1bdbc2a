/** Durations of a card's moves, and the key of its place. */
export const FLIGHT_MS = 260;
export const FLIP_MS = 320;

/** `0.1.2`: the third card of the second hand of box 0; `-1.0.0`: the dealer's first. */
export const cardKey = (box: number, hand: number, place: number) => `${box}.${hand}.${place}`;

/** When a card leaves the shoe or starts to turn, and when it comes to rest, in milliseconds after the message. */
export interface Move {
  readonly fromMs: number;
  readonly restMs: number;
  /** The card is already there, face down. */
  readonly turns: boolean;
}

/** Moves by the place of the card. */
export type Moves = ReadonlyMap<string, Move>;
