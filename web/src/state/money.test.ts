import { beforeEach, describe, expect, it } from 'vitest';
import type { CurrencyView } from '../wire';
import { amountFormat } from './amount_format.svelte';
import { bare, count, figures, inEnglish, label, money, range, result, short } from './money';

const GC: CurrencyView = { code: 'GC', name: 'Gold Coins', decimals: 0, symbol: 'GC', play_money: true };
const SC: CurrencyView = { code: 'SC', name: 'Sweeps Coins', decimals: 2, symbol: 'SC', play_money: true };
const EUR: CurrencyView = { code: 'EUR', name: 'Euro', decimals: 2, symbol: '€', play_money: true };

beforeEach(() => {
  amountFormat.browser = 'en-GB';
  amountFormat.choice = 'auto';
});

/** Browsers differ in the spaces and the apostrophe. */
const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll("'", '’');

describe('an amount', () => {
  it.each([
    [0, GC, 'GC 0'],
    [1_234_567, GC, 'GC 1,234,567'],
    [5, EUR, '€0.05'],
    [123_450, EUR, '€1,234.50'],
    [-3_850, EUR, '−€38.50'],
    [50, SC, 'SC 0.50'],
    [Number.MAX_SAFE_INTEGER, EUR, '€90,071,992,547,409.91'],
    [-(2n ** 64n), EUR, '−€184,467,440,737,095,516.16'],
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

describe('in other places', () => {
  it.each([
    ['de-DE', '1.234.567,50 €'],
    ['de-CH', '€ 1’234’567.50'],
    ['en-IN', '€12,34,567.50'],
    ['fr-FR', '1 234 567,50 €'],
    ['nl-NL', '€ 1.234.567,50'],
    ['es-ES', '1.234.567,50 €'],
    ['ar-EG', '١٬٢٣٤٬٥٦٧٫٥٠ €'],
    ['fa-IR', '€۱٬۲۳۴٬۵۶۷٫۵۰'],
    ['hi-IN-u-nu-deva', '€१२,३४,५६७.५०'],
  ])('%s writes %s', (locale, text) => {
    amountFormat.browser = locale;
    expect(spaced(money(123_456_750, EUR))).toBe(text);
  });

  it('puts one symbol on a range', () => {
    amountFormat.browser = 'de-DE';
    expect(spaced(range(100, 123_450, EUR))).toBe('1–1.234,50 €');
    expect(spaced(result(-100, EUR))).toBe('−1,00 €');
    amountFormat.browser = 'ar-EG';
    // The marks keep the smaller amount on the left.
    expect(spaced(range(100, 50_000, EUR))).toBe('١\u200e–\u200e٥٠٠ €');
  });

  it('follows the choice of the player before the browser', () => {
    amountFormat.browser = 'ar-EG';
    const written = (['point', 'comma', 'space'] as const).map((choice) => {
      amountFormat.choice = choice;
      return spaced(figures(123_450, EUR));
    });
    expect(written).toEqual(['1,234.50', '1.234,50', '1 234,50']);
  });

  it('writes the labels of chips and counts of players', () => {
    amountFormat.browser = 'de-DE';
    expect([label('2.5k'), label('.50'), count(1_234)]).toEqual(['2,5k', ',50', '1.234']);
  });

  it('leaves out a code on the cloth, but no symbol', () => {
    amountFormat.browser = 'fr-FR';
    expect([spaced(short(500, bare(GC))), spaced(short(500, bare(EUR)))]).toEqual(['500', '5 €']);
  });
});

describe('a voice that speaks English', () => {
  it.each(['en-GB', 'de-DE', 'de-CH', 'en-IN', 'fr-FR', 'ar-EG', 'fa-IR'])('is given %s', (locale) => {
    amountFormat.browser = locale;
    const sentence = `Box 1, hand 2: staked ${figures(1_234_550, EUR)}, returned ${figures(50, EUR)}.`;
    expect(inEnglish(sentence)).toBe('Box 1, hand 2: staked 12345.50, returned 0.50.');
  });
});
