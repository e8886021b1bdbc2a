import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BetLimits, Stake } from '../wire';
import { LiveDesk, type LiveProps } from './live_desk.svelte';

const MAIN = { bet: 'main', main: true, min_minor: 100, max_minor: 10_000 } as unknown as BetLimits;
const SENT_MS = 150;

/** What the house has told is the player's bet, and all that was asked of it. */
let told: readonly Stake[];
let brought: number[];
let desk: LiveDesk;

beforeEach(() => {
  vi.useFakeTimers();
  [told, brought] = [[], []];
  const clock = { round: 'r1', phase: 'betting', light: 'green', paused: '', bets_close_ms: 60_000 };
  const props = () => ({
    slot: {
      state: { clock, unit_minor: 100, seats: [], round: null },
      mine: { stakes: told, seats: [], last_stakes: [], held_minor: 0, at_maximum: [], made: [] },
    },
    table: { boxes: 1 },
    limits: { bets: [MAIN], chips_minor: [100], table_max_minor: null },
    balanceMinor: 10_000,
    connected: true,
    nowMs: () => 0,
    actions: {
      bet: (_round: string, stakes: readonly Stake[]) => {
        brought.push(stakes.reduce((sum, { stake_minor }) => sum + stake_minor, 0));
        return Promise.resolve();
      },
    },
  });
  desk = new LiveDesk(props as unknown as () => LiveProps, () => null);
});
afterEach(() => void vi.useRealTimers());

const place = () => desk.place({ box: 0, bet: 'main' });
const settle = () => vi.advanceTimersByTimeAsync(SENT_MS);

it('brings a chip that was taken back before the house has told that it lies there', async () => {
  place();
  await settle();
  desk.undo();
  await settle();
  expect(brought).toEqual([100, 0]);
});

it('brings nothing where what lies on the cloth is what the house told', async () => {
  place();
  desk.undo();
  await settle();
  expect(brought).toEqual([0]);
  await vi.advanceTimersByTimeAsync(2000);
  desk.clear();
  await settle();
  expect(brought).toEqual([0]);
});
