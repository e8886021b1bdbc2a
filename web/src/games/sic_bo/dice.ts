/** Dice in words and as drawings. A face is a number from 1 to 6. */

/** Positions of a face's pips on a 3×3 grid counted from the upper left corner. */
const PIPS: readonly (readonly number[])[] = [
  [4],
  [2, 6],
  [2, 4, 6],
  [0, 2, 6, 8],
  [0, 2, 4, 6, 8],
  [0, 2, 3, 5, 6, 8],
];
/** On dice of the east one and four are red, and the one is large. */
const RED: readonly number[] = [1, 4];

/** A die is a square of this side. */
export const SIDE = 10;
const STEP = 2.7;
const RADIUS = 1.1;
const LARGE = 1.7;

const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

/** The pips of a face whose middle is at (`x`, `y`), as an SVG path. */
export function pips(face: number, x = 0, y = 0): string {
  const radius = face === 1 ? LARGE : RADIUS;
  const at = (place: number) =>
    circle(x + ((place % 3) - 1) * STEP, y + (Math.floor(place / 3) - 1) * STEP, radius);
  return (PIPS[face - 1] ?? []).map(at).join('');
}

export const isRed = (face: number): boolean => RED.includes(face);

const total = (dice: readonly number[]): number => dice.reduce((sum, face) => sum + face, 0);

export const isTriple = (dice: readonly number[]): boolean => new Set(dice).size === 1;

/** `1-3-6` as faces. */
export const facesOf = (result: string): readonly number[] => result.split('-').map(Number);

const SMALL_MOST = 10;

/** Result of a roll. A triple is neither small nor big, neither odd nor even. */
export interface Sum {
  readonly total: number;
  readonly size: 'small' | 'big' | 'triple';
  readonly parity: 'odd' | 'even' | 'triple';
}

export function sumOf(dice: readonly number[]): Sum {
  const sum = total(dice);
  if (isTriple(dice)) return { total: sum, size: 'triple', parity: 'triple' };
  return { total: sum, size: sum <= SMALL_MOST ? 'small' : 'big', parity: sum % 2 ? 'odd' : 'even' };
}

/** `1, 3 and 6, total 10, small, even`, or `triple 2, total 6`. */
export function spoken(dice: readonly number[]): string {
  const { total: sum, size, parity } = sumOf(dice);
  if (size === 'triple') return `triple ${dice[0]}, total ${sum}`;
  return `${dice.slice(0, -1).join(', ')} and ${dice.at(-1)}, total ${sum}, ${size}, ${parity}`;
}
