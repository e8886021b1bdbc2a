import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Refusal } from '../state/refusal';
import { PendingRequest, CONFIRMED_WITHIN_MS } from './pending_request.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<void>(() => {});

it('waits while it isn’t answered, for what it was about alone', () => {
  const sent = new PendingRequest();
  void sent.send('', never);
  expect(sent.isUnderWay('')).toBe(true);
  expect(sent.isUnderWay('another')).toBe(false);
});

it('ends with a refusal, which is passed on', async () => {
  const sent = new PendingRequest();
  await expect(sent.send('one', () => Promise.reject(new Refusal('too_soon')))).rejects.toThrow(Refusal);
  expect(sent.isUnderWay('one')).toBe(false);
});

it('ends a moment after it was accepted, also when nothing that is told changes', async () => {
  const sent = new PendingRequest();
  await sent.send('one', () => Promise.resolve());
  expect(sent.isUnderWay('one')).toBe(true);
  vi.advanceTimersByTime(CONFIRMED_WITHIN_MS);
  expect(sent.isUnderWay('one')).toBe(false);
});

it('isn’t ended by the answer to what was sent before it', async () => {
  const sent = new PendingRequest();
  await sent.send('one', () => Promise.resolve());
  void sent.send('two', never);
  vi.advanceTimersByTime(CONFIRMED_WITHIN_MS);
  expect(sent.isUnderWay('two')).toBe(true);
});
