import type { Settings } from '../wire';
import { notationOf, type Notation } from './notation';

type Choice = Settings['amounts'];

/** A locale that writes amounts in the chosen form. */
const LOCALES: Readonly<Record<Exclude<Choice, 'auto'>, string>> = { point: 'en', comma: 'de', space: 'fr' };

/** A browser's locale may be one that its own number formats refuse, such as `C`. */
function usable(locale: string): string {
  try {
    return new Intl.NumberFormat(locale).resolvedOptions().locale && locale;
  } catch {
    return 'en';
  }
}

/** The form of amounts in this window: the player's choice, or else that of the browser. */
class AmountFormat {
  browser = $state.raw(usable(globalThis.navigator?.language ?? 'en'));
  choice = $state.raw<Choice>('auto');

  get locale(): string {
    return this.choice === 'auto' ? this.browser : LOCALES[this.choice];
  }

  get notation(): Notation {
    return notationOf(this.locale);
  }
}

export const amountFormat = new AmountFormat();
