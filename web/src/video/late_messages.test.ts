import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '../wire';
import { LateMessages } from './late_messages';

let applied: string[];
let late: LateMessages;

beforeEach(() => {
  vi.useFakeTimers();
  applied = [];
  late = new LateMessages((message) => applied.push(nameOf(message)), Date.now);
  late.delay('infinite', 3_000);
});
afterEach(() => vi.useRealTimers());

/** Messages with only the fields that count here. */
const message = (fields: object) => fields as Message;
const live = (phase: string, table = 'infinite') =>
  message({ t: 'live', table, v: 1, did: [], state: { clock: { phase } } });
const mine = (table = 'infinite') => message({ t: 'mine', table });
const balance = message({ t: 'balance', balance: { currency: 'EUR' } });
const nameOf = (message: Message) => (message.t === 'live' ? message.state.clock.phase : message.t);
const receive = (...messages: Message[]) => messages.forEach((one) => late.receive(one));

test('a result is applied when the picture shows it, with all that follows it', () => {
  receive(live('no_more_bets'), live('settlement'), mine(), balance);
  expect(applied).toEqual(['no_more_bets']);
  vi.advanceTimersByTime(2_999);
  expect(applied).toHaveLength(1);
  vi.advanceTimersByTime(10);
  expect(applied).toEqual(['no_more_bets', 'settlement', 'mine', 'balance']);
});

test('messages keep their order, and the distance of the dealer’s actions', () => {
  receive(live('dealing'));
  vi.advanceTimersByTime(1_000);
  receive(live('dealer'), live('opening'));
  vi.advanceTimersByTime(2_010);
  expect(applied).toEqual(['dealing']);
  vi.advanceTimersByTime(1_000);
  expect(applied).toEqual(['dealing', 'dealer', 'opening']);
});

test.each(['betting', 'warning', 'offer', 'decisions'])('time to act isn’t shortened: %s', (phase) => {
  receive(live('pause'), mine(), live(phase));
  vi.advanceTimersByTime(5);
  expect(applied).toEqual(['pause', 'mine', phase]);
});

test('other tables and other messages aren’t delayed', () => {
  const chat = message({ t: 'chat', table: 'infinite' });
  receive(live('settlement'), live('settlement', 'roulette'), mine('roulette'), chat);
  expect(applied).toEqual(['settlement', 'mine', 'chat']);
});

test('a snapshot replaces what is late', () => {
  receive(live('settlement'), message({ t: 'live_snapshot', table: 'infinite' }));
  vi.advanceTimersByTime(5_000);
  expect(applied).toEqual(['live_snapshot']);
});

test('without the stream nothing is late any more', () => {
  receive(live('settlement'));
  late.delay('infinite', 0);
  vi.advanceTimersByTime(5);
  expect(applied).toEqual(['settlement']);
  receive(live('settlement'));
  expect(applied).toHaveLength(2);
});
