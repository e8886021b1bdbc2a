import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Refusal } from '../state/refusal';
import { stakes } from '../table/betting';
import type { BetLimits, Stake } from '../wire';
import { LivePlayerTable, type LiveProps } from './live_player_table.svelte';

const [MAIN, OTHER] = ['main', 'other'].map(
  (bet) => ({ bet, title: bet, main: true, min_minor: 100, max_minor: 10_000 }) as unknown as BetLimits,
);
const NEVER = [{ bets: ['main', 'other'], named: 'Main and Other' }];
const SENT_MS = 150;
const LANDED_MS = 260;

/** The server's messages, and the requests sent to it. */
let slot: any;
let brought: number[];
/** The server's answer to the next bet. */
let refusing: Refusal | null;
let playerTable: LivePlayerTable;

beforeEach(() => {
  vi.useFakeTimers();
  [brought, refusing] = [[], null];
  const clock = { round: 'r1', phase: 'betting', light: 'green', paused: '', bets_close_ms: 60_000 };
  slot = {
    did: [],
    state: { clock, unit_minor: 100, seats: [], round: null },
    mine: { stakes: [], seats: [], last_stakes: [], held_minor: 0, at_maximum: [], made: [] },
  };
  const props = () => ({
    slot,
    table: { boxes: 1, never_together: NEVER, covering: null },
    limits: { bets: [MAIN, OTHER], chips_minor: [100], table_max_minor: null },
    balanceMinor: 10_000,
    currency: { code: 'EUR', name: 'Euro', decimals: 2, symbol: '€', play_money: false },
    connected: true,
    nowMs: () => 0,
    actions: {
      bet: (_round: string, stakes: readonly Stake[]) => {
        brought.push(stakes.reduce((sum, { stake_minor }) => sum + stake_minor, 0));
        return refusing ? Promise.reject(refusing) : Promise.resolve();
      },
    },
  });
  playerTable = new LivePlayerTable(props as unknown as () => LiveProps, () => null, {
    moments: () => [LANDED_MS],
    drawn: (view) => view,
  });
});
afterEach(() => void vi.useRealTimers());

const place = (bet = 'main') => playerTable.place({ box: 0, bet });
const lying = () => stakes(playerTable.bets).map(({ bet, stake_minor }) => `${bet} ${stake_minor}`);
const settle = () => vi.advanceTimersByTimeAsync(SENT_MS);

it('sends the removal of a chip that the server has not confirmed yet', async () => {
  place();
  await settle();
  playerTable.undo();
  await settle();
  expect(brought).toEqual([100, 0]);
});

it('sends nothing if the server has the bets on the cloth', async () => {
  place();
  playerTable.undo();
  await settle();
  expect(brought).toEqual([0]);
  await vi.advanceTimersByTimeAsync(2000);
  playerTable.clear();
  await settle();
  expect(brought).toEqual([0]);
});

it('refuses at once bets not allowed together, and sends the rest', async () => {
  place();
  expect(place('other')).toBe(false);
  expect(playerTable.message).toMatchObject({
    text: 'Main and Other can’t be bet on in the same round.',
    spot: { bet: 'other' },
    whole: true,
  });
  await settle();
  expect([brought, lying()]).toEqual([[100], ['main 100']]);
});

it('returns to the last confirmed bets if the server refuses chips sent together', async () => {
  slot = { ...slot, mine: { ...slot.mine, stakes: [{ box: 0, bet: 'main', stake_minor: 100 }] } };
  playerTable.update();
  refusing = new Refusal('over_table_maximum', { max_minor: 200 });
  place();
  place();
  await settle();
  expect([brought, lying()]).toEqual([[300], ['main 100']]);
  expect(playerTable.message?.text).toBe('Your bets in one round may total at most €2.');
});

it('reveals no end of a round before its last card has landed', () => {
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  const { clock, round } = slot.state;
  const ended = { round: 'r1', returned_minor: 200 };
  slot = {
    did: [{ what: 'card' }],
    state: { ...slot.state, clock: { ...clock, phase: 'pause' }, round: { ended: true } },
    mine: { ...slot.mine, result: ended },
  };
  playerTable.update();
  expect([
    playerTable.stage,
    playerTable.drawnStage,
    playerTable.state.round,
    playerTable.mine.result,
  ]).toEqual(['betting', 'playing', round, undefined]);
  expect(playerTable.unseen).toBe(ended);
  vi.advanceTimersByTime(LANDED_MS);
  expect([playerTable.stage, playerTable.drawnStage, playerTable.mine.result, playerTable.unseen]).toEqual([
    'ended',
    'ended',
    ended,
    null,
  ]);
  vi.unstubAllGlobals();
});
