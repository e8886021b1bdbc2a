import { describe, expect, it, vi } from 'vitest';
import type { Phase } from '../wire';
import type { StaffConnection } from './connection.svelte';
import { question, availableActions } from './manager_actions';

const clock = (phase: Phase, paused = '') => ({
  phase,
  light: 'red' as const,
  deadline_ms: null,
  left_ms: null,
  paused,
  round: 'r1',
  number: '#10:00:00',
});

describe('what a manager can order', () => {
  it('is to open what is closed, and nothing else', () => {
    expect(availableActions(clock('closed'), false)).toEqual(['open_table']);
  });

  it('is to void only a round that is under way', () => {
    expect(availableActions(clock('dealing'), false)).toContain('void_round');
    expect(availableActions(clock('pause'), false)).not.toContain('void_round');
  });

  it('is to resume what is paused, and to keep open what was to be closed', () => {
    expect(availableActions(clock('dealing', 'a card fell'), true)).toEqual([
      'resume_table',
      'void_round',
      'open_table',
    ]);
  });
});

describe('to void a round', () => {
  const overviewAt = (round: string) =>
    [{ table: 'infinite', clock: { ...clock('dealing'), round } }] as unknown as StaffConnection['overview'];

  it('is about the round that was looked at when it was asked', async () => {
    const request = vi.fn(() => Promise.resolve());
    const connection = { table: null, overview: overviewAt('r1'), request };
    const { done } = question('void_round', 'infinite', connection);
    connection.overview = overviewAt('r2');
    await done('a card fell');
    const order = { t: 'void_round', table: 'infinite', round: 'r1', reason: 'a card fell' };
    expect(request).toHaveBeenCalledWith(order);
  });
});
