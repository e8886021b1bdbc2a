/** The staff's sentences: what was refused, what phases and actions are called. */
import type { Phase } from '../wire';
import { Refusal, type Args } from '../state/refusal';
import { cardName, refusalWords } from '../state/words';

export const PHASES: Readonly<Record<Phase, string>> = {
  closed: 'Closed',
  shuffling: 'Waiting for the shoe',
  opening: 'Opening',
  betting: 'Bets are open',
  warning: 'Last bets',
  no_more_bets: 'No more bets',
  dealing: 'Dealing',
  offer: 'Offer open',
  decisions: 'Players decide',
  dealer: 'Dealer plays',
  settlement: 'Checking the last card',
  pause: 'Between rounds',
};

export const ACTIONS: Readonly<Record<string, string>> = {
  sign_in: 'signed in',
  sign_in_refused: 'failed to sign in',
  deal_card: 'dealt',
  no_spin: 'called no spin',
  cut_card_out: 'reported the cut card',
  shoe_shuffled: 'shuffled a shoe',
  say_as_dealer: 'said',
  pause_table: 'paused',
  resume_table: 'resumed',
  open_table: 'opened',
  close_table: 'closed',
  void_round: 'voided the round',
  correct_card: 'corrected a result',
  set_limits: 'set limits',
  set_dealer: 'set who deals',
  mute_player: 'muted a player',
  take_line_away: 'removed a message',
  leave_line: 'dismissed a report',
  add_staff: 'added staff',
  remove_staff: 'removed staff',
};

type Sentence = string | ((args: Args) => string);

const card = (text: string | number | undefined) => {
  const name = String(text ?? '');
  return /^[A2-9TJQK][SHDC]$/.test(name) ? cardName(name) : name;
};

const REFUSALS: Readonly<Record<string, Sentence>> = {
  cut_off: 'The connection was lost before the server answered. Check the table before you try again.',
  stranger: 'Your session has ended. Sign in again.',
  wrong_sign_in: 'Wrong name or code.',
  too_many_tries: ({ seconds }) => `Too many failed attempts. Try again in ${seconds} seconds.`,
  not_allowed: ({ rule }) => `Only a ${rule} may do that.`,
  impossible_card: (args) =>
    `All ${args['decks']} of the ${card(args['card'])} have been dealt from this shoe. It can’t be another.`,
  automatic_dealer: 'The automatic dealer deals here.',
  no_card_wanted: 'No card is expected now.',
  no_spin_wanted: 'No spin or roll is expected now.',
  not_wanted: ({ what }) => `“${what}” isn’t expected now.`,
  paused: 'The table is paused.',
  not_paused: 'The table isn’t paused.',
  decided_since: 'Players have decided on that card since. The round can only be voided.',
  no_round: 'No round is under way.',
  no_round_opens: 'No round opens at this table now.',
  peeked_otherwise: ({ card: text }) =>
    `The ${card(text)} contradicts what was entered when the dealer looked. Check the card.`,
  wrong_answer: 'Another kind of answer is expected now.',
  wrong_limits: 'Each minimum must be 1 or more and not above its maximum.',
  table_closed: 'The table is closed already.',
  house_closed: 'The server is shutting down.',
  no_such_line: 'That message no longer exists.',
};

/** The sentence for a failed action. */
export function why(error: unknown): string {
  if (!(error instanceof Refusal)) return `Something went wrong (${error}).`;
  const sentence = REFUSALS[error.code];
  if (typeof sentence === 'function') return sentence(error.args);
  return sentence ?? refusalWords(error.code, error.args);
}
