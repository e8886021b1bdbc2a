import { describe, expect, it } from 'vitest';
import { colourOf, covered, straight, traits, wheelOf } from './bets';
import { callsOf, chipsOf, coveredBy, neighbourBets, neighbours } from './calls';
import { areaOf, cells, EXTENT, layer, placed, upright } from './cells';
import { pocketPart, pointAt, runs, sectionPart, sizeOf } from './track';

const list = (text: string) => text.split(' ');
const SINGLE = list(
  '0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26',
);
const DOUBLE = list(
  '0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2',
);
const OUTSIDE = list('column_1 column_2 column_3 dozen_1 dozen_2 dozen_3 red black odd even low high');
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const named = (kind: string, pockets: readonly (number | string)[]) => `${kind}_${pockets.join('_')}`;

/** The layout by enumeration: every inside bet of the numbers, without the zeros. */
const INSIDE = [
  ...upTo(36).map((n) => named('straight', [n + 1])),
  ...upTo(33).map((n) => named('split', [n + 1, n + 4])),
  ...upTo(36).flatMap((n) => (n % 3 < 2 ? [named('split', [n + 1, n + 2])] : [])),
  ...upTo(12).map((n) => named('street', [3 * n + 1, 3 * n + 2, 3 * n + 3])),
  ...upTo(33).flatMap((n) => (n % 3 < 2 ? [named('corner', [n + 1, n + 2, n + 4, n + 5])] : [])),
  ...upTo(11).map((n) =>
    named(
      'six_line',
      upTo(6).map((k) => 3 * n + 1 + k),
    ),
  ),
];
const SINGLE_BETS = [
  ...INSIDE,
  ...list('straight_0 split_0_1 split_0_2 split_0_3 street_0_1_2 street_0_2_3 corner_0_1_2_3'),
  ...OUTSIDE,
];
const DOUBLE_BETS = [
  ...INSIDE,
  ...list('straight_0 straight_00 split_0_00 split_0_1 split_0_2 split_00_2 split_00_3'),
  ...list('street_0_1_2 street_0_00_2 street_00_2_3 five_number_0_00_1_2_3'),
  ...OUTSIDE,
];
const middle = (bet: string, wheel: readonly string[]) => {
  const area = areaOf(bet, cells(wheel))!;
  return { x: (area.x.from + area.x.to) / 2, y: (area.y.from + area.y.to) / 2 };
};
const offer = (bets: readonly string[]) => bets.map((bet) => ({ bet }));

describe('what a bet covers', () => {
  it('is written in the name of an inside bet', () => {
    expect(covered('six_line_1_2_3_4_5_6', SINGLE)).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(covered('five_number_0_00_1_2_3', DOUBLE)).toEqual(['0', '00', '1', '2', '3']);
  });
  it.each(OUTSIDE)('%s covers 12 or 18 pockets, and no zero', (bet) => {
    const pockets = covered(bet, DOUBLE);
    expect(pockets).toHaveLength(/_/.test(bet) ? 12 : 18);
    expect(pockets).not.toContain('0');
    expect(pockets).not.toContain('00');
  });
  it.each([
    ['column_1', '1 4 7'],
    ['column_3', '3 6 9'],
    ['dozen_2', '13 14 15'],
    ['dozen_3', '25 26 27'],
    ['high', '19 20 21'],
    ['red', '1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36'],
  ])('%s begins with %s', (bet, first) => {
    const inOrder = [...covered(bet, SINGLE)].sort((a, b) => Number(a) - Number(b));
    expect(inOrder.slice(0, list(first).length)).toEqual(list(first));
  });
  it('red and black take turns on the single-zero wheel', () => {
    const colours = SINGLE.slice(1).map(colourOf);
    expect(colours.every((colour, at) => colour === (at % 2 ? 'black' : 'red'))).toBe(true);
  });
  it('a number has three traits and a zero none', () => {
    expect(traits('17')).toEqual(['black', 'odd', 'low']);
    expect(traits('00')).toEqual([]);
  });
  it('the wheel is read off the straight bets, in their order', () => {
    expect(wheelOf(offer([...SINGLE.map(straight), ...OUTSIDE]))).toEqual(SINGLE);
  });
});

