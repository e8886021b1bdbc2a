/** How the grids of a scoreboard share its width. Lengths are CSS pixels. */
import { ROWS } from './roads';

interface Room {
  readonly columns: number;
  readonly cell: number;
}

export interface Plan {
  readonly bead: Room;
  readonly big: Room;
  readonly derived: Room;
  /** Width shared by the derived roads. */
  readonly under: number;
}

const GAP = 6;
/** As many bead columns as a shoe needs, if they fit. */
const BEAD_COLUMNS = { min: 8, max: 14, share: 0.3 } as const;
const PER_CELL = 46;
const CELL_MIN = 12;
/** Without derived roads the other grids may be larger. */
const CELL_MAX = { derived: 20, alone: 24, low: 12 } as const;
const clamp = (min: number, value: number, max: number) => Math.max(min, Math.min(value, max));

const fitted = (width: number, cell: number): Room => ({
  cell,
  columns: Math.max(ROWS, Math.floor(width / cell)),
});

/**
 * Side by side, bead plate and big road are equally high, with the derived roads in a row under the big road;
 * on a narrow board the derived roads are under both.
 */
export function planned(width: number, narrow: boolean, derive: boolean, low = false): Plan {
  const largest = low ? CELL_MAX.low : derive ? CELL_MAX.derived : CELL_MAX.alone;
  const cell = clamp(CELL_MIN, Math.floor(width / PER_CELL / 2) * 2, largest);
  const beadCell = derive && !narrow ? cell * 1.5 : cell;
  const { min, max, share } = BEAD_COLUMNS;
  const bead = { cell: beadCell, columns: clamp(min, Math.floor((width * share) / beadCell), max) };
  const big = fitted(width - beadCell * bead.columns - GAP, cell);
  const above = big.columns * cell;
  const under = narrow ? beadCell * bead.columns + GAP + above : above;
  return { bead, big, derived: fitted((under - 2 * GAP) / 3, cell / 2), under };
}
