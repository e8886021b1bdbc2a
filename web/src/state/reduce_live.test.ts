import { describe, expect, it } from 'vitest';
import type { ChatLine, LiveSnapshot, LiveState, LiveUpdate, Message, PlayerState, Welcome } from '../wire';
import { NO_DATA, forgetTable, reduce } from './reduce';

const state = (round = 'r1', players = 3) =>
  ({ clock: { round, phase: 'betting' }, players, statistics: [] }) as unknown as LiveState;
const mine = (balance_minor = 1000) =>
  ({
    currency: 'GC',
    balance_minor,
    in_play_minor: 1000 - balance_minor,
    stakes: [],
    made: [],
  }) as unknown as PlayerState;
const line = (number: number, text = 'hello') => ({ line: number, text }) as ChatLine;
const snapshot = (v: number): LiveSnapshot => ({
  t: 'live_snapshot',
  table: 'infinite',
  v,
  state: state(),
  mine: mine(),
  chat: [line(1)],
});
const event = (v: number, round = 'r1'): LiveUpdate => ({
  t: 'live',
  table: 'infinite',
  v,
  did: [{ what: 'opened', box: -1, hand: 0, card: '', came: '', action: '', by: '', name: '', reason: '' }],
  state: state(round),
});
const welcome = {
  t: 'welcome',
  balances: [{ currency: 'GC', balance_minor: 5, in_play_minor: 7 }],
  bonuses: [],
  open_tables: [],
} as unknown as Welcome;
const data = (...messages: Message[]) => messages.reduce(reduce, NO_DATA);
const slot = (...messages: Message[]) => data(...messages).live['infinite'];

describe('versions of a live table', () => {
  it('takes the next event, keeps what is the player’s own and the chat', () => {
    const after = slot(snapshot(4), event(5, 'r2'));
    expect(after).toMatchObject({ v: 5, state: { clock: { round: 'r2' } }, did: [{ what: 'opened' }] });
    expect(after).toMatchObject({ mine: mine(), chat: [line(1)] });
  });

  it('is not moved by what it has seen', () => {
    const before = data(snapshot(4), event(5));
    expect(reduce(before, event(5, 'r2'))).toBe(before);
  });

  it('records a gap, and closes it by a snapshot from a server that restarted its count', () => {
    const gap = data(snapshot(4), event(6));
    expect(gap.gaps).toEqual(['infinite']);
    expect(gap.live['infinite']?.v).toBe(4);
    const after = reduce(gap, snapshot(2));
    expect(after.gaps).toEqual([]);
    expect(after.live['infinite']).toMatchObject({ v: 2, did: [] });
  });

  it('asks about a table it never saw', () => {
    expect(data(event(5)).gaps).toEqual(['infinite']);
  });
});

describe('what is the player’s own', () => {
  it('updates the balance and the amount in play, also with the snapshot', () => {
    const after = data(welcome, snapshot(4), {
      t: 'mine',
      table: 'infinite',
      v: 4,
      round: 'r',
      mine: mine(640),
    });
    expect(after.balances['GC']).toMatchObject({ balance_minor: 640, in_play_minor: 360 });
    expect(after.live['infinite']?.mine.balance_minor).toBe(640);
  });

  it('does not open a table that was left', () => {
    expect(data({ t: 'mine', table: 'infinite', v: 4, round: 'r', mine: mine() }).live).toEqual({});
  });
});

describe('decisions that wait', () => {
  const made = (hand: number, by = 'player') => ({ box: 0, hand, action: 'hit', by, waiting: true });
  const deciding = (phase: string, ...hands: number[]) =>
    ({
      ...state(),
      clock: { round: 'r1', phase },
      round: { turns: hands.map((hand) => ({ box: 0, hand, options: [] })) },
    }) as unknown as LiveState;
  const next = (live: LiveState, did: LiveUpdate['did'] = []): LiveUpdate => ({
    ...event(5),
    state: live,
    did,
  });
  const waiting = (...messages: Message[]) => slot(...messages)?.mine.made.map((one) => one.waiting);
  const open: LiveSnapshot = {
    ...snapshot(4),
    state: deciding('decisions', 0),
    mine: { ...mine(), made: [made(0), made(1, 'ahead')] },
  };

  it('go on waiting while the window is open, also through a pause', () => {
    expect(waiting(open, next(deciding('decisions', 0)))).toEqual([true, true]);
  });

  it('wait no more when it has closed, by a card or by the phase; what was said ahead does', () => {
    const card = { ...event(5).did[0]!, what: 'card' } as const;
    expect(waiting(open, next(deciding('decisions', 0), [card]))).toEqual([false, true]);
    expect(waiting(open, next(deciding('dealer')))).toEqual([false, true]);
  });

  it('wait no more when it has closed, though the table of seats offered them no longer', () => {
    const answered = { ...open, state: deciding('offer', 2) };
    expect(waiting(answered, next(deciding('offer', 2)))).toEqual([true, true]);
    expect(waiting(answered, next(deciding('decisions', 1)))).toEqual([false, true]);
  });

  it('said ahead wait no more when their turn has come', () => {
    const decided = { ...event(5).did[0]!, what: 'decided', box: 0, hand: 1, by: 'ahead' } as const;
    expect(waiting(open, next(deciding('decisions', 0), [decided]))).toEqual([true, false]);
  });
});

describe('between events', () => {
  const pulse = (round: string) =>
    ({
      t: 'pulse',
      table: 'infinite',
      round,
      players: 9,
      statistics: [{ box: 0, hand: 0, action: 'hit', chose: 1, decided: 2 }],
    }) as const;

  it('feels the pulse of this round, and of no other', () => {
    expect(slot(snapshot(4), pulse('r1'))?.state).toMatchObject({ players: 9, statistics: [{ chose: 1 }] });
    expect(slot(snapshot(4), pulse('r0'))?.state.players).toBe(3);
  });

  it('adds a line of chat once, and removes what the staff removed', () => {
    const chat = (number: number): Message => ({ t: 'chat', table: 'infinite', line: line(number) });
    const lines = (...messages: Message[]) => slot(...messages)?.chat.map((one) => one.line);
    expect(lines(snapshot(4), chat(2), chat(2), chat(3))).toEqual([1, 2, 3]);
    const gone: Message = { t: 'chat_gone', table: 'infinite', lines: [1, 3] };
    expect(lines(snapshot(4), chat(2), chat(3), gone)).toEqual([2]);
  });

  it('keeps so many lines', () => {
    const many = Array.from({ length: 300 }, (_, at) => ({
      t: 'chat' as const,
      table: 'infinite',
      line: line(at + 2),
    }));
    expect(slot(snapshot(4), ...many)?.chat).toHaveLength(200);
  });
});

it('forgets a live table that was left', () => {
  expect(forgetTable(data(snapshot(4)), 'infinite').live).toEqual({});
});

it('knows the last picture of a camera, until the table was left', () => {
  const off = { table: 'infinite', equipment: null, stream: 0, video_delay_ms: 0 };
  const camera = (picture: number): Message => ({ t: 'camera', ...off, state: 'on', picture });
  const after = data(snapshot(4), camera(1), camera(2));
  expect(after.cameras['infinite']?.picture).toBe(2);
  expect(forgetTable(after, 'infinite').cameras).toEqual({});
});
