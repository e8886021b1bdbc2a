/** How long a card flies and turns, and how its place is called. */
export const FLIGHT_MS = 260;
export const FLIP_MS = 180;

/** `0.1.2`: the third card of the second hand of box 0; `-1.0.0`: the dealer's first. */
export const cardKey = (box: number, hand: number, place: number) => `${box}.${hand}.${place}`;
