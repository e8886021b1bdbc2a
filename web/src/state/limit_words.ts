/** What a player's limits, breaks and exclusions are called. */
import type { BreakReason, LimitKind, Period } from '../wire';
import { clockTime, day } from './time_words';

const LIMITED: Readonly<Record<LimitKind, string>> = {
  deposit: 'deposits',
  loss: 'losses',
  wager: 'stakes',
  session: 'time',
};
const PERIODS: Readonly<Record<Period, string>> = {
  day: 'per day',
  week: 'per week',
  month: 'per month',
  visit: 'in 24 hours',
};

/** `losses per day`: what a limit is of. */
export const limitOf = (what: LimitKind, period: Period): string => `${LIMITED[what]} ${PERIODS[period]}`;

/** `Losses per day`, at the beginning of a line. */
export function limitWords({ what, period }: { what: LimitKind; period: Period }): string {
  const words = limitOf(what, period);
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
}

const BARRED: Readonly<Record<BreakReason, string>> = {
  time_out: 'You’re taking a break.',
  exclusion: 'You have excluded yourself.',
  session: 'You have reached your own time limit.',
  registry: 'You’re on a self-exclusion register.',
};

/** The server's value for a permanent exclusion. */
export const FOR_GOOD_MS = Number.MAX_SAFE_INTEGER;

/** Until when a player is excluded. */
export function barredUntil(ms: number): string {
  if (ms >= FOR_GOOD_MS) return 'You can no longer play here.';
  return `You can play again on ${day(ms)} at ${clockTime(ms)}.`;
}

/** Why a player can't play. */
export const barredWords = (why: BreakReason): string => BARRED[why];
