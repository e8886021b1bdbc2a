import { describe, expect, it } from 'vitest';
import type {
  Message,
  PlayerBonus,
  RoundView,
  Settings,
  TableSnapshot,
  TableState,
  TableUpdate,
  Welcome,
} from '../wire';
import { NO_DATA, forgetTable, reduce, sessionNet } from './reduce';

const SETTINGS = { sound: true, currency: 'GC' } as Settings;
const WELCOME: Welcome = {
  t: 'welcome',
  protocol: 1,
  server: '1',
  now_ms: 5,
  player: 'p',
  name: 'Guest',
  session_started_ms: 1,
  played_from_ms: 0,
  reminded_ms: 0,
  balances: [
    {
      currency: 'GC',
      balance_minor: 900,
      in_play_minor: 100,
      session_staked_minor: 300,
      session_returned_minor: 150,
    },
  ],
  bonuses: [],
  settings: SETTINGS,
  open_tables: ['premium'],
  profile: {
    statistics: true,
    results: true,
    tables_max: 4,
    round_min_ms: 0,
    reminder_minutes: [0, 30, 60, 90],
    advice: 'play_money',
  },
  deposit_limit_due: false,
};

function stateOf(ended: boolean | null): TableState {
  const view = { ended } as RoundView;
  const round = ended === null ? null : { id: 'r', number: '#1', started_ms: 1, turn: 0, view };
  return { currency: 'GC', round, next_deal_ms: 0, last_stakes: [], after: round?.id ?? '' };
}
const snapshot = (v: number, ended: boolean | null = null): TableSnapshot => ({
  t: 'snapshot',
  table: 'classic',
  v,
  state: stateOf(ended),
});
const event = (v: number, ended: boolean): TableUpdate => ({
  t: 'event',
  table: 'classic',
  v,
  did: [{ what: 'card', box: 0, hand: 0, card: 'AS', came: '', action: '', by: '', name: '', reason: '' }],
  state: stateOf(ended),
});
const data = (...messages: Message[]) => messages.reduce(reduce, NO_DATA);

describe('welcome', () => {
  it('brings balances by currency, settings and the rounds that wait', () => {
    const after = data(WELCOME);
    expect(after.balances['GC']?.balance_minor).toBe(900);
    expect(after.settings).toEqual(SETTINGS);
    expect(after.unfinished).toEqual(['premium']);
  });

  it('keeps the tables: what they missed comes after it', () => {
    expect(data(snapshot(7), WELCOME).tables['classic']?.v).toBe(7);
  });
});

describe('versions of a table', () => {
  it('takes the next event with what happened', () => {
    const after = data(snapshot(7), event(8, false));
    expect(after.tables['classic']).toMatchObject({ v: 8, did: [{ card: 'AS' }] });
  });

  it('is not moved by an event it has seen', () => {
    const before = data(snapshot(7), event(8, false));
    expect(reduce(before, event(8, true))).toBe(before);
    expect(reduce(before, event(3, true))).toBe(before);
  });

  it('shows a gap, once, and changes nothing else', () => {
    const before = data(snapshot(7));
    const after = [event(9, false), event(10, false)].reduce(reduce, before);
    expect(after.gaps).toEqual(['classic']);
    expect(after.tables).toBe(before.tables);
  });

  it('closes the gap by a snapshot, also from a server that restarted its count', () => {
    const after = data(snapshot(7), event(9, false), snapshot(2));
    expect(after.gaps).toEqual([]);
    expect(after.tables['classic']).toMatchObject({ v: 2, did: [] });
  });

  it('asks again about a table it never saw', () => {
    expect(data(event(5, false)).gaps).toEqual(['classic']);
  });

  it('gives the same state for the missed events as for the snapshot after them', () => {
    const events = data(snapshot(7), event(8, false), event(9, true)).tables['classic'];
    expect(events?.state).toEqual(data(snapshot(9, true)).tables['classic']?.state);
  });
});

describe('rounds that wait', () => {
  it('follow the round: there while it is played, gone when it has ended', () => {
    expect(data(snapshot(7), event(8, false)).unfinished).toEqual(['classic']);
    expect(data(snapshot(7), event(8, false), event(9, true)).unfinished).toEqual([]);
    expect(data(WELCOME, snapshot(7, false)).unfinished).toEqual(['premium', 'classic']);
  });
});

describe('what the profile asks for', () => {
  const due = { t: 'no', req: '1', code: 'reminder_due', args: { minutes: 30 } } as const;
  const tooMany = { t: 'no', req: '', code: 'too_many_tables', args: { most: 1, table: 'classic' } } as const;

  it('is a reality check when a bet was refused for it, until it is answered in some browser', () => {
    expect(data(WELCOME).reminderDue).toBe(false);
    expect(data(WELCOME, due).reminderDue).toBe(true);
    const answered = data(WELCOME, due, { t: 'reminded', at_ms: 77 });
    expect([answered.reminderDue, answered.remindedMs]).toEqual([false, 77]);
    expect(data({ ...WELCOME, reminded_ms: 66 }).remindedMs).toBe(66);
  });

  it('is documents to accept when a bet was refused for them', () => {
    const unaccepted = { ...due, code: 'documents_not_accepted', args: { documents: 'terms' } } as const;
    expect(data(WELCOME).documentsDue).toBe(false);
    expect(data(WELCOME, unaccepted).documentsDue).toBe(true);
  });

  it('shuts a table that the player gave up for another elsewhere, and opens it again', () => {
    const closedTables = data(WELCOME, snapshot(1), tooMany);
    expect([closedTables.tables, closedTables.closedTables, closedTables.upgrade]).toEqual([
      {},
      { classic: tooMany },
      false,
    ]);
    expect(reduce(closedTables, snapshot(2)).closedTables).toEqual({});
    expect(forgetTable(closedTables, 'classic').closedTables).toEqual({});
  });
});

