/**
 * Baccarat roads: pure functions of the winners, oldest first. The bead plate shows every coup. The big road
 * shows winners in streaks, with ties marked on the winner before. The three derived roads show in red and blue
 * how regular the big road is.
 */
export type Side = 'first' | 'second';
export type Winner = Side | 'tie';

/** A winner and the number of ties after it; `side` null: ties before the first winner of the shoe. */
export interface Entry {
  readonly side: Side | null;
  readonly ties: number;
}

export type Colour = 'red' | 'blue';

/** How many streaks back a derived road compares. */
export const BACK = { bigEye: 1, small: 2, cockroach: 3 } as const;
export type Derived = keyof typeof BACK;

export const ROWS = 6;

/** The big road as streaks of one side each. Ties before the first winner wait in its place. */
export function bigRoad(won: readonly Winner[]): readonly (readonly Entry[])[] {
  const streaks: Entry[][] = [];
  for (const one of won) {
    const streak = streaks.at(-1);
    const last = streak?.at(-1);
    if (one === 'tie') {
      const marked = { side: last?.side ?? null, ties: (last?.ties ?? 0) + 1 };
      if (streak) streak[streak.length - 1] = marked;
      else streaks.push([marked]);
    } else if (streak && last?.side === null) streak[0] = { side: one, ties: last.ties };
    else if (streak && last?.side === one) streak.push({ side: one, ties: 0 });
    else streaks.push([{ side: one, ties: 0 }]);
  }
  return streaks;
}

/** Length of each streak of the big road; a dragon's tail counts towards its streak. */
export function lengths(road: readonly (readonly Entry[])[]): readonly number[] {
  return road.filter(([first]) => first?.side).map((streak) => streak.length);
}

/**
 * A derived road. The first winner of a streak is red where the two streaks before it, `back` apart, were
 * equally long; each further one is blue exactly where the streak `back` before ended one row above.
 */
export function derivedRoad(streaks: readonly number[], back: number): readonly Colour[] {
  return streaks.flatMap((length, at) =>
    Array.from({ length }, (_, row) => colour(streaks, at, row, back)).filter((one) => one !== null),
  );
}

/** Null: the road has nothing to compare with yet. */
function colour(streaks: readonly number[], at: number, row: number, back: number): Colour | null {
  const before = streaks[at - back - (row ? 0 : 1)];
  if (before === undefined) return null;
  const regular = row ? before !== row : before === streaks[at - 1];
  return regular ? 'red' : 'blue';
}

/** The next mark of each derived road if `side` won the next coup; null: none yet. */
export function predicted(won: readonly Winner[], side: Side): Readonly<Record<Derived, Colour | null>> {
  const streaks = lengths(bigRoad([...won, side]));
  const at = streaks.length - 1;
  const next = (back: number) => colour(streaks, at, streaks[at]! - 1, back);
  return { bigEye: next(BACK.bigEye), small: next(BACK.small), cockroach: next(BACK.cockroach) };
}

/** Equal neighbours together. */
export function runs<One>(all: readonly One[]): readonly (readonly One[])[] {
  const found: One[][] = [];
  for (const one of all) {
    if (found.length && found.at(-1)!.at(-1) === one) found.at(-1)!.push(one);
    else found.push([one]);
  }
  return found;
}

export interface Laid<One> {
  readonly one: One;
  readonly column: number;
  readonly row: number;
}

/** The pairs among the first two cards of a cell's coup. */
export interface Paired {
  readonly pairs: readonly Side[];
}

/** Cells with the pairs of their coups, which come in the same order; a cell without a coup has none. */
export function paired<Cell>(
  cells: readonly Cell[],
  pairs: readonly (readonly Side[])[],
): readonly (Cell & Paired)[] {
  return cells.map((cell, at) => ({ ...cell, pairs: pairs[at] ?? [] }));
}

/** One column after the other, from the top. */
export function bead<One>(all: readonly One[], rows = ROWS): readonly Laid<One>[] {
  return all.map((one, at) => ({ one, column: Math.floor(at / rows), row: at % rows }));
}

/**
 * Place streaks on the grid: each goes down a column of its own and turns right at the bottom or at another
 * streak (the dragon's tail).
 */
export function laid<One>(streaks: readonly (readonly One[])[], rows = ROWS): readonly Laid<One>[] {
  const taken = new Set<string>();
  const all: Laid<One>[] = [];
  let column = 0;
  for (const streak of streaks) {
    while (taken.has(`${column} 0`)) column++;
    for (const cell of path(streak.length, column, rows, taken)) {
      taken.add(`${cell.column} ${cell.row}`);
      all.push({ ...cell, one: streak[cell.at]! });
    }
  }
  return all;
}

function* path(length: number, from: number, rows: number, taken: ReadonlySet<string>) {
  let [column, row, turned] = [from, 0, false];
  for (let at = 0; at < length; at++) {
    yield { at, column, row };
    turned ||= row + 1 === rows || taken.has(`${column} ${row + 1}`);
    if (turned) column++;
    else row++;
  }
}

/** The last `columns` columns, the newest of them still free, counted from 0. */
export function lastColumns<Cell extends { readonly column: number }>(
  cells: readonly Cell[],
  columns: number,
): readonly Cell[] {
  const used = Math.max(0, ...cells.map(({ column }) => column + 1));
  const gone = Math.max(0, used + 1 - columns);
  return cells
    .filter(({ column }) => column >= gone)
    .map((cell) => ({ ...cell, column: cell.column - gone }));
}

/** The results of the shoe that is being dealt. */
export function thisShoe<One extends { readonly shoe: string }>(results: readonly One[]): readonly One[] {
  const shoe = results.at(-1)?.shoe;
  return results.slice(results.findLastIndex((one) => one.shoe !== shoe) + 1);
}
