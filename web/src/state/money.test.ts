import { describe, expect, it } from 'vitest';
import type { CurrencyView } from '../wire';
import { askedAmount, figures, money, range, result, short, typed } from './money';

const GC: CurrencyView = { code: 'GC', name: 'Gold Coins', decimals: 0, play_money: true };
const SC: CurrencyView = { code: 'SC', name: 'Sweeps Coins', decimals: 2, play_money: true };
const EUR: CurrencyView = { code: 'EUR', name: 'Euro', decimals: 2, play_money: true };

describe('an amount', () => {
  it.each([
    [0, GC, 'GC 0'],
    [1_234_567, GC, 'GC 1,234,567'],
    [5, EUR, '€0.05'],
    [123_450, EUR, '€1,234.50'],
    [-3_850, EUR, '−€38.50'],
    [50, SC, 'SC 0.50'],
    [Number.MAX_SAFE_INTEGER, EUR, '€90,071,992,547,409.91'],
  ])('%d reads %s', (minor, currency, text) => {
    expect(money(minor, currency).replaceAll('\u00a0', ' ')).toBe(text);
  });

  it('shows the sign of a result, and none of nothing', () => {
    expect([1, 0, -1].map((minor) => result(minor, EUR))).toEqual(['+€0.01', '€0.00', '−€0.01']);
  });

  it('leaves out decimals that say nothing only where it is short', () => {
    expect([figures(50_000, EUR), short(50_000, EUR), short(50, EUR)]).toEqual(['500.00', '€500', '€0.50']);
    expect(range(100, 50_000, EUR)).toBe('€1–500');
  });
});

describe('what is typed', () => {
  it.each([
    ['25', EUR, 2_500],
    ['0.05', EUR, 5],
    ['1,234.5', EUR, 123_450],
    ['2500', GC, 2_500],
    ['0.07', SC, 7],
    ['1.15', EUR, 115],
  ])('%s is %s smallest units', (text, currency, minor) => {
    expect(typed(text, currency)).toBe(minor);
  });

  it.each(['', '0', '-5', '1.005', 'ten', '1e3', '.5', '9999999999999'])('%s is no amount', (text) => {
    expect(typed(text, EUR)).toBeNull();
  });

  it.each(['10,50', '1,50', '1,2345', '12,34,567', '1,234 567', '1234,567', '10,5', ',50', '1,', '1,,234'])(
    '%s is never guessed',
    (text) => {
      expect(typed(text, EUR)).toBeNull();
    },
  );

  it.each([
    ['1,234', EUR, 123_400],
    ['1 234 567.5', EUR, 123_456_750],
    ['12,345,678', GC, 12_345_678],
  ])('%s is grouped as amounts are shown', (text, currency, minor) => {
    expect(typed(text, currency)).toBe(minor);
  });

  it('asks about a decimal comma', () => {
    expect(askedAmount('10,5', EUR)).toBe('Use a point before the decimals: 10.50.');
    expect(askedAmount('ten', EUR)).toBe('Enter an amount in Euro, such as 25.00.');
    expect(askedAmount('10,50', GC)).toBe('Enter an amount in Gold Coins, such as 2500.');
  });

  it('takes no decimals where the currency has none', () => {
    expect(typed('10.5', GC)).toBeNull();
  });

  it('reads back what it writes', () => {
    for (let minor = 1; minor < 200_000; minor += 777) expect(typed(figures(minor, EUR), EUR)).toBe(minor);
  });
});
