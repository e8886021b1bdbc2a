import { describe, expect, test } from 'vitest';
import { layout, risen, type Cloth } from './layout';
import { across, handWidth, rowsOf } from '../../table/card_sizes';

const cloth = (width: number, height: number, ...hands: number[][]): Cloth => ({
  width,
  height,
  boxes: Math.max(1, hands.length),
  hands,
  dealerCards: 2,
  lines: 0,
  bets: 1,
  figures: 6,
  status: 200,
});
const SIZES: readonly (readonly [number, number])[] = [
  [1440, 700],
  [1280, 600],
  [700, 260],
  [844, 220],
  [390, 560],
  [320, 380],
];
const HANDS: Readonly<Record<string, number[][]>> = {
  'one hand': [[2]],
  'a long hand': [[9]],
  'a split': [[3, 4]],
  'three boxes': [[2], [3], [2]],
  'three splits': [
    [2, 3],
    [4, 2],
    [3, 3],
  ],
  'five boxes': [[2], [2], [3], [2], [4]],
  'five splits': [
    [3, 2],
    [3, 2],
    [3, 2],
    [3, 2],
    [3, 2],
  ],
};
const cases = SIZES.flatMap(([width, height]) =>
  Object.keys(HANDS).map((name) => [name, width, height] as const),
);

describe.each(cases)('%s on %i x %i', (name, width, height) => {
  const hands = HANDS[name]!;
  const placement = layout(cloth(width, height, ...hands));

  test('no row of hands is wider than the cloth', () => {
    const room = width * (placement.beside ? 0.7 : 1);
    for (const row of rowsOf(hands, (box) => box.length, placement.columns)) {
      const wide = row
        .flat()
        .reduce((sum, cards) => sum + handWidth(cards, placement.card, placement.across), 0);
      expect(wide).toBeLessThanOrEqual(room);
    }
  });
  test('cards are large enough to read', () => expect(placement.card).toBeGreaterThanOrEqual(36));
  test('a box keeps its hands together', () =>
    expect(placement.columns).toBeGreaterThanOrEqual(Math.max(...hands.map((box) => box.length))));
});

test.each(SIZES)('one, two and three hands have cards of 56 pixels on %i x %i', (width, height) => {
  for (const hands of [[[2]], [[2, 2]], [[2], [2], [2]]])
    expect(layout(cloth(width, height, ...hands)).card).toBeGreaterThanOrEqual(56);
});
test('a large table keeps the places of empty boxes', () => {
  expect(layout({ ...cloth(1440, 700, [2]), boxes: 3 }).empties).toBe(true);
  expect(layout({ ...cloth(390, 560, [2]), boxes: 5 }).empties).toBe(false);
});
test('a status line that would lie over the dealer has a row of its own', () => {
  expect(layout(cloth(768, 800, [2])).statusRow).toBe(false);
  expect(layout({ ...cloth(768, 800, [2]), status: 320 }).statusRow).toBe(true);
});
test('before the deal every spot can be hit', () => {
  for (const [width, height] of SIZES)
    expect(layout({ ...cloth(width, height), boxes: 5 }).spot).toBeGreaterThanOrEqual(46);
});
test('a total and its stake stand side by side or one below the other, never in the next hand', () => {
  const five = [[2], [2, 2], [3], [2], [2]];
  for (const figures of [4, 6, 9]) {
    const placement = layout({ ...cloth(844, 240, ...five), figures });
    expect(placement.flat).toBe(true);
    expect(placement.stacked).toBe(placement.cell < 62 + figures * 8);
    expect(placement.cell).toBeGreaterThanOrEqual(figures * 8);
  }
});
test('boxes with side bets start a second row where one would be too narrow', () => {
  const open = { ...cloth(320, 380), boxes: 2, bets: 3 };
  expect(layout(open)).toMatchObject({ places: false, spot: expect.closeTo(56, -1) });
  expect(layout({ ...open, width: 390, height: 590 }).spot).toBeGreaterThan(56);
  expect(layout({ ...open, width: 1440, height: 700 }).places).toBe(true);
});
test.each([500, 600, 700, 760])('at 1440 x %i no three cards are folded, whatever is split', (height) => {
  for (const splits of [0, 1, 2, 3, 4, 5]) {
    const hands = Array.from({ length: 5 }, (_, box) => (box < splits ? [3, 3] : [3]));
    expect(layout(cloth(1440, height, ...hands)).across).toBeGreaterThanOrEqual(3);
  }
});
test('more cards than fit side by side start another row', () => {
  expect(across(112, 56)).toBe(3);
  expect(across(111, 56)).toBe(2);
  expect(handWidth(9, 56, 3)).toBe(112);
});

describe('seven seats', () => {
  const seats = Array.from({ length: 7 }, (_, seat) => [seat === 3 ? 3 : 2]);
  test('stand on an arc at a desk, its ends beside the print', () => {
    const placement = layout(cloth(1280, 600, ...seats));
    expect(placement.lift).toBeGreaterThan(120);
    const fifth = (2 * 1240) / 7 - handWidth(2, placement.card, placement.across) / 2;
    expect(placement.print / 2).toBeLessThan(fifth);
  });
  test('leave the print its width where there is no room beside it', () => {
    const { print, lift } = layout(cloth(560, 600, ...seats));
    expect([print, lift < 45]).toEqual([560, true]);
  });
  test('rise to both ends alike', () =>
    expect([0, 1, 2, 3, 4, 5, 6].map((seat) => risen(seat, 7))).toEqual([
      1,
      4 / 9,
      1 / 9,
      0,
      1 / 9,
      4 / 9,
      1,
    ]));
});
