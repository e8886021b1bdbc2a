/** Parse the names of roulette's bets. A pocket is its label: `17`, `0`, `00`. */

const NUMBERS = 36;
const INSIDE = /^(?:straight|split|street|corner|six_line|five_number)_(.+)$/;
const STRAIGHT = 'straight_';

export type Colour = 'red' | 'black' | 'green';

const isZero = (pocket: string) => Number(pocket) === 0;

/** Red are the odd numbers up to 10 and from 19 to 28, and the even ones elsewhere. */
export function colourOf(pocket: string): Colour {
  if (isZero(pocket)) return 'green';
  const number = Number(pocket);
  const oddIsRed = number <= 10 || (number >= 19 && number <= 28);
  return (number % 2 === 1) === oddIsRed ? 'red' : 'black';
}

type Covers = (number: number, pocket: string) => boolean;

const third =
  (one: number): Covers =>
  (number) =>
    Math.ceil(number / (NUMBERS / 3)) === one;
const column =
  (one: number): Covers =>
  (number) =>
    number % 3 === one % 3;

/** The outside bets; none of them covers a zero. */
const OUTSIDE: Readonly<Record<string, Covers>> = {
  column_1: column(1),
  column_2: column(2),
  column_3: column(3),
  dozen_1: third(1),
  dozen_2: third(2),
  dozen_3: third(3),
  red: (_, pocket) => colourOf(pocket) === 'red',
  black: (_, pocket) => colourOf(pocket) === 'black',
  odd: (number) => number % 2 === 1,
  even: (number) => number % 2 === 0,
  low: (number) => number <= NUMBERS / 2,
  high: (number) => number > NUMBERS / 2,
};

/** The pockets named by an inside bet; null for an outside bet. */
export const insideOf = (bet: string): readonly string[] | null => INSIDE.exec(bet)?.[1]?.split('_') ?? null;

/** The pockets among those of the wheel that a bet covers. */
export function covered(bet: string, pockets: readonly string[]): readonly string[] {
  const covers = OUTSIDE[bet];
  if (!covers) return insideOf(bet) ?? [];
  return pockets.filter((pocket) => !isZero(pocket) && covers(Number(pocket), pocket));
}

/** The outside bets that a pocket is of, for words: `red, odd, low`. */
export const traits = (pocket: string): readonly string[] =>
  isZero(pocket)
    ? []
    : ['red', 'black', 'odd', 'even', 'low', 'high'].filter((bet) => OUTSIDE[bet]!(Number(pocket), pocket));

export const straight = (pocket: string): string => STRAIGHT + pocket;

/** The wheel of a table, clockwise: a table lists its straight bets in the order of its wheel. */
export const wheelOf = (bets: readonly { readonly bet: string }[]): readonly string[] =>
  bets.filter(({ bet }) => bet.startsWith(STRAIGHT)).map(({ bet }) => bet.slice(STRAIGHT.length));
