import { label } from '../state/money';

/** The chips of a table: what an amount looks like as a stack, and what is written on one. */

/** Largest first, as many of each as fit; what no chip covers is left to the figures beside the stack. */
export function stackOf(minor: number, chips: readonly number[]): number[] {
  const stack: number[] = [];
  let left = minor;
  for (const chip of [...chips].sort((a, b) => b - a)) {
    const count = Math.floor(left / chip);
    stack.push(...Array<number>(count).fill(chip));
    left -= count * chip;
  }
  return stack;
}

const UNITS = [
  { letter: 'M', size: 1_000_000 },
  { letter: 'k', size: 1_000 },
] as const;

/** `25`, `2.5k`, `1M`, `.50`: short enough for the face of a chip. */
export const chipLabel = (minor: number, decimals: number): string => label(faceOf(minor, decimals));

function faceOf(minor: number, decimals: number): string {
  const one = 10 ** decimals;
  if (minor < one) return `.${String(minor).padStart(decimals, '0')}`;
  const whole = minor / one;
  const unit = UNITS.find(({ size }) => whole >= size && (whole * 10) % size === 0);
  return unit ? `${whole / unit.size}${unit.letter}` : String(whole);
}

const TONES = 8;

/** A chip's colour: its place in the table's row of chips. */
export function toneOf(minor: number, chips: readonly number[]): number {
  return Math.max(0, chips.indexOf(minor)) % TONES;
}

/** The dearest chip the balance covers, or the cheapest there is. */
export function dearestCovered(wanted: number, chips: readonly number[], balanceMinor: number): number {
  const covered = chips.filter((chip) => chip <= Math.min(wanted, balanceMinor));
  return covered.at(-1) ?? chips[0] ?? 0;
}
