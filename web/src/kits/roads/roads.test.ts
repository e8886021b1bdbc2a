import { describe, expect, test } from 'vitest';
import {
  BACK,
  predicted,
  bead,
  bigRoad,
  derivedRoad,
  laid,
  lastColumns,
  lengths,
  runs,
  thisShoe,
  type Colour,
  type Laid,
  type Winner,
} from './roads';

const SIDES: Readonly<Record<string, Winner>> = { P: 'first', B: 'second', T: 'tie' };
/** `PPB T` as who won. */
const coups = (text: string): Winner[] => [...text.replaceAll(' ', '')].map((letter) => SIDES[letter]!);
const letter = (won: Winner | null) => Object.keys(SIDES).find((key) => SIDES[key] === won) ?? '-';

/** A sheet as it lies on the table, a row a line; `.` is an empty cell. */
function sheet<One>(cells: readonly Laid<One>[], write: (one: One) => string): string[] {
  const columns = Math.max(0, ...cells.map(({ column }) => column + 1));
  const rows = Math.max(0, ...cells.map(({ row }) => row + 1));
  const at = new Map(cells.map(({ one, column, row }) => [`${column} ${row}`, write(one)]));
  expect(at.size, 'no cell is written twice').toBe(cells.length);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => at.get(`${column} ${row}`) ?? '.').join(''),
  );
}
const big = (text: string) =>
  sheet(laid(bigRoad(coups(text))), ({ side, ties }) => (ties ? String(ties) : letter(side)));
const letters = (colours: readonly Colour[]) =>
  colours.map((colour) => (colour === 'red' ? 'R' : 'b')).join('');
const roads = (text: string) => {
  const streaks = lengths(bigRoad(coups(text)));
  return Object.values(BACK).map((back) => letters(derivedRoad(streaks, back)));
};

/** Every shoe of so many coups, as P and B. */
const everyShoe = (length: number) =>
  Array.from({ length: 2 ** length }, (_, bits) =>
    bits.toString(2).padStart(length, '0').replaceAll('0', 'P').replaceAll('1', 'B'),
  );

describe('the bead plate', () => {
  test('goes down each column, ties and all', () =>
    expect(sheet(bead(coups('PPBTBB PT')), letter)).toEqual(['PP', 'PT', 'B.', 'T.', 'B.', 'B.']));
  test('of nothing is empty', () => expect(bead([])).toEqual([]));
});

describe('the big road', () => {
  test('turns to a new column when the other side wins', () =>
    expect(big('BB P BBB PP')).toEqual(['BPBP', 'B.BP', '..B.']));
  test('marks ties on the winner before them', () => {
    expect(bigRoad(coups('P T T B T'))).toEqual([
      [{ side: 'first', ties: 2 }],
      [{ side: 'second', ties: 1 }],
    ]);
  });
  test('a tie breaks no streak', () => expect(bigRoad(coups('B T B'))).toHaveLength(1));
  test('ties before the first winner wait in its place', () => {
    expect(bigRoad(coups('T T'))).toEqual([[{ side: null, ties: 2 }]]);
    expect(bigRoad(coups('T T P P'))).toEqual([
      [
        { side: 'first', ties: 2 },
        { side: 'first', ties: 0 },
      ],
    ]);
  });
  test('a full column has a dragon’s tail', () =>
    expect(big('BBBBBBBBB')).toEqual(['B...', 'B...', 'B...', 'B...', 'B...', 'BBBB']));
  test('the streak after a dragon turns above its tail', () =>
    expect(big('BBBBBBBBB PPPPPPP BBBBBB')).toEqual(['BPB..', 'BPB..', 'BPB..', 'BPBBB', 'BPPP.', 'BBBB.']));
  test('past the tail a column is as deep as ever', () =>
    expect(big('BBBBBBB P BBBBBB')).toEqual(['BPB', 'B.B', 'B.B', 'B.B', 'B.B', 'BBB']));
  test('a tail in the first row moves the next streak on', () =>
    expect(big('PPPPPPPP BBBBBBBB PPPPPPPP BBBBBBBB PPPPPPPP BBBBBBBB P')[0]).toBe('PBPBPBBBBBBBBP'));
  test('is written once and in order, each streak from the top', () => {
    for (const shoe of everyShoe(12)) {
      const cells = laid(bigRoad(coups(shoe)), 3);
      expect(new Set(cells.map(({ column, row }) => `${column} ${row}`)).size, shoe).toBe(12);
      expect(cells.map(({ one }) => letter(one.side)).join('')).toBe(shoe);
      const starts = cells.filter((_, at) => shoe[at] !== shoe[at - 1]);
      expect(new Set(starts.map(({ row }) => row)), shoe).toEqual(new Set([0]));
    }
  });
});

