import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Stake } from '../wire';
import { BetSender } from './bet_sender';

const bet = (minor: number): Stake[] => [{ box: 0, bet: 'main', stake_minor: minor }];
let sent: { minor: number; done: () => void; refuse: (error: Error) => void }[];
let settled: unknown[];
let betSender: BetSender;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  settled = [];
  betSender = new BetSender(
    ([stake]) => new Promise((done, refuse) => sent.push({ minor: stake?.stake_minor ?? 0, done, refuse })),
    (refusal) => settled.push(refusal),
  );
});
afterEach(() => vi.useRealTimers());
const amounts = () => sent.map(({ minor }) => minor);

it('sends the bets a moment after the last chip', async () => {
  betSender.put(bet(5), 100);
  await vi.advanceTimersByTimeAsync(60);
  betSender.put(bet(10), 100);
  await vi.advanceTimersByTimeAsync(90);
  expect(amounts()).toEqual([]);
  expect(betSender.busy).toBe(true);
  await vi.advanceTimersByTimeAsync(10);
  expect(amounts()).toEqual([10]);
});

it('has one request pending at a time, followed by the newest bets', async () => {
  betSender.put(bet(5), 0);
  await vi.advanceTimersByTimeAsync(0);
  betSender.put(bet(10), 0);
  betSender.put(bet(15), 0);
  await vi.advanceTimersByTimeAsync(10);
  expect(amounts()).toEqual([5]);
  sent[0]!.done();
  await vi.advanceTimersByTimeAsync(0);
  expect(amounts()).toEqual([5, 15]);
  expect(settled).toEqual([]);
  sent[1]!.done();
  await vi.advanceTimersByTimeAsync(0);
  expect(settled).toEqual([null]);
  expect(betSender.busy).toBe(false);
});

it('reports the refusal of the newest bets only', async () => {
  betSender.put(bet(5), 0);
  await vi.advanceTimersByTimeAsync(0);
  betSender.put(bet(10), 0);
  await vi.advanceTimersByTimeAsync(0);
  sent[0]!.refuse(new Error('older'));
  await vi.advanceTimersByTimeAsync(0);
  sent[1]!.refuse(new Error('newest'));
  await vi.advanceTimersByTimeAsync(0);
  expect(settled).toMatchObject([{ message: 'newest' }]);
});

it('forgets what was not sent when the round is over', async () => {
  betSender.put(bet(5), 100);
  betSender.drop();
  await vi.advanceTimersByTimeAsync(200);
  expect(amounts()).toEqual([]);
  expect(betSender.busy).toBe(false);
});
