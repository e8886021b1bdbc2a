/** How long a card flies and turns, and how its place is called. */
export const FLIGHT_MS = 260;
export const FLIP_MS = 320;

/** `0.1.2`: the third card of the second hand of box 0; `-1.0.0`: the dealer's first. */
export const cardKey = (box: number, hand: number, place: number) => `${box}.${hand}.${place}`;

/** When a card leaves the shoe or begins to turn, and when it lies there, in milliseconds after the message. */
export interface Move {
  readonly fromMs: number;
  readonly restMs: number;
  /** It lies there already, face down. */
  readonly turns: boolean;
}

/** By the places of the cards that move. */
export type Moves = ReadonlyMap<string, Move>;
