import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Refusal } from '../../state/refusal';
import { ARMING_MS } from '../../table/arming.svelte';
import type { Desk } from '../../table/desk.svelte';
import { TOLD_WITHIN_MS } from '../../table/sent.svelte';
import { Decisions } from './decisions.svelte';
import type { BlackjackView, TurnView } from './wire';

const turn = { box: 0, hand: 0, options: [{ action: 'hit', covered: true }] } as unknown as TurnView;
const view = { boxes: [{ box: 0, hands: [{ cards: ['2C', '2S'] }] }] } as unknown as BlackjackView;

/** A hand that is asked as long as `open` holds it. */
let open: readonly TurnView[];
let answer: Promise<void>;
let refused: unknown[];
let decisions: Decisions;
/** What a page does as long as one question stands. */
let unarm: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  [open, answer, refused] = [[turn], Promise.resolve(), []];
  const desk = { round: { id: 'r1' }, view, held: false, refused: (error: unknown) => refused.push(error) };
  decisions = new Decisions(
    desk as unknown as Desk<BlackjackView>,
    () => open,
    () => answer,
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

it('can be decided anew where the house accepts and goes on asking the same', async () => {
  await hit();
  expect(decisions.mayDecide).toBe(false);
  vi.advanceTimersByTime(TOLD_WITHIN_MS);
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
