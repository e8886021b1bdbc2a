import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StaffConnection } from './connection.svelte';
import type { Command } from './wire';

vi.mock('../state/api', () => ({ api: { serverInfo: () => Promise.resolve({ socket: 'ws://server' }) } }));

/** The server's end of one connection. */
class End {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: Command[] = [];
  closed = false;

  constructor() {
    ends.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Command);
  }
  close(): void {
    this.closed = true;
  }
  says(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  welcomes(): void {
    this.onopen?.();
    this.says({ t: 'welcome', now_ms: Date.now() });
  }
}

const SILENT_MS = 10_000;
let ends: End[];
let connection: StaffConnection;
const last = () => ends.at(-1)!;
const order = () => connection.request({ t: 'close_table', table: 'infinite', reason: '' });

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubGlobal('WebSocket', End);
  ends = [];
  connection = new StaffConnection('infinite', () => {});
  await connection.start();
  last().welcomes();
});
afterEach(() => {
  connection.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('resolves a request when the server confirms it', async () => {
  const pending = order();
  last().says({ t: 'ok', req: (last().sent.at(-1) as { req: string }).req });
  await expect(pending).resolves.toBeUndefined();
});

it('stays open while the server answers its pings', async () => {
  for (let waitedMs = 0; waitedMs < SILENT_MS; waitedMs += 1_000) {
    await vi.advanceTimersByTimeAsync(1_000);
    last().says({ t: 'pong', now_ms: Date.now() });
  }
  expect(ends).toHaveLength(1);
  expect(connection.open).toBe(true);
});

it('rejects a request and reconnects when the server stops answering', async () => {
  const pending = expect(order()).rejects.toMatchObject({ code: 'cut_off' });
  await vi.advanceTimersByTimeAsync(SILENT_MS);
  await pending;
  expect(ends[0]!.closed).toBe(true);
  expect(ends.length).toBeGreaterThan(1);
});

it('asks nothing while the line is down', async () => {
  last().onclose?.();
  await expect(order()).rejects.toMatchObject({ code: 'offline' });
});
