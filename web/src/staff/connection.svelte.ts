/** The socket of a staff page: watches one table or all, and sends actions. */
import type * as players from '../wire';
import { api } from '../state/api';
import { newId } from '../state/ids';
import { Refusal } from '../state/refusal';
import { PROTOCOL, type Action, type ChatState, type Command, type TableSummary, type Message } from './wire';
import type { DealerTableUpdate, Welcome } from './wire';

export type RequestBody = Action extends infer One ? (One extends Action ? Omit<One, 'req'> : never) : never;

interface PendingRequest {
  readonly done: () => void;
  readonly refused: (refusal: Refusal) => void;
}

const PING_MS = 2_500;
const DEAD_MS = 2 * PING_MS;
const AGAIN_MS = 1_000;

function socketAddress({ socket, socket_port }: players.ServerInfo): string {
  if (socket) return `${socket.replace(/\/$/, '')}/staff`;
  const port = socket_port ? `:${socket_port}` : location.port && `:${location.port}`;
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.hostname}${port}/ws/staff`;
}

export class StaffConnection {
  open = $state.raw(false);
  welcome = $state.raw<Welcome | null>(null);
  overview = $state.raw<readonly TableSummary[] | null>(null);
  table = $state.raw<DealerTableUpdate | null>(null);
  chat = $state.raw<ChatState | null>(null);
  /** Why this page can't be shown; empty: it can. */
  refusal = $state.raw<Refusal | null>(null);
  #table: string;
  #signedOut: () => void;
  #pending = new Map<string, PendingRequest>();
  #socket: WebSocket | null = null;
  #checkTimer: ReturnType<typeof setInterval> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #offsetMs = 0;
  /** When the server's response became due; 0: none is due. */
  #waitingSinceMs = 0;
  #stopped = false;

  /** `table` empty: all tables. */
  constructor(table: string, signedOut: () => void) {
    this.#table = table;
    this.#signedOut = signedOut;
  }

  serverMs = (): number => Date.now() + this.#offsetMs;

  async start(): Promise<void> {
    try {
      const server = await api.serverInfo();
      if (!this.#stopped) this.#connect(socketAddress(server));
    } catch {
      this.#retry();
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#drop();
  }

  /** Resolve when the server has done it; reject with its `Refusal`. After a lost connection the outcome is unknown. */
  request(request: RequestBody): Promise<void> {
    const req = newId();
    return new Promise((done, refused) => {
      if (!this.open) return refused(new Refusal('offline'));
      this.#pending.set(req, { done, refused });
      this.#send({ ...request, req });
    });
  }

  #connect(address: string): void {
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => this.#send({ t: 'hello', protocol: PROTOCOL, table: this.#table });
    socket.onmessage = ({ data }) => this.#received(JSON.parse(data as string) as Message);
    socket.onclose = () => this.#lost();
    this.#waitingSinceMs = Date.now();
    this.#checkTimer = setInterval(() => this.#checkAlive(), PING_MS);
  }

  /** A dead network closes nothing: a missing answer means the connection is lost. */
  #checkAlive(): void {
    const nowMs = Date.now();
    if (this.#waitingSinceMs && nowMs - this.#waitingSinceMs >= DEAD_MS) return this.#lost();
    if (!this.open) return;
    this.#waitingSinceMs ||= nowMs;
    this.#send({ t: 'ping' });
  }

  #send(command: Command): void {
    this.#socket?.send(JSON.stringify(command));
  }

  #received(message: Message): void {
    this.#waitingSinceMs = 0;
    switch (message.t) {
      case 'welcome':
        this.welcome = message;
        this.open = true;
        this.#offsetMs = message.now_ms - Date.now();
        return;
      case 'pong':
        this.#offsetMs = message.now_ms - Date.now();
        return;
      case 'ok':
        return this.#settle(message.req)?.done();
      case 'no':
        return this.#refused(message.req, new Refusal(message.code, message.args));
      case 'upgrade':
        return location.reload();
      case 'signed_out':
        this.stop();
        return this.#signedOut();
      case 'overview':
        this.overview = message.tables;
        return;
      case 'table':
        this.table = message;
        return;
      case 'chat':
        this.chat = message;
    }
  }

  #refused(req: string, refusal: Refusal): void {
    if (req) this.#settle(req)?.refused(refusal);
    else this.refusal = refusal;
  }

  #settle(req: string): PendingRequest | undefined {
    const pending = this.#pending.get(req);
    this.#pending.delete(req);
    return pending;
  }

  #lost(): void {
    this.#drop();
    for (const { refused } of this.#pending.values()) refused(new Refusal('cut_off'));
    this.#pending.clear();
    this.#retry();
  }

  #retry(): void {
    if (!this.#stopped) this.#retryTimer = setTimeout(() => void this.start(), AGAIN_MS);
  }

  #drop(): void {
    clearInterval(this.#checkTimer);
    clearTimeout(this.#retryTimer);
    if (this.#socket) this.#socket.onclose = null;
    this.#socket?.close();
    this.#socket = null;
    this.open = false;
  }
}
