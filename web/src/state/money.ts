import type { CurrencyView } from '../wire';

/** `1234.5` for 123450 at two decimals; made by digits, so that no amount passes through a float. */
function digits(minor: number, decimals: number): string {
  const text = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const cut = text.length - decimals;
  return decimals ? `${text.slice(0, cut)}.${text.slice(cut)}` : text;
}

const plain = (decimals: number, whole: boolean) =>
  new Intl.NumberFormat('en-GB', {
    minimumFractionDigits: whole ? 0 : decimals,
    maximumFractionDigits: decimals,
  });

const SYMBOLS: Readonly<Record<string, string>> = { EUR: '€', USD: '$', GBP: '£' };

/** Grouped figures with every decimal: `1,234.50`. Amounts are whole smallest units. */
export function figures(minor: number, currency: CurrencyView): string {
  return grouped(minor, currency, false);
}

function grouped(minor: number, { decimals }: CurrencyView, short: boolean): string {
  const factor = 10 ** decimals;
  const whole = short && minor % factor === 0;
  // A decimal string is formatted exactly; a number would be rounded to a float first.
  const text = digits(minor, decimals) as `${number}`;
  return plain(decimals, whole).format(text);
}

function marked(minor: number, currency: CurrencyView, text: string, plus: boolean): string {
  const sign = minor < 0 ? '−' : plus && minor > 0 ? '+' : '';
  const symbol = SYMBOLS[currency.code];
  return symbol ? `${sign}${symbol}${text}` : `${sign}${currency.code} ${text}`;
}

/** `€1,234.50`, `GC 1,000`, `−€38.50`. */
export function money(minor: number, currency: CurrencyView): string {
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
  return `${short(min, currency)}–${grouped(max, currency, true)}`;
}

const AMOUNT = /^(\d{1,12}|\d{1,3}(?:([,\s])\d{3})(?:\2\d{3})*)(?:\.(\d+))?$/;

/**
 * Read a typed amount as smallest units, in the form that `figures` writes: `1,234.50`. Null where it isn't a
 * positive whole number of them, or where a comma may be meant for the decimals: `10,50` isn't guessed.
 */
export function typed(text: string, { decimals }: CurrencyView): number | null {
  const match = AMOUNT.exec(text.trim());
  const [, whole = '', , part = ''] = match ?? [];
  if (!match || part.length > decimals) return null;
  const minor = Number(whole.replaceAll(/[,\s]/g, '') + part.padEnd(decimals, '0'));
  return Number.isSafeInteger(minor) && minor > 0 ? minor : null;
}

/** Say how to write an amount that `typed` doesn't take. */
export function askedAmount(text: string, { name, decimals }: CurrencyView): string {
  const comma = /^\s*(\d{1,9}),(\d{1,2})\s*$/.exec(text);
  if (comma && decimals)
    return `Use a point before the decimals: ${comma[1]}.${comma[2]!.padEnd(decimals, '0')}.`;
  return `Enter an amount in ${name}, such as ${decimals ? '25.00' : '2500'}.`;
}
