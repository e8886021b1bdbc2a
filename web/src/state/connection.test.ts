import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Command, Message, Welcome } from '../wire';
import { Connection, type Link, type SocketLike } from './connection';

/** The server's end of one connection. */
class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: Command[] = [];
  closed = false;

  send(text: string): void {
    if (!this.closed) this.sent.push(JSON.parse(text) as Command);
  }
  close(): void {
    this.closed = true;
  }
  says(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  asked(t: Command['t']): Command[] {
    return this.sent.filter((command) => command.t === t);
  }
  welcomes(now_ms = Date.now()): void {
    this.onopen?.();
    this.says({ t: 'welcome', now_ms } as Welcome);
  }
}

let sockets: FakeSocket[];
let links: Link[];
let received: Message[];
let connection: Connection;
const last = () => sockets.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  [sockets, links, received] = [[], [], []];
  connection = new Connection({
    open: () => sockets[sockets.push(new FakeSocket()) - 1]!,
    receive: (message) => received.push(message),
    resumedTables: () => [{ table: 'classic', v: 12 }],
    changed: (link) => links.push(link),
    nowMs: () => Date.now(),
  });
  connection.connect();
});
afterEach(() => vi.useRealTimers());

const leave = () => connection.request({ t: 'leave', table: 'classic' });
const reqOf = (command: Command | undefined) => (command as { req: string }).req;

describe('hello', () => {
  it('is the first word, with the versions seen', () => {
    last().onopen?.();
    expect(last().sent).toEqual([{ t: 'hello', protocol: 4, tables: [{ table: 'classic', v: 12 }] }]);
  });

  it('opens the connection when it is answered, not before', () => {
    last().onopen?.();
    expect(links).toEqual([]);
    last().says({ t: 'welcome', now_ms: 5 });
    expect(links.at(-1)?.status).toBe('open');
  });
});

describe('a command', () => {
  it('is done on ok', async () => {
    last().welcomes();
    const asked = leave();
    last().says({ t: 'ok', req: reqOf(last().asked('leave')[0]) });
    await expect(asked).resolves.toBeUndefined();
  });

  it('rejects with code and args on no', async () => {
    last().welcomes();
    const asked = leave();
    last().says({ t: 'no', req: reqOf(last().asked('leave')[0]), code: 'round_open', args: { round: 'r1' } });
    await expect(asked).rejects.toMatchObject({ code: 'round_open', args: { round: 'r1' } });
  });

  it('made without a connection is sent after the welcome', () => {
    void leave();
    expect(last().sent).toEqual([]);
    last().welcomes();
    expect(last().asked('leave')).toHaveLength(1);
  });

  it('is sent again on the next connection with the same id, until it is answered', async () => {
    last().welcomes();
    const asked = leave();
    const req = reqOf(last().asked('leave')[0]);
    last().onclose?.();
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(2);
    last().welcomes();
    expect(last().asked('leave').map(reqOf)).toEqual([req]);
    last().says({ t: 'ok', req });
    await asked;
    last().onclose?.();
    vi.advanceTimersByTime(2_000);
    last().welcomes();
    expect(last().asked('leave')).toEqual([]);
  });

  it('is not sent twice on one connection when hello is sent again after a gap', () => {
    last().welcomes();
    void leave();
    connection.hello();
    last().says({ t: 'welcome', now_ms: 5 });
    expect(last().asked('leave')).toHaveLength(1);
    expect(last().asked('hello')).toHaveLength(2);
  });
});

