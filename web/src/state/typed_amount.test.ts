import { beforeEach, describe, expect, it } from 'vitest';
import type { CurrencyView } from '../wire';
import { amountFormat } from './amount_format.svelte';
import { figures, money } from './money';
import { readTyped, typed } from './typed_amount';

const of = (decimals: number, symbol = ''): CurrencyView => ({
  code: `D${decimals}`,
  name: 'Dinar',
  decimals,
  symbol: symbol || `D${decimals}`,
  play_money: true,
});
const GC = { ...of(0, 'GC'), name: 'Gold Coins' };
const EUR = { ...of(2, '€'), name: 'Euro' };

beforeEach(() => {
  amountFormat.browser = 'en-GB';
  amountFormat.choice = 'auto';
});

describe('what is typed', () => {
  it.each([
    ['25', EUR, 2_500],
    ['0.05', EUR, 5],
    ['1,234.5', EUR, 123_450],
    ['1,234', EUR, 123_400],
    ['1 234 567.5', EUR, 123_456_750],
    ['12,345,678', GC, 12_345_678],
    ['2500', GC, 2_500],
    ['1.15', EUR, 115],
    [' €10.50 ', EUR, 1_050],
    ['1.234', of(3), 1_234],
  ])('%s is an amount', (text, currency, minor) => {
    expect(readTyped(text, currency)).toEqual({ minor });
  });

  it.each(['', '0', '0.00', '-5', 'ten', '1e3', '.5', '5.', '9999999999999999', '1,,234', ',50', '1,2345'])(
    '%s is no amount',
    (text) => {
      expect(readTyped(text, EUR)).toEqual({ wrong: 'Enter an amount in Euro, such as 1,234.50.' });
    },
  );

  it.each(['12,34,567', '1,234 567', '1234,567', '0,050', '1.234.567'])('%s is grouped wrong', (text) => {
    expect(typed(text, EUR)).toBeNull();
  });

  it('has no more decimals than its currency', () => {
    expect(readTyped('10.505', EUR)).toEqual({
      wrong: 'Amounts in Euro have at most 2 decimals. Enter one such as 1,234.50.',
    });
    expect(readTyped('10.5', GC)).toEqual({
      wrong: 'Amounts in Gold Coins have no decimals. Enter one such as 1,234.',
    });
  });
});

describe('an amount that means another elsewhere', () => {
  it.each([
    ['en-GB', '10,50', EUR, [1_050, 105_000]],
    ['en-GB', '10,5', EUR, [1_050, 10_500]],
    ['en-GB', '0,50', EUR, [50]],
    ['en-GB', '1.234,50', EUR, [123_450]],
    ['en-GB', '1,234', of(3), [1_234, 1_234_000]],
    ['de-DE', '10.50', EUR, [1_050, 105_000]],
    ['de-DE', '1.234', of(3), [1_234, 1_234_000]],
    ['de-DE', '1,234.50', EUR, [123_450]],
    ['fr-FR', '10.50', EUR, [1_050, 105_000]],
    ['de-CH', '10,50', EUR, [1_050, 105_000]],
    ['ar-EG', '10.50', EUR, [1_050, 105_000]],
    ['ar-EG', '1,234', of(3), [1_234, 1_234_000]],
    ['en-IN', '10,50', EUR, [1_050, 105_000]],
  ])('in %s, %s is asked about', (locale, text, currency, either) => {
    amountFormat.browser = locale;
    expect(readTyped(text, currency)).toEqual({ either });
  });

  it.each([
    ['de-DE', '1.234', 123_400],
    ['de-DE', '10,50', 1_050],
    ['de-CH', "1'234.50", 123_450],
    ['de-CH', '1’234.50', 123_450],
    ['fr-FR', '1 234,50', 123_450],
    ['fr-FR', '1\u202f234,50', 123_450],
    ['en-IN', '1,23,456.50', 12_345_650],
    ['ar-EG', '١٬٢٣٤٫٥', 123_450],
    ['ar-EG', '1234', 123_400],
    ['fa-IR', '۱۲٫۵۰', 1_250],
  ])('in %s, %s is clear', (locale, text, minor) => {
    amountFormat.browser = locale;
    expect(readTyped(text, EUR)).toEqual({ minor });
  });

  it.each([
    ['en-IN', '123,456'],
    ['de-DE', '1.2344'],
    ['fr-FR', '1.234'],
  ])('in %s, %s is refused rather than guessed', (locale, text) => {
    amountFormat.browser = locale;
    expect(readTyped(text, EUR)).toHaveProperty('wrong');
  });
});

const LOCALES =
  `ar-EG ar-MA bg-BG bn-BD cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-GB en-IN en-US en-ZA es-ES es-MX
  et-EE fa-IR fi-FI fr-CA fr-CH fr-FR he-IL hi-IN hi-IN-u-nu-deva hr-HR hu-HU id-ID it-CH it-IT ja-JP ko-KR lt-LT
  mr-IN my-MM nb-NO ne-NP nl-NL pl-PL ps-AF pt-BR pt-PT ro-RO ru-RU sk-SK sl-SI sv-SE th-TH-u-nu-thai tr-TR uk-UA
  ur-PK vi-VN zh-CN zh-CN-u-nu-hanidec`.split(/\s+/);

/** Amounts of every length, and the same ones at each run: a multiplicative generator. */
function* amounts(): Generator<number> {
  yield* [1, 9, 10, 99, 100, 999, 1_000, 1_234, 123_456, 1_000_000, Number.MAX_SAFE_INTEGER];
  let seed = 20_261_125;
  for (let n = 0; n < 40; n++) {
    seed = (seed * 48_271) % 2_147_483_647;
    yield 1 + (seed % 10 ** (1 + (n % 9)));
  }
}

describe.each(LOCALES)('in %s', (locale) => {
  it.each([0, 1, 2, 3, 4])('every amount at %i decimals is read as it is shown', (decimals) => {
    amountFormat.browser = locale;
    const currency = of(decimals);
    for (const minor of amounts()) {
      const shown = figures(minor, currency);
      // A code ends in a digit here, so that the euro's symbol stands for all.
      const marked = money(minor, { ...currency, symbol: '€' });
      expect([shown, readTyped(shown, currency)]).toEqual([shown, { minor }]);
      expect([marked, readTyped(marked, { ...currency, symbol: '€' })]).toEqual([marked, { minor }]);
    }
  });
});