describe('the derived roads', () => {
  test('begin with the second winner of the next streak, or the first of the one after', () => {
    expect(roads('B P')).toEqual(['', '', '']);
    expect(roads('B PP')).toEqual(['b', '', '']);
    expect(roads('B P B')).toEqual(['R', '', '']);
    expect(roads('B P BB')).toEqual(['Rb', 'b', '']);
    expect(roads('B P B P')).toEqual(['RR', 'R', '']);
    expect(roads('B P B PP')).toEqual(['RRb', 'Rb', 'b']);
    expect(roads('B P B P B')).toEqual(['RRR', 'RR', 'R']);
  });
  test('side after side is red all along', () =>
    expect(roads('BPBPBPBPB').map((road) => new Set(road))).toEqual([
      new Set('R'),
      new Set('R'),
      new Set('R'),
    ]));
  test('a streak longer than the one before is blue once and then red', () =>
    expect(roads('BB PPPPP')[0]).toBe('RbRR'));
  // Worked on paper; streaks of 4 1 2 3 1 1 2.
  // Big eye boy: 4≠1 b, row 2 past the 1 b; 1≠2 b, row 2 beside the 2 R, row 3 past it b; 2≠3 b; 3≠1 b; 1=1 R, row 2 b.
  // Small road: row 2 beside the 4 R; 2≠4 b, row 2 past the 1 b, row 3 R; 3≠1 b; 1≠2 b; 1≠3 b, row 2 past the 1 b.
  // Cockroach pig: rows 2 and 3 beside the 4 R R; 3≠4 b; 1=1 R; 1≠2 b, row 2 beside the 3 R.
  test('of a shoe worked on paper', () =>
    expect(roads('BBBB P BB PPP B P BB')).toEqual(['bbbRbbbRb', 'RbbRbbbb', 'RRbRbR']));
  test('a dragon’s tail counts as one streak', () => {
    expect(roads('BBBBBBBB PPPPPPPP')[0]).toBe('RRRRRRR');
    expect(roads('BBBBBBBB PPPPPPPPP')[0]).toBe('RRRRRRRb');
  });
  test('know nothing of ties', () => expect(roads('T BTBT PTTP BT')).toEqual(roads('BB PP B')));

  /** The rule as players know it, on the grid without tails: go left, look up. */
  function slowTwin(shoe: string, back: number): string {
    const streaks = runs([...shoe]);
    const filled = (column: number, row: number) => row < (streaks[column]?.length ?? 0);
    const depth = (column: number) => streaks[column]!.length;
    let road = '';
    streaks.forEach((streak, column) =>
      streak.forEach((_, row) => {
        const begun = column > back || (column === back && row > 0);
        if (!begun) return;
        if (row === 0) road += depth(column - 1) === depth(column - 1 - back) ? 'R' : 'b';
        else road += filled(column - back, row) === filled(column - back, row - 1) ? 'R' : 'b';
      }),
    );
    return road;
  }
  test('agree with the slow twin on every shoe of eleven coups', () => {
    for (const shoe of everyShoe(11))
      expect(roads(shoe), shoe).toEqual(Object.values(BACK).map((back) => slowTwin(shoe, back)));
  });
});

describe('asking', () => {
  test('tells what would be written next', () =>
    expect(predicted(coups('B P B'), 'second')).toEqual({ bigEye: 'blue', small: 'blue', cockroach: null }));
  test('nothing before there is something to compare with', () =>
    expect(predicted([], 'first')).toEqual({ bigEye: null, small: null, cockroach: null }));
  test('the answer comes true, and the other side’s is the other colour', () => {
    for (const shoe of everyShoe(9)) {
      const before = coups(shoe);
      const [first, second] = [predicted(before, 'first'), predicted(before, 'second')];
      for (const [name, back] of Object.entries(BACK) as [keyof typeof BACK, number][]) {
        const road = (text: string) => derivedRoad(lengths(bigRoad(coups(text))), back);
        const now = road(shoe + 'P');
        expect(first[name], shoe).toBe(now.length > road(shoe).length ? now.at(-1) : null);
        if (first[name] && second[name]) expect(first[name], shoe).not.toBe(second[name]);
      }
    }
  });
});

describe('the sheet', () => {
  const cells = laid(bigRoad(coups('PBPBPB')));
  test('shows the last columns and keeps one free', () =>
    expect(sheet(lastColumns(cells, 4), ({ side }) => letter(side))).toEqual(['BPB']));
  test('moves nothing while there is room', () => expect(lastColumns(cells, 7)).toEqual(cells));
});

test('a road restarts with the shoe', () => {
  const results = ['a', 'a', 'b', 'a', 'a'].map((shoe, at) => ({ shoe, at }));
  expect(thisShoe(results).map(({ at }) => at)).toEqual([3, 4]);
  expect(thisShoe([])).toEqual([]);
});
