import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RoundEvent } from '../wire';
import { MOTION_MS_MAX, Reveal } from './reveal.svelte';

interface TestMessage {
  readonly name: string;
  readonly did: readonly RoundEvent[];
}

const message = (name: string, did = [{}] as RoundEvent[]): TestMessage => ({ name, did });
const first = message('first', []);
let reduced: boolean;
let reveal: Reveal<TestMessage>;

beforeEach(() => {
  vi.useFakeTimers();
  reduced = false;
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('matchMedia', () => ({ matches: reduced }));
  reveal = new Reveal(first);
});
afterEach(() => [vi.useRealTimers(), vi.unstubAllGlobals()]);

const takes = (next: TestMessage, ...moments: number[]) => reveal.update(next, () => moments);
const shown = () => reveal.shown.name;

it('draws a message at once and reveals it when everything it moved is at rest', () => {
  takes(message('card'), 260, 600);
  expect([reveal.newest.name, shown(), reveal.moving, reveal.passedMs]).toEqual(['card', 'first', true, 0]);
  vi.advanceTimersByTime(260);
  expect([shown(), reveal.passedMs]).toEqual(['first', 260]);
  vi.advanceTimersByTime(340);
  expect([shown(), reveal.moving, reveal.passedMs]).toEqual(['card', false, Infinity]);
});

it('reveals a message without motion at once, and every message with reduced motion', () => {
  takes(message('phase'));
  expect(shown()).toBe('phase');
  reduced = true;
  takes(message('card'), 260);
  expect(shown()).toBe('card');
});

it('reveals messages in order, each after its own motion', () => {
  const order: string[] = [];
  takes(message('one'), 260);
  vi.advanceTimersByTime(100);
  takes(message('two'));
  vi.advanceTimersByTime(100);
  takes(message('three'), 260);
  for (let ms = 0; ms < 300; ms += 1) {
    if (order.at(-1) !== shown()) order.push(shown());
    vi.advanceTimersToNextTimer();
  }
  expect(order).toEqual(['first', 'one', 'two', 'three']);
});

it('holds back another part of a message with it', () => {
  const card = message('card');
  takes(card, 260);
  takes({ ...card, name: 'paid' }, 260);
  expect(shown()).toBe('first');
  vi.advanceTimersByTime(260);
  expect(shown()).toBe('paid');
  reveal.update({ ...card, name: 'more' }, () => [260]);
  expect(shown()).toBe('more');
});

it('limits the wait, and ends it when skipped', () => {
  takes(message('long'), 60_000);
  vi.advanceTimersByTime(MOTION_MS_MAX);
  expect(shown()).toBe('long');
  takes(message('skipped'), 260);
  reveal.skip();
  expect(shown()).toBe('skipped');
});
