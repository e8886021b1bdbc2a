/** The sentences for what happens at a table. The server sends codes, never prose. */
import type { LobbyTable, RoundEvent } from '../wire';

const RANKS: Readonly<Record<string, string>> = {
  A: 'ace',
  '2': 'two',
  '3': 'three',
  '4': 'four',
  '5': 'five',
  '6': 'six',
  '7': 'seven',
  '8': 'eight',
  '9': 'nine',
  T: 'ten',
  J: 'jack',
  Q: 'queen',
  K: 'king',
};
const SUITS: Readonly<Record<string, string>> = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };

/** `T` is a ten. */
export const rankName = (rank: string): string => RANKS[rank] ?? rank;

/** `TD` is the ten of diamonds. */
export function cardName(card: string): string {
  return `${rankName(card[0]!)} of ${SUITS[card[1]!]}`;
}

const ACTIONS: Readonly<Record<string, string>> = {
  hit: 'hits',
  stand: 'stands',
  double: 'doubles',
  split: 'splits',
  insure: 'takes insurance',
  decline_insurance: 'declines insurance',
  take_even_money: 'takes even money',
  decline_even_money: 'declines even money',
};

type LiveOnly =
  | 'opened'
  | 'last_seconds'
  | 'no_more_bets'
  | 'shuffling'
  | 'closed'
  | 'resumed'
  | 'corrected'
  | 'restarted'
  | 'limits'
  | 'no_spin';

const who = ({ box, hand, name }: RoundEvent) =>
  name ? name : box < 0 ? 'Dealer' : hand ? `Box ${box + 1}, hand ${hand + 1}` : `Box ${box + 1}`;

/** Events of a live table caused by the clock or by the staff. */
const LIVE_EVENTS: Readonly<Record<LiveOnly, string>> = {
  opened: 'Place your bets.',
  last_seconds: 'Last seconds to bet.',
  no_more_bets: 'No more bets.',
  shuffling: 'The shoe is being shuffled.',
  closed: 'The table is closed.',
  resumed: 'The table continues.',
  corrected: 'A manager corrected a card.',
  restarted: 'The server restarted.',
  limits: 'The table has new limits.',
  no_spin: 'No valid result. The dealer tries again.',
};

/** Why a decision was made in the player's place or out of turn. */
const BY: Readonly<Record<string, string>> = {
  ahead: ' (decided in advance)',
  time_out: ' (time ran out)',
  low_balance: ' (the balance didn’t cover more)',
};

const actionWords = (action: string, called: LobbyTable['called']) =>
  (ACTIONS[action] ?? action).replace('even money', called['even_money'] ?? 'even money');

/** One thing that happened, as a sentence: for the spoken log and the steps of a replay; `called` at its table. */
export function happened(did: RoundEvent, called: LobbyTable['called'] = {}): string {
  switch (did.what) {
    case 'card':
      return `${who(did)}: ${cardName(did.card)}.`;
    case 'face_down':
      return `${who(did)}: a card face down.`;
    case 'spun':
      return `The ball falls in ${did.came}.`;
    case 'rolled':
      return `The dice show ${did.came.replaceAll('-', ', ')}.`;
    case 'burned':
      return `The first card of the shoe is the ${cardName(did.card)}; that many cards are burned.`;
    case 'peeked':
      return 'Dealer checks the hole card.';
    case 'turned':
      return `${who(did)} turns the ${cardName(did.card)}.`;
    case 'decided':
      return `${who(did)} ${actionWords(did.action, called)}${BY[did.by] ?? ''}.`;
    case 'ended':
      return 'The round has ended.';
    case 'voided':
      return 'The round was cancelled and the stakes returned.';
    case 'seat_taken':
      return `${did.name} sits at seat ${did.box + 1}.`;
    case 'seat_left':
      return `Seat ${did.box + 1} is free.`;
    case 'paused':
      return `The table is paused. ${did.reason}`.trim();
    default:
      return LIVE_EVENTS[did.what];
  }
}

const REASONS: Readonly<Record<string, string>> = {
  house_closes: 'the server is shutting down',
  house_restarted: 'the server restarted',
  malfunction: 'a fault on the server',
};

/** Why a round was stopped: a server code, or the manager's own words. */
export const reasonWords = (reason: string) => REASONS[reason] ?? reason;
