import { describe, expect, it } from 'vitest';
import { gamesOf, matching, type FilterName, type Sought } from '../lobby/filters';
import type { LiveTableStatus, LobbyTable } from '../wire';
import { due } from './reminder';
import { place } from './router.svelte';

describe('addresses', () => {
  it.each([
    ['/', 'lobby', ''],
    ['/table/double_exposure', 'table', 'double_exposure'],
    ['/history', 'history', ''],
    ['/history/r01%2F2', 'round', 'r01/2'],
    ['/safer-play', 'safer_play', ''],
    ['/care', 'safer_play', ''],
    ['/documents', 'documents', ''],
    ['/documents/terms', 'documents', 'terms'],
    ['/table/', 'not_found', ''],
    ['/nowhere', 'not_found', ''],
  ])('%s is %s', (path, name, id) => {
    expect(place(path)).toEqual({ name, id });
  });
});

describe('the reminder', () => {
  const MINUTE = 60_000;

  it('is due each time its minutes have been played, never when it is off', () => {
    expect(due(30, 29.9 * MINUTE, 0)).toBe(false);
    expect(due(30, 30 * MINUTE, 0)).toBe(true);
    expect(due(30, 59 * MINUTE, 30 * MINUTE)).toBe(false);
    expect(due(30, 61 * MINUTE, 31 * MINUTE)).toBe(true);
    expect(due(0, 600 * MINUTE, 0)).toBe(false);
  });
});

describe('the lobby', () => {
  const table = (title: string, part: Partial<LobbyTable>) =>
    ({
      table: title.toLowerCase(),
      title,
      line: '',
      game: 'blackjack',
      cloth: [],
      limits: [],
      boxes: 1,
      live: false,
      ...part,
    }) as LobbyTable;
  const limits = (min_minor: number, max_minor: number) => ({
    currency: 'GC',
    min_minor,
    max_minor,
    chips_minor: [],
    table_max_minor: null,
    bets: [{ bet: 'main', title: 'Main', kind: '', main: true, min_minor, max_minor, pays: [] }],
  });
  const TABLES = [
    table('Classic', { cloth: ['Blackjack pays 3 to 2'] }),
    table('Exposure', { boxes: 5, line: 'Both cards are seen', limits: [limits(500, 10_000)] }),
    table('Infinite', { live: true }),
  ];
  const GC = { code: 'GC', name: 'Gold Coins', decimals: 2, symbol: 'GC', play_money: true };
  const lines = (phase: LiveTableStatus['phase']) =>
    new Map([['infinite', { table: 'infinite', phase } as LiveTableStatus]]);
  const found = (
    part: Partial<Sought>,
    now: ReadonlyMap<string, LiveTableStatus> = lines('betting'),
    tables = TABLES,
  ) =>
    matching(tables, now, { filter: 'All', game: '', text: '', currency: GC, ...part }).map(
      ({ title }) => title,
    );
  const titles = (filter: FilterName, text = '') => found({ filter, text });

  it('shows by filter', () => {
    expect(titles('All')).toEqual(['Classic', 'Exposure', 'Infinite']);
    expect(titles('Several boxes')).toEqual(['Exposure']);
    expect(titles('Live')).toEqual(['Infinite']);
    expect(titles('Side bets')).toEqual([]);
  });

  it('shows as open every table but the live ones that a manager has closed', () => {
    const open = (now: ReadonlyMap<string, LiveTableStatus>) => found({ filter: 'Open now' }, now);
    expect(open(lines('closed'))).toEqual(['Classic', 'Exposure']);
    expect(open(lines('pause'))).toEqual(['Classic', 'Exposure', 'Infinite']);
    expect(open(new Map())).toEqual(['Classic', 'Exposure', 'Infinite']);
  });

  it('shows one game', () => {
    const games = [...TABLES, { ...TABLES[0]!, title: 'Tiger', game: 'dragon_tiger' }];
    expect(found({ game: 'dragon_tiger' }, undefined, games)).toEqual(['Tiger']);
    expect(gamesOf(games).map(([, title]) => title)).toContain('Dragon Tiger');
  });

  it('finds every word, anywhere on the card', () => {
    expect(titles('All', 'SEEN exposure')).toEqual(['Exposure']);
    expect(titles('All', 'pays 3')).toEqual(['Classic']);
    expect(titles('Several boxes', 'infinite')).toEqual([]);
  });

  it('finds the tables that take a stake', () => {
    expect(titles('All', '5')).toEqual(['Exposure']);
    expect(titles('All', '100 exposure')).toEqual(['Exposure']);
    expect(titles('All', '4.99')).toEqual([]);
    expect(titles('All', '101')).toEqual([]);
  });
});
