/** Amounts as they are shown, in the form of `amountFormat`. */
import type { CurrencyView } from '../wire';
import { amountFormat } from './amount_format.svelte';
import { latinDigits, written, type Notation } from './notation';

/** Whole smallest units; sums of the staff's reports may be above what a number holds exactly. */
type Minor = number | bigint;

/** `1234.5` for 123450 at two decimals; made by digits, so that no amount passes through a float. */
function digits(minor: Minor, decimals: number): string {
  const text = String(minor)
    .replace('-', '')
    .padStart(decimals + 1, '0');
  const cut = text.length - decimals;
  return decimals ? `${text.slice(0, cut)}.${text.slice(cut)}` : text;
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(decimals: number, whole: boolean): Intl.NumberFormat {
  const { locale } = amountFormat;
  const key = `${locale} ${decimals} ${whole}`;
  const least = whole ? 0 : decimals;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: decimals });
  formats.set(key, format);
  return format;
}

/** Grouped figures with every decimal: `1,234.50`. Amounts are whole smallest units. */
export function figures(minor: Minor, currency: CurrencyView): string {
  return grouped(minor, currency, false);
}

function grouped(minor: Minor, { decimals }: CurrencyView, short: boolean): string {
  const whole = short && Number(minor) % 10 ** decimals === 0;
  // A decimal string is formatted exactly; a number would be rounded to a float first.
  return formatOf(decimals, whole).format(digits(minor, decimals) as `${number}`);
}

/** A grouped number of anything, such as players: `1,234`. */
export const count = (number: number): string => formatOf(0, true).format(number);

function marked(minor: Minor, { symbol }: CurrencyView, text: string, plus: boolean): string {
  const { symbolLast, gap } = amountFormat.notation;
  const sign = minor < 0 ? '−' : plus && minor > 0 ? '+' : '';
  if (!symbol) return sign + text;
  if (symbolLast) return `${sign}${text}${gap}${symbol}`;
  return `${sign}${symbol}${/\p{L}$/u.test(symbol) ? '\u00a0' : gap}${text}`;
}

/** `€1,234.50`, `GC 1,000`, `−€38.50`; `1.234,50 €` where the symbol comes last. */
export function money(minor: Minor, currency: CurrencyView): string {
  return marked(minor, currency, figures(minor, currency), false);
}

/** As `money`, with `+` for a gain: for results. */
export function result(minor: number, currency: CurrencyView): string {
  return marked(minor, currency, figures(minor, currency), true);
}

/** As `money`, without zero decimals: `€500`, `€0.50`. For limits and chips. */
export function short(minor: number, currency: CurrencyView): string {
  return marked(minor, currency, grouped(minor, currency, true), false);
}

/** `€1–500`, `GC 1,000–100,000`. */
export function range(min: number, max: number, currency: CurrencyView): string {
  const [from, to] = [grouped(min, currency, true), grouped(max, currency, true)];
  // Between Arabic digits a dash would be displayed from right to left, which swaps the two.
  const dash = /[\u0660-\u0669]/.test(from) ? '\u200e–\u200e' : '–';
  return marked(min, currency, `${from}${dash}${to}`, false);
}

/** Amounts on the cloth omit a code such as GC: all are in the table's currency. */
export const bare = (currency: CurrencyView): CurrencyView =>
  currency.symbol === currency.code ? { ...currency, symbol: '' } : currency;

/** A label with figures, such as `2.5k`, in the form of amounts. */
export const label = (text: string): string => written(text, amountFormat.notation);

const numberIn = ({ decimal, group }: Notation) =>
  new RegExp(`\\d{1,3}(?:[${group}]\\d{2,3})+(?:[${decimal}]\\d+)?|\\d+[${decimal}]\\d+`, 'g');

/** Rewrite the amounts of a sentence as `1234.50`: a voice that speaks English reads no other form. */
export function inEnglish(sentence: string): string {
  const { notation } = amountFormat;
  const { decimal, group } = notation;
  return latinDigits(sentence, notation).replaceAll(numberIn(notation), (amount) =>
    amount.replaceAll(group, '').replace(decimal, '.'),
  );
}
