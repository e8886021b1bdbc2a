import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Refusal } from '../state/refusal';
import { PendingRequest, CONFIRMED_WITHIN_MS } from './pending_request.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<void>(() => {});

it('is pending until answered, for its own subject only', () => {
  const sent = new PendingRequest();
  void sent.send('', never);
  expect(sent.isUnderWay('')).toBe(true);
  expect(sent.isUnderWay('another')).toBe(false);
});

it('ends with a refusal, which it rethrows', async () => {
  const sent = new PendingRequest();
  await expect(sent.send('one', () => Promise.reject(new Refusal('too_soon')))).rejects.toThrow(Refusal);
  expect(sent.isUnderWay('one')).toBe(false);
});

it('ends a moment after it was accepted, also if the state does not change', async () => {
  const sent = new PendingRequest();
  await sent.send('one', () => Promise.resolve());
  expect(sent.isUnderWay('one')).toBe(true);
  vi.advanceTimersByTime(CONFIRMED_WITHIN_MS);
  expect(sent.isUnderWay('one')).toBe(false);
});

it('is not ended by the answer to an earlier request', async () => {
  const sent = new PendingRequest();
  await sent.send('one', () => Promise.resolve());
  void sent.send('two', never);
  vi.advanceTimersByTime(CONFIRMED_WITHIN_MS);
  expect(sent.isUnderWay('two')).toBe(true);
});
