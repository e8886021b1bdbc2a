import { UNKNOWN_BALANCE } from '../ui/because';
import { money, short } from '../state/money';
import type { BetLimits, CurrencyView, LobbyTable } from '../wire';
import type { Notice, Spot } from './betting';
import { netOf, type AnyView, type Played } from './rounds';

/** Names of a table's boxes, bets and outcomes. */
export interface Named {
  readonly boxes: number;
  /** Names of boxes, such as the seats at a live table; the player's only box is `You`. */
  readonly nameOf?: (box: number) => string;
  /** The table's own names of bets and outcomes. */
  readonly called?: LobbyTable['called'];
}

/** Whole sentences: for the screen reader, the dealer's voice and the table in words. */
export interface SpeechContext {
  readonly table: Named;
  readonly currency: CurrencyView;
  readonly bets: readonly BetLimits[];
}

export function boxName({ boxes, nameOf }: Named, box: number): string {
  return nameOf?.(box) ?? (boxes === 1 ? 'You' : `Box ${box + 1}`);
}

export const VOIDED = 'The round was cancelled. Your stakes were returned.';

/** `You win €15.00`, `You break even`, `You lose €10.00`. */
export function verdict(
  { view }: Pick<Played<AnyView>, 'view'>,
  { currency }: Pick<SpeechContext, 'currency'>,
): string {
  const net = netOf(view);
  if (net > 0) return `You win ${money(net, currency)}`;
  return net ? `You lose ${money(-net, currency)}` : 'You break even';
}

/** `Staked €10.00, returned €25.00.` */
export function accounted(
  { view }: Pick<Played<AnyView>, 'view'>,
  { currency }: Pick<SpeechContext, 'currency'>,
): string {
  const amount = (minor: number) => money(minor, currency);
  return `Staked ${amount(view.staked_minor)}, returned ${amount(view.returned_minor)}.`;
}

export function betTitle(bet: string, bets: readonly BetLimits[]): string {
  return bets.find((limits) => limits.bet === bet)?.title ?? bet.replaceAll('_', ' ');
}

function spotName(spot: Spot | null, { table, bets }: SpeechContext): string {
  if (!spot) return '';
  const title = betTitle(spot.bet, bets);
  const name = boxName(table, spot.box);
  return name === 'You' ? title : `${name}, ${title}`;
}

/** Why chips weren't placed or dealt. */
export function noticeSentence({ code, spot, minor }: Notice, speech: SpeechContext): string {
  const where = spotName(spot, speech);
  const amount = money(minor, speech.currency);
  switch (code) {
    case 'maximum_reached':
      return where ? `${where}: maximum of ${amount} reached.` : 'Every bet is at its maximum.';
    case 'table_maximum':
      return `All bets in one round may total ${amount} at most at this table.`;
    case 'not_covered':
      return `Your balance doesn’t cover ${amount}.`;
    case 'balance_unknown':
      return `${UNKNOWN_BALANCE}.`;
    case 'under_minimum':
      return `${where}: the minimum is ${amount}.`;
    case 'main_bet_first':
      return 'Place the main bet first.';
    case 'nothing_placed':
      return 'Place a bet first.';
    case 'nothing_to_repeat':
      return 'There is no earlier bet to repeat.';
    case 'no_such_bet':
      return `${where} can’t be played here.`;
  }
}

/** The same for the spot itself: two or three words. */
export function noticeBrief(notice: Notice, speech: SpeechContext): string {
  const amount = short(notice.minor, speech.currency);
  if (notice.code === 'maximum_reached') return `Maximum ${amount}`;
  if (notice.code === 'table_maximum') return `Table maximum ${amount}`;
  return notice.code === 'under_minimum' ? `Minimum ${amount}` : noticeSentence(notice, speech);
}
