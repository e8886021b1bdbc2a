/** Parse a dealer's entry by scanner, keyboard or click: a card, figures or a word. */
import type { AnswerForm, DealerTableState } from './wire';

export const RANKS = [...'A23456789TJQK'];
export const SUITS = [...'SHDC'];

export type Word = 'down' | 'yes' | 'no' | 'cut' | 'shuffled' | 'floor' | 'no_spin';
export type Scan =
  | { readonly kind: 'card'; readonly card: string }
  /** The pocket of a wheel, or the faces of dice. */
  | { readonly kind: 'figures'; readonly figures: string }
  | { readonly kind: 'word'; readonly word: Word };

/** The expected answer and its options. */
export type ExpectedAnswer = Pick<DealerTableState, 'form' | 'pockets' | 'dice'>;

const WORDS: Readonly<Record<string, Word>> = {
  DOWN: 'down',
  YES: 'yes',
  Y: 'yes',
  NO: 'no',
  N: 'no',
  CUT: 'cut',
  SHUFFLED: 'shuffled',
  FLOOR: 'floor',
  NOSPIN: 'no_spin',
};
const SIGNS: Readonly<Record<string, string>> = { '♠': 'S', '♥': 'H', '♦': 'D', '♣': 'C' };

/** `KS`, `ks`, `10s`, `♠K`, `17`, `1-3-6` and the words; null for anything else. */
export function read(text: string): Scan | null {
  const signs = [...text.toUpperCase()].map((sign) => SIGNS[sign] ?? sign);
  const typed = signs.join('').replace(/[\s\-_.]/g, '');
  const word = WORDS[typed];
  if (word) return { kind: 'word', word };
  if (/^\d+$/.test(typed)) return { kind: 'figures', figures: typed };
  const [first = '', second = '', ...more] = typed.replace('10', 'T');
  if (more.length) return null;
  if (RANKS.includes(first) && SUITS.includes(second)) return { kind: 'card', card: first + second };
  if (SUITS.includes(first) && RANKS.includes(second)) return { kind: 'card', card: second + first };
  return null;
}

/** The answer to send for an entry; null if it doesn't fit what is expected. */
export function answerTo({ form, pockets, dice }: ExpectedAnswer, scan: Scan): string | null {
  if (scan.kind === 'card') return form === 'card' ? scan.card : null;
  if (scan.kind === 'figures') return figured(scan.figures, form, pockets, dice);
  if (scan.word === 'down') return form === 'down' ? 'down' : null;
  if (scan.word === 'yes' || scan.word === 'no') return form === 'look' ? scan.word : null;
  return null;
}

function figured(figures: string, form: AnswerForm, pockets: readonly string[], dice: number): string | null {
  if (form === 'pocket') return pockets.includes(figures) ? figures : null;
  const faces = [...figures];
  const thrown = faces.length === dice && faces.every((face) => face >= '1' && face <= '6');
  return form === 'dice' && thrown ? faces.join('-') : null;
}

/** The kind of question that an entered answer belongs to. */
export function formOf(what: string, pockets: readonly string[]): AnswerForm {
  if (what === 'yes' || what === 'no') return 'look';
  if (pockets.includes(what)) return 'pocket';
  return what.includes('-') ? 'dice' : 'card';
}

/** A wedge pauses for no longer than this within a card; what is older was never finished. */
const STALE_MS = 4_000;

/** Gathers keys until Enter: a scanner is a keyboard that types fast. */
export class Wedge {
  #typed = '';
  #lastMs = 0;

  get typed(): string {
    return this.#typed;
  }

  clear(): void {
    this.#typed = '';
  }

  /** The text that Enter has ended; null for any other key. */
  key(key: string, nowMs: number): string | null {
    if (nowMs - this.#lastMs > STALE_MS) this.clear();
    this.#lastMs = nowMs;
    if (key === 'Enter') {
      const text = this.#typed;
      this.clear();
      return text || null;
    }
    if (key === 'Escape') this.clear();
    else if (key === 'Backspace') this.#typed = this.#typed.slice(0, -1);
    else if ([...key].length === 1 && key !== ' ' && this.#typed.length < 16) this.#typed += key;
    return null;
  }
}
