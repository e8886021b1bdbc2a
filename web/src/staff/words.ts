/** The staff's sentences: what was refused, what phases and actions are called. */
import type { Phase } from '../wire';
import { Refusal, type Args } from '../state/refusal';
import { money } from '../state/money';
import { server } from '../state/server.svelte';
import { cardName } from '../state/event_words';
import { refusalWords } from '../state/refusal_words';

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
  player_sign_in_refused: 'failed to sign in as a player',
  player_password_change: 'changed their password as a player',
  player_password_reset: 'set a new password as a player, through a link',
  player_passkey_added: 'added a passkey as a player',
  player_passkey_removed: 'removed a passkey as a player',
  player_recovery_request: 'asked, as a player, for a link to set a new password',
  player_mail_address: 'asked to verify an e-mail address as a player',
  player_mail_address_removed: 'removed their e-mail address as a player',
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
  enrol: 'set up their sign-in',
  add_staff: 'added staff',
  reset_staff: 'made a new code for staff',
  remove_staff: 'removed staff',
  grant_bonus: 'granted a bonus',
  cancel_bonus: 'cancelled a bonus',
  ask_payment: 'asked about a payment',
  outside_silent: 'noticed that another system doesn’t answer',
  outside_answers: 'noticed that another system answers again',
  ask_wallet: 'asked the operator’s wallet again',
  decide_payment: 'decided about a held deposit',
  payment_event: 'changed a payment',
  payment_contradicted: 'contradicted a payment',
  return_out_of_band: 'found a table’s return outside the expected range',
  search: 'searched',
  view_player: 'looked at a player',
  view_recording: 'watched a recording',
  view_approvals: 'looked at the approvals',
  end_player_sessions: 'signed out a player',
  close_account: 'closed an account',
  ask_adjustment: 'asked to adjust a balance',
  ask_reopening: 'asked to reopen an account',
  decide_approval: 'decided on a change',
  camera_on: 'switched their camera on',
  camera_off: 'switched a camera off',
};

type Sentence = string | ((args: Args) => string);

const card = (text: string | number | undefined) => {
  const name = String(text ?? '');
  return /^[A2-9TJQK][SHDC]$/.test(name) ? cardName(name) : name;
};

const REFUSALS: Readonly<Record<string, Sentence>> = {
  cut_off: 'The connection was lost before the server answered. Check the table before you try again.',
  not_signed_in: 'Your session has ended. Sign in again.',
  wrong_sign_in: 'Wrong name or code, or the passkey isn’t a staff member’s.',
  wrong_code:
    'That isn’t the app’s current code. Check your device’s clock, and enter the code that the app shows now.',
  enrolment_expired: 'This code is too old. Ask the operator for a new one.',
  too_many_tries: ({ seconds }) => `Too many failed attempts. Try again in ${seconds} seconds.`,
  not_allowed: ({ rule }) => `Only a ${rule} may do that.`,
  impossible_card: (args) =>
    `All ${args['decks']} of the ${card(args['card'])} have been dealt from this shoe. It can’t be one more.`,
  automatic_dealer: 'The automatic dealer deals here.',
  no_card_wanted: 'No card is expected now.',
  no_spin_wanted: 'No spin or roll is expected now.',
  not_wanted: ({ what }) => `“${what}” isn’t expected now.`,
  paused: 'The table is paused.',
  not_paused: 'The table isn’t paused.',
  decided_since: 'Players have made decisions since that card. The round can only be voided.',
  no_round: 'No round is under way.',
  no_round_opens: 'No round opens at this table now.',
  peeked_otherwise: ({ card: text }) =>
    `The ${card(text)} contradicts what was entered when the dealer looked. Check the card.`,
  wrong_answer: 'A different kind of answer is expected now.',
  amount_unclear: 'An amount is unclear; see the note beside it. Nothing was changed.',
  wrong_limits: 'Each minimum must be 1 or more and not above its maximum.',
  return_too_large: ({ currency, returned_minor, max_minor }) => {
    const known = server.currencyOf(String(currency));
    return `A round could pay ${money(Number(returned_minor), known)}, and at most ${money(Number(max_minor), known)} can be settled. Lower the maximum bets.`;
  },
  table_closed: 'The table is closed already.',
  server_unavailable: 'The server is shutting down.',
  bonus_active: 'The player already has a bonus in this currency.',
  no_such_bonus: 'That bonus isn’t active, or the server doesn’t offer it.',
  no_such_player: 'There is no player with this id.',
  barred: 'The player is taking a break or is excluded.',
  not_in_suspense: 'The deposit is no longer held. Refresh the list.',
  no_such_wallet_call: 'The wallet has acknowledged that call meanwhile.',
  no_such_payment: 'There is no payment with this id.',
  not_held: 'This withdrawal is no longer held.',
  account_closed: 'The account is closed.',
  account_open: 'The account isn’t closed.',
  deposit_open: () => 'A deposit hasn’t ended yet. Wait until it has, or ask the payment provider.',
  balance_left: ({ currency, balance_minor }) =>
    `The account still holds ${money(Number(balance_minor), server.currencyOf(String(currency)))}. Let the player withdraw it first, or cancel the bonus.`,
  own_approval: 'You asked for this yourself. Another manager has to decide.',
  approval_decided: ({ state, by }) => `${by} has ${state} this already.`,
  approval_expired: 'Nobody decided within 24 hours. Ask for it again.',
  no_such_approval: 'That change no longer exists.',
  wallet_cashier: ({ currency }) =>
    `Money in ${currency} is in the operator’s own wallet and can’t be adjusted here.`,
  not_covered: 'The balance is lower than the amount to take.',
  over_maximum: 'The balance would be too high.',
  no_such_recording: 'This round isn’t recorded, or its recording has been deleted.',
  recording_unavailable: 'The recording can’t be shown now. The server’s log says why.',
  not_on_duty: 'Open this table’s page first.',
  no_such_line: 'That message no longer exists.',
};

/** The sentence for a failed action. */
export function why(error: unknown): string {
  if (!(error instanceof Refusal)) return `Something went wrong (${error}).`;
  const sentence = REFUSALS[error.code];
  if (typeof sentence === 'function') return sentence(error.args);
  return sentence ?? refusalWords(error.code, error.args);
}
