/** The sentences for refused requests. The server sends codes, never prose. */
import type { BreakReason, CurrencyView, LimitKind, Period } from '../wire';
import { barredUntil, barredWords, limitOf } from './limit_words';
import { short } from './money';
import { Refusal, type Args } from './refusal';
import { clockTime, waitWords } from './time_words';

type Sentence = string | ((args: Args, amount: (minor: string | number | undefined) => string) => string);

const SIGNED_OUT: Readonly<Record<string, string>> = {
  signed_out: 'You signed out.',
  signed_in: 'You signed in with another account in this browser.',
  ended: 'This device was signed out of your account.',
  password: 'The password of your account was changed.',
  idle: 'You were inactive for a while.',
};

/** Why a device was signed out. */
export const signedOutWords = (why: string): string => SIGNED_OUT[why] ?? 'You were signed out.';

const REFUSALS: Readonly<Record<string, Sentence>> = {
  offline: 'Can’t reach the server. Nothing was lost; try again in a moment.',
  not_signed_in: 'Your session has ended. Reload the page.',
  session_ended: ({ minutes }) =>
    Number(minutes)
      ? `Your session ended after ${minutes} minutes without activity. Reload the page to continue.`
      : 'You ended your session. Reload the page to start a new one.',
  sign_in_again: 'Sign in again to continue.',
  signed_out: ({ why }) => signedOutWords(String(why)),
  account_needed: 'Create an account first, under Settings. Nothing was paid.',
  account_closed: 'This account is closed. Contact the operator if you have a question about it.',
  account_exists: 'You already have an account.',
  login_name: ({ least, most }) =>
    `Use an e-mail address, or a name of ${least} to ${most} characters without spaces or @.`,
  name_taken: 'That name is taken. Sign in instead, or choose another.',
  weak_password: ({ least, most }) =>
    `Use a password of ${least} to ${most} characters that isn’t your name.`,
  no_account: 'You play as a guest. Create an account first.',
  launch_used: 'This link has already been used.',
  wrong_launch: 'This link has expired or is incomplete.',
  no_operator: 'This site doesn’t accept players from other sites.',
  no_identity_server: 'This site doesn’t offer this way to sign in.',
  oidc_denied: 'The sign-in was cancelled, or you aren’t allowed to play here.',
  oidc_expired: 'This sign-in has expired, or was started in another browser. Start again.',
  oidc_failed: 'You couldn’t be identified. Try again; if it fails again, ask the operator.',
  oidc_unavailable: 'The sign-in service isn’t responding. Try again in a few minutes.',
  wrong_jurisdiction: 'Players from your country or state can’t play here.',
  mail_address: 'Use an e-mail address such as name@example.org.',
  mail_not_offered: 'This site sends no e-mail. Ask the operator for help with your account.',
  address_taken: 'Another account already uses this address. Use a different one.',
  link_expired: 'This link has expired or has already been used. Ask for a new one.',
  not_confirmed: 'Confirm the change with your password or a passkey.',
  wrong_password: 'That isn’t your current password.',
  wrong_sign_in: 'The name or the password is wrong.',
  last_passkey: 'This account has no other way to sign in. Add another passkey first.',
  no_such_passkey: 'That passkey has already been removed.',
  passkey_failed: 'The passkey couldn’t be checked. Try again.',
  passkey_known: 'This device already has a passkey for your account.',
  passkey_unused: 'No passkey was used. Try again, or choose another way.',
  passkey_host: 'Passkeys don’t work at this address. Open the site by its name.',
  too_many_passkeys: ({ most }) => `An account can have at most ${most} passkeys. Remove one first.`,
  too_many_tries: ({ seconds }) => `Too many failed attempts. Try again in ${waitWords(Number(seconds))}.`,
  hello_first: 'The connection has to be set up again. Reload the page.',
  malformed: 'The server couldn’t read this request. Reload the page and try again.',
  not_found: 'There is nothing at this address.',
  method_not_allowed: 'The server couldn’t read this request. Reload the page and try again.',
  too_large: 'That request is too large. Shorten it and try again.',
  too_many_open_requests: 'Too many changes in this round. Wait for the next one.',
  too_many_requests: ({ seconds }) =>
    seconds === undefined
      ? 'Too many requests. Nothing was changed; try again in a moment.'
      : `Too many requests. Nothing was changed; try again in ${waitWords(Number(seconds))}.`,
  cross_origin:
    'The server doesn’t accept requests from this address. Open the page at its usual address, or ask the operator.',
  key_reused: 'This request was already sent with different contents. Reload the page and try again.',
  server_unavailable:
    'The site or the table can’t be reached for now. Your round and your money are safe; try again later.',
  malfunction:
    'Something went wrong on the server and nothing was done. Your round and your money are unchanged.',
  voided: 'Something went wrong on the server. The round was cancelled and every stake returned.',
  record_not_replayable: 'This round’s record can’t be read. Its stakes are safe.',
  no_such_table: 'This table doesn’t exist. Choose another in the lobby.',
  no_such_device: 'This device has already been signed out.',
  no_such_document: 'This document doesn’t exist.',
  document_changed: 'This document has changed since you read it. Read the new version.',
  documents_not_accepted: 'Accept the terms first. Nothing was bet.',
  no_such_replay: 'There is no round at this link. Its player may have stopped sharing it.',
  no_such_round: 'This round isn’t in your history.',
  no_such_currency: ({ currency, allowed }) =>
    `${currency} isn’t accepted here. Choose one of these: ${allowed}.`,
  not_for_multi_play: ({ title }) =>
    `${title} can’t be played alongside other tables. Leave the other tables first, or switch to this one from the lobby.`,
  advice_busy: 'Too many players are asking for advice at the moment. Try again in a few seconds.',
  advice_failed: 'The advice couldn’t be worked out. Try again.',
  advice_not_allowed: 'Advice isn’t allowed at this table.',
  no_such_decision: 'You made no decision at this point of the round.',
  camera_unavailable: 'The camera isn’t available right now.',
  no_picture: 'The dealer isn’t on camera.',
  no_such_picture: 'The dealer’s video has ended.',
  not_joined: 'This table isn’t open in this browser. Open it from the lobby.',
  round_open: 'Finish the open round first.',
  round_ended: 'This round has already ended.',
  no_bet: 'Place a bet first.',
  no_main_bet: 'Place the main bet first.',
  no_such_bet: 'There is no such bet at this table.',
  no_such_box: ({ boxes }) => `This table has ${boxes} ${boxes === 1 ? 'box' : 'boxes'}.`,
  no_stake: 'A bet needs a stake.',
  placed_twice: 'The same bet was placed twice.',
  under_minimum: ({ title, min_minor }, amount) =>
    `${title ? `${title}: the` : 'The'} minimum bet is ${amount(min_minor)}.`,
  over_maximum: ({ title, max_minor }, amount) =>
    max_minor === undefined
      ? 'This would take your balance above the maximum.'
      : `${title ? `${title}: the` : 'The'} maximum bet is ${amount(max_minor)}.`,
  balance_too_high: ({ max_minor }, amount) =>
    `Your balance is above ${amount(max_minor)}. Withdraw some of it to play on.`,
  over_bonus_bet: ({ max_minor }, amount) =>
    `Your bonus allows stakes of up to ${amount(max_minor)} in a round.`,
  bonus_table: 'Your bonus excludes this table.',
  no_such_bonus: 'That bonus has ended.',
  bonus_active: 'You already have a bonus in this currency.',
  bonus_forfeit: ({ amount_minor }, amount) => `You would lose your bonus of ${amount(amount_minor)}.`,
  over_table_maximum: ({ max_minor }, amount) =>
    `Your bets in one round may total at most ${amount(max_minor)}.`,
  never_together: ({ bets }) => `${bets} can’t be bet on in the same round.`,
  covers_too_much: ({ covered, outcomes, most, percent }) =>
    `These bets cover ${covered} of ${outcomes} outcomes. You may cover at most ${most} (${percent} %).`,
  not_shareable: 'Only a completed round can be shared.',
  not_play_money: ({ currency }) => `${currency} isn’t play money, so the cashier can’t pay it in or out.`,
  not_paid_here: ({ currency }) => `${currency} can’t be paid in or out here.`,
  wallet_cashier: ({ currency }) =>
    `To deposit or withdraw ${currency}, use the cashier of the site that you came from.`,
  wallet_no_answer:
    'Your casino’s wallet didn’t answer, so the bet doesn’t count. Any money taken will be returned.',
  wallet_only: ({ currency }) => `${currency} can be played only when you come from the operator’s site.`,
  wallet_refused: 'Your casino’s wallet doesn’t accept this bet.',
  payment_limits: ({ min_minor, max_minor }, amount) =>
    `A payment must be from ${amount(min_minor)} to ${amount(max_minor)}.`,
  in_debt: ({ amount_minor }, amount) =>
    `You owe ${amount(amount_minor)}, as a payment was taken back. Deposit it before you play or withdraw.`,
  too_many_payments: ({ most }) => `You have ${most} open payments. Wait until one has ended.`,
  not_covered: ({ balance_minor }, amount) => `Your balance of ${amount(balance_minor)} doesn’t cover that.`,
  too_soon: 'Your next round can’t start yet, at this table or another. Wait a moment.',
  reminder_due: 'Answer the time check first.',
  no_such_reminder: ({ allowed }) => `Reminders can come every ${allowed} minutes here.`,
  not_your_turn: 'It’s no longer this hand’s turn.',
  not_offered: 'That isn’t available for this hand.',
  stake_outside: ({ least, most }, amount) => `The stake must be from ${amount(least)} to ${amount(most)}.`,
  bets_closed: 'Bets are closed.',
  nothing_to_undo: 'There is nothing to undo.',
  dealt_already: 'The next round was dealt already.',
  decided_already: 'You have already decided.',
  hold_not_answered: 'Your last decision is still being processed. Wait a moment.',
  time_out: 'Time ran out, so the table decided.',
  paused: 'The table is paused.',
  table_closed: 'The table is closed.',
  table_open: 'Close the table before you change who deals.',
  over_own_limit: ({ what, period, most_minor, left_minor }, amount) =>
    `Your limit on ${limitOf(what as LimitKind, period as Period)} is ${amount(most_minor)}; ${amount(left_minor)} is left.`,
  barred: ({ why, until_ms }) => `${barredWords(why as BreakReason)} ${barredUntil(Number(until_ms))}`,
  registry_unavailable:
    'The self-exclusion register can’t be reached at the moment. Nothing was changed; try again in a few minutes.',
  too_many_changes: ({ most }) => `Limits can be changed at most ${most} times a day. Try again tomorrow.`,
  deposit_limit_unanswered: 'First say whether you want to limit your deposits.',
  no_deposit_limit: 'You haven’t set a deposit limit.',
  no_such_limit: 'There is no such limit.',
  no_such_break: 'That break isn’t available here.',
  restricted: 'You can’t bet here at the moment.',
  seat_taken: 'Another player has just taken that seat. Choose another one.',
  no_more_seats: ({ seats }) =>
    seats === 1 ? 'You already have a seat.' : `You can take at most ${seats} seats here.`,
  no_such_seat: 'There is no such seat at this table.',
  not_your_seat: 'That isn’t your seat.',
  in_play: 'You have a bet in this round. Wait until it ends.',
  not_at_the_table: 'This table isn’t open in this browser. Open it from the lobby.',
  too_many_tables: ({ most }) =>
    `You can play at ${most === 1 ? 'one table' : `${most} tables`} at once, across all your devices. Leave one, or finish your round there, to open another.`,
  chat_off: 'There is no chat at this table.',
  chat_muted: ({ until_ms }) =>
    `A moderator has muted you in this chat until ${clockTime(Number(until_ms))}.`,
  chat_empty: 'Write something first.',
  chat_too_long: ({ most }) => `A message can have at most ${most} characters.`,
  chat_no_links: 'Links and addresses aren’t allowed in chat.',
  chat_too_fast: 'You’re sending messages too fast. Wait a few seconds.',
  chat_repeated: 'You have just sent that message.',
  chat_not_reportable: 'You can only report other players’ messages.',
  no_such_line: 'That message no longer exists.',
};

