/** Amounts as they are typed: read in the form in which they are shown, and never guessed. */
import type { CurrencyView } from '../wire';
import { amountFormat } from './amount_format.svelte';
import { figures } from './money';
import { latinDigits, type Notation } from './notation';

/** An amount in smallest units; the amounts that may be meant, to ask about; or what is wrong. */
export type TypedAmount =
  { readonly minor: number } | { readonly either: readonly number[] } | { readonly wrong: string };

/** Separators in a form, with spaces and apostrophes in one spelling each. */
interface Form {
  readonly decimal: string;
  readonly groups: readonly string[];
  readonly last: number;
  readonly others: number;
}

const TOO_FINE = 'too fine';
type Reading = number | typeof TOO_FINE | null;

/** Direction marks are copied along with amounts. */
const MARKS = /[\u200e\u200f\u061c]/g;
/** Separators that are decimal in some places and group digits in others. */
const DOUBTFUL = [',', '.'];
/** Separators that are decimal nowhere. */
const GROUPS = [' ', "'", '٬'];

const spelled = (text: string) => text.replaceAll(/\s/g, ' ').replaceAll(/[’ʼ]/g, "'");

const ownForm = ({ decimal, group, last, others }: Notation): Form => ({
  decimal: spelled(decimal),
  groups: [...new Set([spelled(group), ...GROUPS])].filter(Boolean),
  last,
  others,
});

/** The form of another place, where this separator is decimal. */
const otherForm = (decimal: string): Form => ({
  decimal,
  groups: [...DOUBTFUL.filter((sign) => sign !== decimal), ...GROUPS],
  last: 3,
  others: 3,
});

function pattern(group: string, { decimal, last, others }: Form): RegExp {
  const grouped = `[1-9]\\d{0,${others - 1}}(?:[${group}]\\d{${others}})*[${group}]\\d{${last}}`;
  return new RegExp(`^(\\d+|${grouped})(?:[${decimal}](\\d+))?$`);
}

/** Read an amount in one form. */
function reading(text: string, form: Form, decimals: number): Reading {
  for (const group of form.groups) {
    const [match, whole = '', part = ''] = pattern(group, form).exec(text) ?? [];
    if (match !== undefined) return part.length > decimals ? TOO_FINE : minorOf(whole, part, decimals);
  }
  return null;
}

function minorOf(whole: string, part: string, decimals: number): number | null {
  const minor = Number(whole.replaceAll(/\D/g, '') + part.padEnd(decimals, '0'));
  return Number.isSafeInteger(minor) && minor > 0 ? minor : null;
}

/** Read `10,50` as 1050: its separator groups digits, in a wrong place. */
function ungrouped(text: string, decimals: number): number | null {
  return /^[1-9]\d*(?:,\d+|\.\d+)$/.test(text) ? minorOf(text, '', decimals) : null;
}

/** Read an amount in the forms of other places. */
function otherwise(text: string, own: Form, decimals: number): number[] {
  const forms = DOUBTFUL.filter((sign) => sign !== own.decimal).map(otherForm);
  return forms.map((form) => reading(text, form, decimals)).filter((minor) => typeof minor === 'number');
}

/** Ask about `1,234` at three decimals: a separator that groups digits here is decimal elsewhere. */
function readOrAsk(minor: number, text: string, own: Form, decimals: number): TypedAmount {
  const clear = text.includes(own.decimal);
  const others = clear ? [] : otherwise(text, own, decimals).filter((other) => other !== minor);
  return others.length ? { either: [...others, minor] } : { minor };
}

function asked(text: string, own: Form, decimals: number): readonly number[] {
  const others = otherwise(text, own, decimals);
  const meant = others.length ? [...others, ungrouped(text, decimals)] : [];
  return [...new Set(meant.filter((minor) => minor !== null))];
}

/** The text without the currency's symbol and with the usual digits. */
function plain(text: string, { symbol }: CurrencyView, notation: Notation): string {
  const bare = text.replaceAll(MARKS, '').trim();
  const before = symbol && bare.startsWith(symbol) ? bare.slice(symbol.length) : bare;
  const both = symbol && before.endsWith(symbol) ? before.slice(0, -symbol.length) : before;
  return spelled(latinDigits(both, notation).trim());
}

/** Read a typed amount. An amount that has another meaning elsewhere is asked about. */
export function readTyped(text: string, currency: CurrencyView): TypedAmount {
  const { notation } = amountFormat;
  const { decimals } = currency;
  const own = ownForm(notation);
  const bare = plain(text, currency, notation);
  const minor = reading(bare, own, decimals);
  if (typeof minor === 'number') return readOrAsk(minor, bare, own, decimals);
  const either = minor === TOO_FINE ? [] : asked(bare, own, decimals);
  if (either.length) return { either };
  return { wrong: (minor === TOO_FINE ? tooFine : noAmount)(currency) };
}

/** Read a typed amount; null if it isn't clear. */
export function typed(text: string, currency: CurrencyView): number | null {
  const read = readTyped(text, currency);
  return 'minor' in read ? read.minor : null;
}

/** An amount that shows how amounts are written: `1,234.50`. */
const example = (currency: CurrencyView) =>
  figures(Math.floor(12_345 * 10 ** (currency.decimals - 1)), currency);

const noAmount = (currency: CurrencyView) =>
  `Enter an amount in ${currency.name}, such as ${example(currency)}.`;

function tooFine(currency: CurrencyView): string {
  const { name, decimals } = currency;
  const most = decimals ? `at most ${decimals} decimal${decimals === 1 ? '' : 's'}` : 'no decimals';
  return `Amounts in ${name} have ${most}. Enter one such as ${example(currency)}.`;
}