describe('a lost connection', () => {
  it('is retried after longer and longer waits', () => {
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++) {
      const [lostMs, count] = [Date.now(), sockets.length];
      last().onclose?.();
      while (sockets.length === count) vi.advanceTimersByTime(10);
      waits.push(Date.now() - lostMs);
    }
    const min = [250, 500, 1000, 2000, 4000, 4000, 4000].map((ms) => ms * 0.75);
    waits.forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(min[index]!);
      expect(wait).toBeLessThanOrEqual((min[index]! / 0.75) * 1.25 + 10);
    });
    expect(links.at(-1)).toMatchObject({ status: 'lost', attempts: 7 });
  });

  const answered = () => received.filter(({ t }) => t === 'pong').length;
  const answer = () => {
    while (last().asked('ping').length > answered()) last().says({ t: 'pong', now_ms: Date.now() });
  };
  const tell = () => last().says({ t: 'chat_gone', table: 'infinite', lines: [] });

  it.each(
    Array.from({ length: 20 }, (_, at) => 5_000 + at * 100).flatMap(
      (cutMs) =>
        [
          [cutMs, 'silent', answer],
          [cutMs, 'lively', () => [answer(), tell()]],
        ] as const,
    ),
  )('is given up within four seconds of a cut after %i ms of a %s one', (cutMs, _kind, say) => {
    last().welcomes();
    for (let ms = 0; ms < cutMs; ms += 100) {
      vi.advanceTimersByTime(100);
      say();
    }
    vi.advanceTimersByTime(2_000);
    expect(links.at(-1)?.status).toBe('open');
    vi.advanceTimersByTime(2_000);
    expect(links.some(({ status }) => status === 'lost')).toBe(true);
    expect(sockets[0]!.closed).toBe(true);
  });

  it('is detected at once when the browser goes offline', () => {
    last().welcomes();
    connection.cut();
    expect(links.at(-1)?.status).toBe('lost');
    connection.cut();
    expect(links.at(-1)?.attempts).toBe(1);
  });

  it('lives as long as it is answered', () => {
    last().welcomes();
    for (let second = 0; second < 60; second++) {
      vi.advanceTimersByTime(1_000);
      answer();
    }
    expect(sockets).toHaveLength(1);
    expect(last().asked('ping')).toHaveLength(38);
  });

  it('pings less often while messages arrive, and at the usual interval when they stop', () => {
    last().welcomes();
    for (let quarter = 0; quarter < 242; quarter++) {
      vi.advanceTimersByTime(250);
      tell();
      answer();
    }
    expect(last().asked('ping')).toHaveLength(13);
    vi.advanceTimersByTime(1_700);
    expect(last().asked('ping')).toHaveLength(14);
  });
});

describe('the clock', () => {
  it('is taken from the fastest answer', () => {
    last().onopen?.();
    vi.advanceTimersByTime(600);
    last().says({ t: 'welcome', now_ms: Date.now() - 300 + 700 });
    expect(connection.offsetMs).toBe(700);
    for (const [trip, ahead] of [
      [400, 900],
      [20, 500],
      [300, 800],
    ] as const) {
      const before = last().asked('ping').length;
      while (last().asked('ping').length === before) vi.advanceTimersByTime(10);
      vi.advanceTimersByTime(trip);
      last().says({ t: 'pong', now_ms: Date.now() - trip / 2 + ahead });
    }
    expect(links.at(-1)?.lagMs).toBe(300);
    expect(connection.offsetMs).toBe(500);
  });
});

describe('a session that is replaced', () => {
  const statuses = () => links.map(({ status }) => status);

  it.each([
    ['before the answer', () => last().onclose?.()],
    ['after it', () => {}],
  ])('loses no connection that is closed %s', async (_when, close) => {
    last().welcomes();
    const replaced = connection.replaceSession(Promise.resolve('ann'));
    close();
    expect(await replaced).toBe('ann');
    expect(sockets.map(({ closed }) => closed)).toEqual([true, false]);
    void leave();
    expect(last().sent).toEqual([]);
    last().welcomes();
    expect(last().asked('leave')).toHaveLength(1);
    expect(statuses()).toEqual(['open', 'connecting', 'open']);
  });

  it('keeps its connection if that is refused', async () => {
    last().welcomes();
    await expect(connection.replaceSession(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(sockets.map(({ closed }) => closed)).toEqual([false]);
    last().onclose?.();
    expect(statuses()).toEqual(['open', 'lost']);
  });
});

describe('a session that has ended', () => {
  it('prevents any reconnection', () => {
    last().welcomes();
    connection.end();
    expect(last().closed).toBe(true);
    connection.connect();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });
});