describe('where a bet lies', () => {
  it.each([
    ['single zero', SINGLE, SINGLE_BETS, 157],
    ['double zero', DOUBLE, DOUBLE_BETS, 161],
  ])('%s: every bet has a place of its own', (_, wheel, bets, count) => {
    expect(new Set(bets).size).toBe(count);
    const at = cells(wheel);
    const places = bets.map((bet) => placed(areaOf(bet, at)!, EXTENT));
    expect(new Set(places).size).toBe(count);
    const turned = bets.map((bet) => placed(upright(areaOf(bet, at)!), upright(EXTENT)));
    expect(new Set(turned).size).toBe(count);
  });
  it.each([SINGLE, DOUBLE])('cells tile the numbers and the zeros', (...wheel) => {
    const areas = [...cells(wheel).values()];
    const size = ({ x, y }: (typeof areas)[number]) => (x.to - x.from) * (y.to - y.from);
    expect(areas.reduce((sum, area) => sum + size(area), 0)).toBe(39);
  });
  it.each([
    ['straight_3', 0.5, 0.5],
    ['straight_34', 11.5, 2.5],
    ['split_17_20', 6, 1.5],
    ['split_17_18', 5.5, 1],
    ['street_13_14_15', 4.5, 3],
    ['corner_1_2_4_5', 1, 2],
    ['six_line_1_2_3_4_5_6', 1, 3],
    ['split_0_2', 0, 1.5],
    ['street_0_1_2', 0, 2],
    ['street_0_2_3', 0, 1],
    ['corner_0_1_2_3', 0, 3],
    ['column_1', 12.5, 2.5],
    ['dozen_3', 10, 3.4],
    ['low', 1, 4.2],
  ])('%s at %d, %d', (bet, x, y) => {
    const at = middle(bet, SINGLE);
    expect(at.x).toBeCloseTo(x);
    expect(at.y).toBeCloseTo(y);
  });
  it.each([
    ['split_0_00', -0.5, 1.5],
    ['split_0_2', 0, 1.75],
    ['split_00_2', 0, 1.25],
    ['street_0_00_2', 0, 1.5],
    ['street_00_2_3', 0, 1],
    ['five_number_0_00_1_2_3', 0, 3],
  ])('with two zeros %s at %d, %d', (bet, x, y) => expect(middle(bet, DOUBLE)).toEqual({ x, y }));
  it('corners are touched before edges, edges before cells', () => {
    const layers = [
      'straight_17',
      'split_17_20',
      'corner_17_18_20_21',
      'street_1_2_3',
      'six_line_1_2_3_4_5_6',
    ];
    expect(layers.map((bet) => layer(areaOf(bet, cells(SINGLE))!))).toEqual([1, 2, 3, 2, 3]);
  });
  it('a name of another layout has no place', () => {
    expect(areaOf('straight_00', cells(SINGLE))).toBeNull();
    expect(areaOf('big', cells(SINGLE))).toBeNull();
  });
});

describe('call bets', () => {
  const calls = callsOf(offer(SINGLE_BETS));
  const call = (name: string) => calls.find((one) => one.name === name)!;
  it.each([
    ['voisins', 9, 17],
    ['tiers', 6, 12],
    ['orphelins', 5, 8],
    ['zero', 4, 7],
  ])('%s take %d chips and cover %d pockets', (name, chips, pockets) => {
    expect(chipsOf(call(name))).toBe(chips);
    expect(coveredBy(call(name), SINGLE).size).toBe(pockets);
  });
  it('voisins: two chips on the trio and on the corner, one on each split', () => {
    const twice = call('voisins').bets.filter(({ chips }) => chips === 2);
    expect(twice.map(({ bet }) => bet)).toEqual(['street_0_2_3', 'corner_25_26_28_29']);
  });
  it('voisins, orphelins and tiers share out the wheel', () => {
    const all = ['voisins', 'orphelins', 'tiers'].flatMap((name) => [...coveredBy(call(name), SINGLE)]);
    expect([...all].sort()).toEqual([...SINGLE].sort());
  });
  it.each([
    ['voisins', '22', '25'],
    ['tiers', '27', '33'],
    ['zero', '12', '15'],
  ])('%s is one part of the wheel, from %s to %s', (name, from, to) => {
    const within = coveredBy(call(name), SINGLE);
    const [only, ...more] = runs(SINGLE.map((pocket) => within.has(pocket)));
    expect(more).toEqual([]);
    expect(only!.map((place) => SINGLE[place % SINGLE.length])).toEqual([from, to]);
  });
  it('a double-zero table has none', () => expect(callsOf(offer(DOUBLE_BETS))).toEqual([]));
  it('neighbours go through the zero', () => {
    expect(neighbours('0', 2, SINGLE)).toEqual(['3', '26', '0', '32', '15']);
    expect(neighbours('2', 1, DOUBLE)).toEqual(['14', '2', '0']);
  });
  it('nine neighbours on each side are nineteen chips straight up', () => {
    const bets = neighbourBets('17', 9, SINGLE);
    expect(chipsOf({ bets })).toBe(19);
    expect(new Set(bets.map(({ bet }) => bet)).size).toBe(19);
  });
});

describe('the racetrack', () => {
  const shape = { width: 90, height: 20, ring: 4, upright: false };
  it('begins at the right end and goes round clockwise', () => {
    expect(pointAt(shape, 0, 0)).toEqual({ x: 90, y: 10 });
    expect(pointAt(shape, 0.25, 0).y).toBeCloseTo(20);
    expect(pointAt(shape, 0.5, 0).x).toBeCloseTo(0);
    expect(pointAt(shape, 0.75, 4).y).toBeCloseTo(4);
    expect(pointAt(shape, 1, 0).x).toBeCloseTo(90);
  });
  it('every pocket has a part of its own', () => {
    const boxes = SINGLE.map((_, place) => pocketPart(shape, place, SINGLE.length).box);
    expect(new Set(boxes).size).toBe(37);
  });
  it('upright its first pocket is on top', () => {
    const { box } = pocketPart({ ...shape, upright: true }, 0, SINGLE.length);
    expect(box).toContain('top:0%');
    expect(sizeOf({ ...shape, upright: true })).toEqual({ width: 20, height: 90 });
  });
  it('a name stands inside its part', () => {
    const { middle: at } = pocketPart(shape, 9, 37);
    expect(at.x).toBeGreaterThan(20);
    expect(at.x).toBeLessThan(80);
  });
  it('a section lies inside the ring', () => {
    const { middle: at } = sectionPart(
      shape,
      SINGLE.map((_, place) => place > 10 && place < 20),
    );
    expect(at.x).toBeLessThan(80);
  });
  it('a run may go through the beginning', () => {
    expect(runs([true, false, true, true])).toEqual([[2, 4]]);
    expect(runs([false, true, false, true])).toEqual([
      [1, 1],
      [3, 3],
    ]);
  });
});
