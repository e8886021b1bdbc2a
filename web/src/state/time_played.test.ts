import { expect, it } from 'vitest';
import type { Balance, Welcome } from '../wire';
import { withPlayStart } from './time_played';
import { NO_DATA, reduce } from './reduce';

const balance = (in_play_minor: number, session_staked_minor = 0): Balance => ({
  currency: 'GC',
  balance_minor: 1000,
  in_play_minor,
  session_staked_minor,
  session_returned_minor: 0,
});
const welcome = (balances: Balance[], played_from_ms = 0) =>
  reduce(NO_DATA, { t: 'welcome', balances, bonuses: [], played_from_ms } as unknown as Welcome);
const after = (data: ReturnType<typeof welcome>, now: Balance) =>
  withPlayStart(data, reduce(data, { t: 'balance', balance: now }), 77).playedFromMs;

it('begins with the first bet, at an own table or a live one', () => {
  const arrived = welcome([balance(0)]);
  expect(arrived.playedFromMs).toBe(0);
  expect(after(arrived, balance(10))).toBe(77);
  expect(after(arrived, balance(0, 10))).toBe(77);
});
it('does not begin with a deposit, or with what was in play before the session', () => {
  expect(after(welcome([balance(10)]), balance(10))).toBe(0);
  expect(after(welcome([balance(10)]), balance(0))).toBe(0);
});
it('stays where the server says it began', () => {
  expect(after(welcome([balance(0)], 5), balance(10))).toBe(5);
});
