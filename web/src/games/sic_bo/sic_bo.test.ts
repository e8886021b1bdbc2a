import { describe, expect, it } from 'vitest';
import { facesOf, pips, spoken, sumOf } from './dice';
import { marks } from './mark';
import { ROLL_MS, tumble } from './roll';
import { diceOf, oddsOf, printed, sectionsOf } from './sections';

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const FACES = upTo(6);
const NAMES = [
  ...['small', 'big', 'odd', 'even', 'any_triple'],
  ...FACES.flatMap((face) => [`double_${face}`, `triple_${face}`, `single_${face}`]),
  ...upTo(14).map((n) => `total_${n + 3}`),
  ...FACES.flatMap((one) => FACES.filter((other) => other > one).map((other) => `pair_${one}_${other}`)),
];
const KINDS: Readonly<Record<string, string>> = { pair: 'combination', any: 'any_triple' };
const kindOf = (name: string) => {
  const [first = ''] = name.split('_');
  return name === first ? 'even_chance' : (KINDS[first] ?? first);
};
const bet = (name: string, pays: string[] = ['Win 1:1']) => ({
  bet: name,
  kind: kindOf(name),
  title: name,
  main: true,
  min_minor: 1,
  max_minor: 10,
  pays,
});

describe('the layout', () => {
  const sections = sectionsOf(NAMES.map((name) => bet(name)));
  it('has every bet once', () => {
    const laid = sections.flatMap(({ bets }) => bets.map((one) => one.bet));
    expect(laid).toHaveLength(52);
    expect(new Set(laid)).toEqual(new Set(NAMES));
  });
  it.each([
    ['even_chance', 4],
    ['double', 6],
    ['triple', 6],
    ['any_triple', 1],
    ['total', 14],
    ['combination', 15],
    ['single', 6],
  ])('%s: %d spots', (name, count) => {
    expect(sections.find((section) => section.kind === name)?.bets).toHaveLength(count);
  });
  it('every spot says what it is about, in dice or in words', () => {
    expect(NAMES.filter((name) => !diceOf(name).length && !printed(bet(name)))).toEqual([]);
  });
  it.each([
    ['double_4', [4, 4]],
    ['triple_6', [6, 6, 6]],
    ['pair_2_5', [2, 5]],
    ['single_1', [1]],
    ['total_9', []],
  ])('%s shows %j', (name, dice) => expect(diceOf(name)).toEqual(dice));
  it('odds are printed as a range where there are several', () => {
    expect(oddsOf(bet('single_1', ['One die 1:1', 'Two dice 2:1', 'All three dice 3:1']))).toBe('1:1–3:1');
    expect(oddsOf(bet('total_4', ['Win 60:1']))).toBe('60:1');
  });
});

describe('a roll', () => {
  it.each([
    ['1-3-6', 'small', 'even', '1, 3 and 6, total 10, small, even'],
    ['1-4-6', 'big', 'odd', '1, 4 and 6, total 11, big, odd'],
    ['1-1-2', 'small', 'even', '1, 1 and 2, total 4, small, even'],
    ['2-2-2', 'triple', 'triple', 'triple 2, total 6'],
  ])('%s is %s and %s', (result, size, parity, words) => {
    expect(sumOf(facesOf(result))).toMatchObject({ size, parity });
    expect(spoken(facesOf(result))).toBe(words);
    expect(marks.mark(result).spoken).toBe(words);
  });
  it.each(FACES)('a face of %d has as many pips', (face) => {
    expect(pips(face).match(/M/g)).toHaveLength(face);
  });
  it.each([0, 1, 2])('die %d comes to rest where it is drawn, within the time', (place) => {
    const { duration, frames } = tumble(place);
    expect(duration).toBeLessThanOrEqual(ROLL_MS);
    expect(
      frames
        .at(-1)
        ?.transform.match(/-?[\d.]+/g)
        ?.map(Number),
    ).toEqual([0, 0, 0, 0].map((n) => n + 0));
  });
});
