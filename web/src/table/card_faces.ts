/** Appearance of a card such as `9D`. */

interface Suit {
  readonly ink: string;
  readonly fourColourInk: string;
  /** Drawn in a square of 24. */
  readonly path: string;
}

const SUITS: Readonly<Record<string, Suit>> = {
  C: {
    ink: 'var(--suit-black)',
    fourColourInk: 'var(--suit-green)',
    path: 'M12 1.6A4.7 4.7 0 0 0 8.2 9.1 4.8 4.8 0 1 0 11.2 16.4C11 19 10.2 21 8 22.6H16C13.8 21 13 19 12.8 16.4A4.8 4.8 0 1 0 15.8 9.1 4.7 4.7 0 0 0 12 1.6Z',
  },
  D: {
    ink: 'var(--suit-red)',
    fourColourInk: 'var(--suit-blue)',
    path: 'M12 1.2C14.4 5.4 17.4 9 20.6 12 17.4 15 14.4 18.6 12 22.8 9.6 18.6 6.6 15 3.4 12 6.6 9 9.6 5.4 12 1.2Z',
  },
  H: {
    ink: 'var(--suit-red)',
    fourColourInk: 'var(--suit-red)',
    path: 'M12 22C5.2 16 2 12.2 2 8.2 2 5.2 4.2 3 7 3 9.2 3 11.1 4.3 12 6.4 12.9 4.3 14.8 3 17 3 19.8 3 22 5.2 22 8.2 22 12.2 18.8 16 12 22Z',
  },
  S: {
    ink: 'var(--suit-black)',
    fourColourInk: 'var(--suit-black)',
    path: 'M12 1.5C9 6.6 2.4 9.6 2.4 14.4 2.4 17.2 4.5 19 6.9 19 8.7 19 10.2 18.2 11.2 16.7 11 19.2 10.2 21.1 8 22.6H16C13.8 21.1 13 19.2 12.8 16.7 13.8 18.2 15.3 19 17.1 19 19.5 19 21.6 17.2 21.6 14.4 21.6 9.6 15 6.6 12 1.5Z',
  },
};

const rankOf = (card: string) => card.charAt(0);

export function suitOf(card: string): Suit {
  const suit = SUITS[card.charAt(1)];
  if (!suit) throw new RangeError(`${card} is no card`);
  return suit;
}

/** The corner index: `10` for a ten. */
export function indexOf(card: string): string {
  return rankOf(card) === 'T' ? '10' : rankOf(card);
}

export function isCourt(card: string): boolean {
  return 'JQK'.includes(rankOf(card));
}
