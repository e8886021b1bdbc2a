/** Events missed at live tables while the connection was lost. Own tables wait. */
import type { CurrencyView, PlayerResult } from '../wire';
import { money } from './money';
import type { LiveSlot, ServerData } from './reduce';
import { reasonWords } from './event_words';

type Titles = (table: string) => string;
type Currencies = (code: string) => CurrencyView;

export function missedEvents(
  before: ServerData,
  after: ServerData,
  titleOf: Titles,
  currencyOf: Currencies,
): string[] {
  return Object.entries(before.live).flatMap(([table, slot]) => {
    const now = after.live[table];
    const data = now && at(slot, now, currencyOf(now.mine.currency));
    return data ? [`${titleOf(table)}: ${data}`] : [];
  });
}

function at(before: LiveSlot, { mine, state }: LiveSlot, currency: CurrencyView): string {
  const { result } = mine;
  if (result && result.round !== before.mine.result?.round) return ended(result, currency);
  const gone = before.mine.stakes.length > 0 && mine.stakes.length === 0;
  if (gone) return 'your bets weren’t closed yet and were returned.';
  if (mine.made.length > before.mine.made.length) return 'a decision was made for you by the table’s rules.';
  return state.clock.paused && !before.state.clock.paused ? 'the table is paused.' : '';
}

function ended(
  { number, staked_minor, returned_minor, void: cancelled, reason }: PlayerResult,
  currency: CurrencyView,
) {
  if (cancelled)
    return `round ${number} was cancelled${reason && `: ${reasonWords(reason)}`}. Every stake was returned.`;
  const amount = (minor: number) => money(minor, currency);
  return `round ${number} ended. Staked ${amount(staked_minor)}, returned ${amount(returned_minor)}.`;
}
