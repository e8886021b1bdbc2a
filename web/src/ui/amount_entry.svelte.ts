import { figures, money } from '../state/money';
import { readTyped } from '../state/typed_amount';
import type { CurrencyView } from '../wire';

interface Question {
  readonly currency: CurrencyView;
  readonly either: readonly number[];
}

/** A field in which an amount is typed: its text, what is wrong with it, and what is asked about it. */
export class AmountEntry {
  text = $state('');
  #wrong = $state('');
  #question = $state.raw<Question | null>(null);

  constructor(text = '') {
    this.text = text;
  }

  /** The amount; null if it isn't clear, which is shown then. */
  read(currency: CurrencyView): number | null {
    const typed = readTyped(this.text, currency);
    this.#wrong = 'wrong' in typed ? typed.wrong : '';
    this.#question = 'either' in typed ? { currency, either: typed.either } : null;
    return 'minor' in typed ? typed.minor : null;
  }

  /** Show why the server refused the amount; empty: it didn't. */
  refused(sentence: string): void {
    [this.#wrong, this.#question] = [sentence, null];
  }

  /** Another text is typed, so that the question is about nothing. */
  retyped = (): void => {
    this.#question = null;
  };

  answer(minor: number, { currency }: Question): void {
    this.text = figures(minor, currency);
    this.refused('');
  }

  get question(): Question | null {
    return this.#question;
  }

  get trouble(): string {
    if (!this.#question) return this.#wrong;
    const { either, currency } = this.#question;
    return `Did you mean ${either.map((minor) => money(minor, currency)).join(' or ')}?`;
  }
}
