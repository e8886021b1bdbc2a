import type { Shape } from './track';

/** How layout and racetrack share the available space. Lengths are CSS pixels. */
export interface Arrangement {
  /** Width of layout and racetrack. */
  readonly width: number;
  /** Both are seen at once; else one of them, chosen by a switch. */
  readonly both: boolean;
  /** Low height: the switch is left of the layout, not above it. */
  readonly switchBeside: boolean;
}

/** Height of a number's cell at a width of 1. */
export const TALL = 1.14;
const LAYOUT = (4.6 * TALL) / 14;
export const TRACK: Shape = { width: 90, height: 20, ring: 4.7, upright: false };
/** On a phone held upright: 37 pockets a finger can hit. */
export const NARROW_TRACK: Shape = { width: 52, height: 36.6, ring: 4.8, upright: true };
const RACETRACK = TRACK.height / TRACK.width;
/** The line with the words above, the switch left of it, and the gaps. */
const LINE = 40;
const SWITCH = 116;
const GAP = 12;
/** Smaller than this share of what it could be alone the layout isn't made for the racetrack's sake. */
const WORTH = 0.82;

export function arrange(width: number, height: number): Arrangement {
  const above = Math.min(width, (height - LINE) / LAYOUT);
  const beside = Math.min(width - SWITCH, height / LAYOUT);
  const shared = Math.min(width, (height - LINE - GAP) / (LAYOUT + RACETRACK));
  if (shared >= Math.max(above, beside) * WORTH) return { width: shared, both: true, switchBeside: false };
  return { width: Math.max(above, beside), both: false, switchBeside: beside > above };
}
