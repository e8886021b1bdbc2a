/** The forms in which numbers are written, by locale. */
export interface Notation {
  /** The digits from 0 to 9. */
  readonly digits: readonly string[];
  readonly decimal: string;
  readonly group: string;
  /** Digits of the last group before the decimals: `345` in `12,345`. */
  readonly last: number;
  /** Digits of the other groups: 2 in India, `12,34,567`. */
  readonly others: number;
  /** The currency's symbol follows the figures, at this distance. */
  readonly symbolLast: boolean;
  readonly gap: string;
}

const SAMPLE = 1_234_567_890.5;
const GAP = '\u00a0';

function made(locale: string): Notation {
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, useGrouping: true }).formatToParts(
    SAMPLE,
  );
  const signOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const sizes = parts.filter(({ type }) => type === 'integer').map(({ value }) => [...value].length);
  const digit = new Intl.NumberFormat(locale);
  return {
    digits: Array.from({ length: 10 }, (_, n) => digit.format(n)),
    decimal: signOf('decimal'),
    group: signOf('group'),
    last: sizes.at(-1)!,
    others: sizes.at(-2) ?? sizes.at(-1)!,
    ...symbolPlace(locale),
  };
}

/** Currencies of a server have codes that no browser knows, so the euro shows where a symbol stands. */
function symbolPlace(locale: string): Pick<Notation, 'symbolLast' | 'gap'> {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).formatToParts(1);
  const place = (type: Intl.NumberFormatPartTypes) => parts.findIndex((part) => part.type === type);
  const apart = parts.some(({ type, value }) => type === 'literal' && /\s/.test(value));
  return { symbolLast: place('currency') > place('integer'), gap: apart ? GAP : '' };
}

const known = new Map<string, Notation>();

export function notationOf(locale: string): Notation {
  const notation = known.get(locale) ?? made(locale);
  known.set(locale, notation);
  return notation;
}

/** Replace a locale's digits by those from 0 to 9. */
export const latinDigits = (text: string, { digits }: Notation): string =>
  [...text].map((sign) => (digits.includes(sign) ? String(digits.indexOf(sign)) : sign)).join('');

/** Write a number such as `2.5`, or a label such as `2.5k`, with a locale's digits and decimal separator. */
export const written = (text: string, { digits, decimal }: Notation): string =>
  text.replaceAll(/[\d.]/g, (sign) => (sign === '.' ? decimal : digits[Number(sign)]!));
