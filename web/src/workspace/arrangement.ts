/** Layout of a window's tables: side by side while each stays readable, otherwise behind tabs. */
export interface Arrangement {
  readonly columns: number;
  readonly rows: number;
  readonly tabs: boolean;
}

type Shape = readonly [columns: number, rows: number];
/** In order of preference. Of three tables the first is large. */
const SHAPES: Readonly<Record<number, readonly Shape[]>> = {
  1: [[1, 1]],
  2: [
    [2, 1],
    [1, 2],
  ],
  3: [[2, 2]],
  4: [[2, 2]],
};
/** A table is readable when it is at least as large as one of these: wide and low, or as a phone. CSS pixels. */
const READABLE = [
  { width: 630, height: 340 },
  { width: 440, height: 520 },
];
export const GAP = 6;

const share = (whole: number, parts: number) => (whole - GAP * (parts - 1)) / parts;

export function arrangement(count: number, width: number, height: number): Arrangement {
  if (count <= 1) return { columns: 1, rows: 1, tabs: false };
  for (const [columns, rows] of SHAPES[count] ?? [])
    if (READABLE.some((size) => share(width, columns) >= size.width && share(height, rows) >= size.height))
      return { columns, rows, tabs: false };
  return { columns: 1, rows: 1, tabs: true };
}
