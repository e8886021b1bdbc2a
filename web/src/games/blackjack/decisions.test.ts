import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Decision } from '../../state/server.svelte';
import { Refusal } from '../../state/refusal';
import { ARMING_MS } from '../../table/arming.svelte';
import type { PlayerTable } from '../../table/player_table.svelte';
import { CONFIRMED_WITHIN_MS } from '../../table/pending_request.svelte';
import { Decisions } from './decisions.svelte';
import type { BlackjackView, TurnView } from './wire';

const free = { cost_minor: 0, cost_min_minor: 0, covered: true, instead: '' };
const turn = { box: 0, hand: 0, options: [{ action: 'hit', ...free }] } as unknown as TurnView;
const costing = (action: string, min: number, instead: string) =>
  ({
    ...turn,
    options: [{ action, cost_minor: 1000, cost_min_minor: min, covered: true, instead }],
  }) as unknown as TurnView;
const view = { boxes: [{ box: 0, hands: [{ cards: ['2C', '2S'] }] }] } as unknown as BlackjackView;

/** A hand that is asked as long as `open` holds it. */
let open: readonly TurnView[];
let answer: Promise<void>;
let refused: unknown[];
let noticed: unknown[];
let sent: Decision[];
let balance: { payableMinor: number };
let decisions: Decisions;
/** What a page does as long as one question stands. */
let unarm: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  [open, answer, refused, noticed, sent] = [[turn], Promise.resolve(), [], [], []];
  balance = { payableMinor: 5000 };
  const playerTable = Object.assign(balance, {
    round: { id: 'r1', turn: 7 },
    view,
    held: false,
    refused: (error: unknown) => refused.push(error),
    notice: (notice: unknown) => noticed.push(notice),
  });
  decisions = new Decisions(
    playerTable as unknown as PlayerTable<BlackjackView>,
    () => open,
    (decision) => {
      sent.push(decision);
      return answer;
    },
  );
  unarm = decisions.arm();
  vi.advanceTimersByTime(ARMING_MS);
});
afterEach(() => void vi.useRealTimers());

const hit = () => decisions.decide(turn, 'hit');

it('takes no press before it has been in view for a moment', () => {
  open = [{ ...turn, hand: 1 }];
  unarm();
  unarm = decisions.arm();
  vi.advanceTimersByTime(ARMING_MS - 1);
  expect(decisions.mayDecide).toBe(false);
  vi.advanceTimersByTime(1);
  expect(decisions.mayDecide).toBe(true);
});

it('takes no second decision while the first is on its way', async () => {
  answer = new Promise(() => {});
  void hit();
  expect(decisions.mayDecide).toBe(false);
});

it('can be decided anew after a refusal', async () => {
  answer = Promise.reject(new Refusal('not_covered'));
  await hit();
  expect(refused).toHaveLength(1);
  expect(decisions.mayDecide).toBe(true);
});

it('can be decided again if the server accepts and asks the same', async () => {
  await hit();
  expect(decisions.mayDecide).toBe(false);
  vi.advanceTimersByTime(CONFIRMED_WITHIN_MS);
  expect(decisions.mayDecide).toBe(true);
});

it('can be decided anew when a correction at the table asks the very same again', () => {
  answer = new Promise(() => {});
  void hit();
  open = [];
  unarm();
  decisions.arm();
  open = [turn];
  unarm = decisions.arm();
  vi.advanceTimersByTime(ARMING_MS);
  expect(decisions.mayDecide).toBe(true);
});

/** Asks for the only option, with so much left. */
async function asks(turn: TurnView, payableMinor: number): Promise<void> {
  open = [turn];
  balance.payableMinor = payableMinor;
  decisions.arm();
  vi.advanceTimersByTime(ARMING_MS);
  await decisions.decide(turn, turn.options[0]!.action);
}

it('asks for a double that the balance doesn’t cover, and the table decides (003)', async () => {
  await asks(costing('double', 1000, 'hit'), 999);
  expect(sent).toEqual([{ round: 'r1', turn: 7, box: 0, hand: 0, action: 'double' }]);
  expect(noticed).toEqual([]);
});

it('doubles for what is left where the table lets it', async () => {
  await asks(costing('double', 1, 'hit'), 700);
  expect(sent).toMatchObject([{ action: 'double', stake_minor: 700 }]);
});

it('takes no insurance that the balance doesn’t cover', async () => {
  await asks(costing('insure', 500, 'decline_insurance'), 499);
  expect(sent).toEqual([]);
  expect(noticed).toMatchObject([{ code: 'not_covered' }]);
});
