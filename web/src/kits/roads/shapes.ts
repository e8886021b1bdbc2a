/** Drawing of roads: a cell is `CELL` units wide, and all marks of a colour are one path. */
import type { Tone } from '../../games/drawing';
import type { Labels } from '../two_hands/labels';
import type { Colour, Derived, Entry, Laid, Paired, Side, Winner } from './roads';

export const CELL = 10;

export type Look = 'ring' | 'disc' | 'slash' | 'dot';

export interface Ink {
  readonly look: Look;
  readonly tone: Tone;
  readonly path: string;
}

/** Letters, each by the middle of its foot. */
export interface Letters {
  readonly text: string;
  readonly x: string;
  readonly y: string;
}

interface Spot {
  readonly column: number;
  readonly row: number;
}

const RADIUS: Readonly<Record<Look, number>> = { ring: 3.7, disc: 4.3, slash: 3.5, dot: 1.4 };
/** From the middle of a letter to its foot. */
const RISE = 2;
const middle = (at: number) => at * CELL + CELL / 2;

const round = ({ column, row }: Spot, r: number) =>
  `M${middle(column) - r} ${middle(row)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const slash = ({ column, row }: Spot, r: number) =>
  `M${middle(column) - r} ${middle(row) + r}L${middle(column) + r} ${middle(row) - r}`;

/** The marks of one look, one path a tone. */
export function inked(look: Look, spots: readonly (Spot & { readonly tone: Tone })[]): Ink[] {
  const tones = [...new Set(spots.map(({ tone }) => tone))];
  const draw = look === 'slash' ? slash : round;
  return tones.map((tone) => ({
    look,
    tone,
    path: spots
      .filter((spot) => spot.tone === tone)
      .map((spot) => draw(spot, RADIUS[look]))
      .join(''),
  }));
}

export function lettered(spots: readonly (Spot & { readonly letter: string })[]): Letters {
  return {
    text: spots.map(({ letter }) => letter).join(''),
    x: spots.map(({ column }) => middle(column)).join(' '),
    y: spots.map(({ row }) => middle(row) + RISE).join(' '),
  };
}

export const beads = (cells: readonly Laid<Winner>[], labels: Labels) => ({
  inks: inked(
    'disc',
    cells.map((cell) => ({ ...cell, tone: labels[cell.one].tone })),
  ),
  letters: lettered(cells.map((cell) => ({ ...cell, letter: labels[cell.one].letter }))),
});

/** Rings, a stroke through those that ties followed, and how many where they were several. */
export function rings(cells: readonly Laid<Entry>[], labels: Labels) {
  const tied = cells.filter(({ one }) => one.ties);
  const won = cells.flatMap((cell) => (cell.one.side ? [{ ...cell, tone: labels[cell.one.side].tone }] : []));
  return {
    inks: [
      ...inked('ring', won),
      ...inked(
        'slash',
        tied.map((cell) => ({ ...cell, tone: labels.tie.tone })),
      ),
    ],
    letters: lettered(
      tied
        .filter(({ one }) => one.ties > 1)
        .map((cell) => ({ ...cell, letter: String(Math.min(9, cell.one.ties)) })),
    ),
  };
}

/** From the middle of a cell to a pair's dot: the first side's lower right, the second's upper left. */
const ASIDE: Readonly<Record<Side, number>> = { first: 0.33, second: -0.33 };

/** A drawing with a dot in the corner of a cell for each pair of its coup. */
export function dotted<Drawing extends { readonly inks: readonly Ink[] }>(
  drawing: Drawing,
  cells: readonly (Spot & Paired)[],
  labels: Labels,
): Drawing {
  const spots = cells.flatMap(({ column, row, pairs }) =>
    pairs.map((side) => ({
      column: column + ASIDE[side],
      row: row + ASIDE[side],
      tone: labels[side].tone,
    })),
  );
  return { ...drawing, inks: [...drawing.inks, ...inked('dot', spots)] };
}

export const coloured = (look: Look, cells: readonly Laid<Colour>[]): Ink[] =>
  inked(
    look,
    cells.map((cell) => ({ ...cell, tone: cell.one })),
  );

/** The mark of each derived road. */
export const LOOKS: Readonly<Record<Derived, Look>> = { bigEye: 'ring', small: 'disc', cockroach: 'slash' };

/** One mark for each derived road, side by side; none if a road has no mark yet. */
export const answered = (next: Readonly<Record<Derived, Colour | null>>): Ink[] =>
  (['bigEye', 'small', 'cockroach'] as const).flatMap((road, column) => {
    const tone = next[road];
    return tone ? inked(LOOKS[road], [{ column, row: 0, tone }]) : [];
  });
