import { describe, expect, it } from 'vitest';
import type { LiveSlot, TableSlot } from '../state/reduce';
import type { Turn } from '../table/rounds';
import type { Phase } from '../wire';
import { addressOf, beside, neighbour, replaced, tablesIn, without } from './address';
import { arrangement } from './arrangement';
import { liveTableWaits, ownTableWaits, secondsLeft } from './turns';

describe('the address', () => {
  it('names every open table once, in their order', () => {
    expect(tablesIn('classic')).toEqual(['classic']);
    expect(tablesIn('infinite+classic+infinite+')).toEqual(['infinite', 'classic']);
    expect(tablesIn('')).toEqual([]);
  });

  it('is read back as it was written', () => {
    const open = ['classic', 'double_exposure', 'a/b'];
    const [, id] = /^\/table\/([^/]+)$/.exec(addressOf(open)) ?? [];
    expect(tablesIn(decodeURIComponent(id ?? ''))).toEqual(open);
  });

  it('adds and removes a table', () => {
    expect(beside(['classic'], 'infinite')).toBe('/table/classic+infinite');
    expect(beside(['classic', 'infinite'], 'classic')).toBe('/table/classic+infinite');
    expect(without(['classic', 'infinite'], 'classic')).toBe('/table/infinite');
    expect(without(['infinite'], 'infinite')).toBe('/');
  });

  it('replaces a table by another', () => {
    expect(replaced(['classic', 'infinite'], 'classic', 'premium')).toBe('/table/premium+infinite');
    expect(replaced(['classic'], 'classic', 'premium')).toBe('/table/premium');
    expect(replaced([], '', 'premium')).toBe('/table/premium');
  });

  it('leaves the neighbour as the active table', () => {
    expect(['a', 'b', 'c'].map((table) => neighbour(['a', 'b', 'c'], table))).toEqual(['b', 'c', 'b']);
    expect(neighbour(['a'], 'a')).toBe('');
  });
});

describe('the arrangement', () => {
  it.each([
    [1, 390, 700, 1, 1, false],
    [2, 1440, 814, 2, 1, false],
    [2, 820, 1100, 1, 2, false],
    [2, 1024, 680, 2, 1, false],
    [3, 1440, 814, 2, 2, false],
    [4, 1440, 814, 2, 2, false],
    [4, 1280, 714, 2, 2, false],
    [4, 1024, 680, 1, 1, true],
    [2, 390, 740, 1, 1, true],
    [2, 844, 340, 1, 1, true],
  ])('%i tables in %i × %i: %i columns, %i rows, tabs %s', (count, width, height, columns, rows, tabs) => {
    expect(arrangement(count, width, height)).toEqual({ columns, rows, tabs });
  });
});

describe('the call', () => {
  const turn = (box: number, hand = 0): Turn => ({ box, hand });
  const own = (ended: boolean, turns: readonly Turn[]) =>
    ({ state: { round: { view: { ended, turns } } } }) as unknown as TableSlot;
  const live = (
    phase: Phase,
    part: { turns?: Turn[]; paused?: string; waiting?: boolean; bets?: number[] },
  ) =>
    ({
      state: { clock: { phase, paused: part.paused ?? '' }, round: { turns: part.turns ?? [turn(2)] } },
      mine: {
        stakes: (part.bets ?? [2]).map((box) => ({ box, bet: 'main', stake_minor: 1 })),
        made: [{ box: 2, hand: 0, action: 'hit', by: 'player', waiting: part.waiting ?? false }],
      },
    }) as unknown as LiveSlot;

  it('comes from an own table while a hand is undecided', () => {
    expect(ownTableWaits(own(false, [turn(0)]))).toBe(true);
    expect(ownTableWaits(own(false, []))).toBe(false);
    expect(ownTableWaits(own(true, [turn(0)]))).toBe(false);
  });

  it('comes from a live table in a decision window, for an undecided hand of the player', () => {
    expect(liveTableWaits(live('decisions', {}))).toBe(true);
    expect(liveTableWaits(live('offer', {}))).toBe(true);
    expect(liveTableWaits(live('dealer', {}))).toBe(false);
    expect(liveTableWaits(live('decisions', { paused: 'a fault' }))).toBe(false);
    expect(liveTableWaits(live('decisions', { turns: [turn(4)] }))).toBe(false);
    expect(liveTableWaits(live('decisions', { bets: [] }))).toBe(false);
    expect(liveTableWaits(live('decisions', { waiting: true }))).toBe(false);
    expect(liveTableWaits(live('decisions', { waiting: true, turns: [turn(2), turn(2, 1)] }))).toBe(true);
  });

  it('counts whole seconds down to zero', () => {
    expect([secondsLeft(10_000, 2_100), secondsLeft(10_000, 10_001), secondsLeft(null, 5)]).toEqual([
      8,
      0,
      null,
    ]);
  });
});
