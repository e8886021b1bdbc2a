import { describe, expect, test } from 'vitest';
import type { PlayedRound } from '../wire';
import { chipLabel, dearestCovered, stackOf, toneOf } from './denominations';
import { phaseOf } from './phases';
import { amountTag, stakeTag } from './tags';

const CHIPS = [100, 500, 2500, 10_000];

describe('chips', () => {
  test('a stack has real denominations, largest first', () => {
    expect(stackOf(5600, CHIPS)).toEqual([2500, 2500, 500, 100]);
  });
  test.each([0, 1, 99, 100, 12_345, 999_999])(
    'a stack of %i is worth as much as chips can represent',
    (minor) => {
      const worth = stackOf(minor, CHIPS).reduce((sum, chip) => sum + chip, 0);
      expect(minor - worth).toBe(minor % 100);
    },
  );
  test.each([
    [50, 2, '.50'],
    [100, 2, '1'],
    [250_000, 2, '2.5k'],
    [1000, 0, '1k'],
    [25_000, 0, '25k'],
    [1_000_000, 0, '1M'],
    [2500, 0, '2.5k'],
  ])('%i at %i decimals says %s', (minor, decimals, label) => expect(chipLabel(minor, decimals)).toBe(label));
  test('the colour is the place in the row', () => expect(toneOf(2500, CHIPS)).toBe(2));
  test('a chip the balance covers is chosen', () => {
    expect(dearestCovered(500, CHIPS, 100_000)).toBe(500);
    expect(dearestCovered(2500, CHIPS, 600)).toBe(500);
    expect(dearestCovered(500, CHIPS, 0)).toBe(100);
  });
});

describe('figures on the cloth', () => {
  const GC = { code: 'GC', name: 'Gold Coins', decimals: 0, symbol: 'GC', play_money: true };
  test('leave the code out', () => expect(amountTag(25_000, GC)).toBe('25,000'));
  test('show the result of a stake', () => {
    expect(stakeTag(1000, null, GC).text).toBe('1,000');
    expect(stakeTag(1000, 2500, GC).text).toBe('+1,500');
    expect(stakeTag(1000, 0, GC).text).toBe('−1,000');
    expect(stakeTag(1000, 1000, GC).text).toBe('±0');
  });
});

test('a round stays in view until it is cleared', () => {
  const round = (ended: boolean) => ({ id: 'a', view: { ended } }) as PlayedRound;
  expect(phaseOf(null, '')).toBe('betting');
  expect(phaseOf(round(false), 'a')).toBe('playing');
  expect(phaseOf(round(true), '')).toBe('ended');
  expect(phaseOf(round(true), 'a')).toBe('betting');
});
