/** Space needed by cards. Lengths are CSS pixels. */
const RATIO = 1.4;
/** Visible share of a covered card's width. */
export const STEP = 0.5;
/** Visible share of a covered row's height. */
export const ROW_STEP = 0.42;
export const clamp = (min: number, value: number, max: number) => Math.max(min, Math.min(value, max));

/** How many cards fit side by side in `room`. */
export function across(room: number, card: number): number {
  return clamp(1, Math.floor((room - card) / (card * STEP) + 1e-6) + 1, 7);
}

export function handWidth(cards: number, card: number, perRow: number): number {
  return card * (1 + STEP * (Math.min(Math.max(cards, 2), perRow) - 1));
}

export function handHeight(cards: number, card: number, perRow: number): number {
  const rows = Math.max(1, Math.ceil(cards / perRow));
  return card * RATIO * (1 + ROW_STEP * (rows - 1));
}

/** Boxes in rows of at most `columns` hands; a box is never torn. */
export function rowsOf<Box>(boxes: readonly Box[], handsOf: (box: Box) => number, columns: number): Box[][] {
  const rows: Box[][] = [];
  let taken = columns;
  for (const box of boxes) {
    taken += handsOf(box);
    if (taken > columns) {
      rows.push([]);
      taken = handsOf(box);
    }
    rows.at(-1)!.push(box);
  }
  return rows;
}