/** The sentence for a refusal; an unknown code is shown as it is, so that it can be reported. */
export function refusalWords(code: string, args: Args = {}, currency?: CurrencyView): string {
  const sentence = REFUSALS[code];
  const amount = (minor: string | number | undefined) =>
    currency && minor !== undefined ? short(Number(minor), currency) : String(minor ?? '');
  if (typeof sentence === 'function') return sentence(args, amount);
  return sentence ?? `The server refused that (${code.replaceAll('_', ' ')}).`;
}

/** Two or three words of it, for the spot that it is about. */
const BRIEFS: Readonly<Record<string, Sentence>> = {
  under_minimum: ({ min_minor }, amount) => `Minimum ${amount(min_minor)}`,
  over_maximum: ({ max_minor }, amount) => `Maximum ${amount(max_minor)}`,
  over_table_maximum: ({ max_minor }, amount) => `Table maximum ${amount(max_minor)}`,
};

export function refusalBrief(code: string, args: Args, currency: CurrencyView): string {
  const sentence = BRIEFS[code];
  if (typeof sentence !== 'function') return 'Not accepted';
  return sentence(args, (minor) => short(Number(minor), currency));
}

/** The sentence for any error of a server call. */
export function refusalOf(error: unknown, currency?: CurrencyView): string {
  return error instanceof Refusal
    ? refusalWords(error.code, error.args, currency)
    : `Something went wrong (${error}).`;
}