describe('the rest', () => {
  it('replaces a balance by its absolute value, however often it comes', () => {
    const balance = { ...WELCOME.balances[0]!, balance_minor: 950 };
    const once = data(WELCOME, { t: 'balance', balance });
    expect(once.balances['GC']).toEqual(balance);
    expect(reduce(once, { t: 'balance', balance }).balances).toEqual(once.balances);
  });

  it('takes settings from another browser', () => {
    const settings = { ...SETTINGS, sound: false };
    expect(data(WELCOME, { t: 'settings', settings }).settings).toBe(settings);
  });

  it('notes a table taken over until it is opened here again', () => {
    const gone = data(snapshot(7), { t: 'taken_over', table: 'classic' });
    expect(gone.takenOver).toEqual(['classic']);
    expect(reduce(gone, snapshot(9)).takenOver).toEqual([]);
  });

  it('notes that the page is too old', () => {
    expect(data({ t: 'upgrade', protocol: 2 }).upgrade).toBe(true);
  });

  it('shows the open tables that the server can’t reach, until it reaches them or welcomes this browser', () => {
    const away = data({ t: 'availability', table: 'infinite', available: false });
    expect(away.unavailable).toEqual(['infinite']);
    expect(reduce(away, { t: 'availability', table: 'infinite', available: false }).unavailable).toEqual([
      'infinite',
    ]);
    expect(reduce(away, { t: 'availability', table: 'infinite', available: true }).unavailable).toEqual([]);
    expect(reduce(away, WELCOME).unavailable).toEqual([]);
    expect(forgetTable(away, 'infinite').unavailable).toEqual([]);
  });

  it('shows that the server is waiting for its database, until it answers or welcomes this browser', () => {
    const waiting = data({ t: 'database', waiting: true });
    expect(waiting.waiting).toBe(true);
    expect(reduce(waiting, { t: 'database', waiting: false }).waiting).toBe(false);
    expect(reduce(waiting, WELCOME).waiting).toBe(false);
  });

  it('requires an upgrade if the restarted server lacks a table that is open here', () => {
    const no = { t: 'no', req: '', args: {} } as const;
    expect(data(snapshot(7), { ...no, code: 'no_such_table' }).upgrade).toBe(true);
    expect(data(snapshot(7), { ...no, code: 'not_signed_in' }).upgrade).toBe(false);
  });

  it('notes that the session has ended, and after how long', () => {
    const no = { t: 'no', req: '', code: 'session_ended', args: { minutes: 30 } } as const;
    const ended = data(WELCOME, no);
    expect([ended.sessionEnd, ended.upgrade]).toEqual([no, false]);
  });

  it('notes that the player is barred, but not when they only asked for a table', () => {
    const no = { t: 'no', req: '', code: 'barred', args: { why: 'exclusion', until_ms: 9 } } as const;
    expect(data(WELCOME, no).sessionEnd).toEqual(no);
    expect(data(WELCOME, { ...no, req: '1' }).sessionEnd).toBeNull();
  });

  it('ignores messages for the connection, and messages of a newer server', () => {
    const before = data(WELCOME);
    for (const message of [
      { t: 'ok', req: '1' },
      { t: 'no', req: '1', code: 'not_covered', args: {} },
      { t: 'pong', now_ms: 1 },
      { t: 'weather', rain: true } as unknown as Message,
    ] satisfies Message[])
      expect(reduce(before, message)).toBe(before);
  });

  it('forgets a table that was left', () => {
    const after = forgetTable(data(snapshot(7), event(9, false)), 'classic');
    expect(after.tables).toEqual({});
    expect(after.gaps).toEqual([]);
  });

  it('counts the session without the stake in play', () => {
    expect(sessionNet(WELCOME.balances[0]!)).toBe(150 - 300);
  });
});

describe('bonuses', () => {
  const bonus: PlayerBonus = {
    bonus: 'b1',
    title: 'Welcome',
    currency: 'EUR',
    status: 'active',
    granted_minor: 2000,
    balance_minor: 2000,
    in_play_minor: 0,
    required_minor: 20_000,
    left_minor: 20_000,
    granted_ms: 1,
    expires_ms: 2,
    max_bet_minor: 0,
    excluded: [],
    multiple: 1,
    days: 30,
    match_percent: 0,
    match_max_minor: 0,
  };
  const after = (...bonuses: readonly PlayerBonus[]) =>
    bonuses.reduce((data, one) => reduce(data, { t: 'bonus', bonus: one }), NO_DATA).bonuses;

  it('are the active ones, as they are now', () => {
    const less = { ...bonus, balance_minor: 500, left_minor: 19_000 };
    expect(after(bonus, less)).toEqual({ EUR: less });
    expect(reduce(NO_DATA, { ...WELCOME, bonuses: [bonus] }).bonuses).toEqual({ EUR: bonus });
  });

  it('are gone once they have ended, unless another has followed', () => {
    expect(after(bonus, { ...bonus, status: 'converted' })).toEqual({});
    const next = { ...bonus, bonus: 'b2' };
    expect(after(bonus, next, { ...bonus, status: 'expired' })).toEqual({ EUR: next });
  });
});
