import { PROTOCOL, type Command, type ResumedTable, type Message } from '../wire';
import { keepSample, offsetMs, type Sample } from './clock';
import { newId } from './ids';
import { Refusal } from './refusal';

/** The part of the WebSocket interface in use. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((message: { data: string }) => void) | null;
  onclose: (() => void) | null;
}

export interface Link {
  readonly status: 'connecting' | 'open' | 'lost';
  /** Attempts since the connection was lost. */
  readonly attempts: number;
  readonly lagMs: number;
}

export interface ConnectionHandlers {
  readonly open: () => SocketLike;
  readonly receive: (message: Message) => void;
  readonly resumedTables: () => readonly ResumedTable[];
  readonly changed: (link: Link) => void;
  readonly nowMs: () => number;
}

type Request = Exclude<Command, { t: 'hello' | 'ping' }>;
/** A command without its id, which the line gives it. */
export type RequestBody = Request extends infer One
  ? One extends Request
    ? Omit<One, 'req'>
    : never
  : never;

interface PendingCommand {
  readonly text: string;
  readonly done: () => void;
  readonly refused: (refusal: Refusal) => void;
}

/** Ping interval on a silent connection, and on a busy one, where a ping only measures the latency. */
const PING_MS = 1_500;
const BUSY_PING_MS = 5_000;
/** Time limit for the answer to a ping, and for a new connection. */
const ANSWERED_MS = 2_000;
const CONNECTED_MS = 4_000;
/** A cut is shown within four seconds: a ping's time, an answer's, and a beat for each. */
const CHECK_MS = 200;
const RETRY_MS = [250, 500, 1_000, 2_000, 4_000];

/**
 * The connection to the server. Each command is answered exactly once, however often the connection breaks: it
 * is kept until its answer arrives and sent again, with the same id, after every new welcome.
 */
export class Connection {
  #handlers: ConnectionHandlers;
  #socket: SocketLike | null = null;
  #link: Link = { status: 'connecting', attempts: 0, lagMs: 0 };
  #pending = new Map<string, PendingCommand>();
  #samples: readonly Sample[] = [];
  /** When the unanswered pings were sent, and the last ping of all. */
  #pingedMs: number[] = [];
  #lastPingMs = 0;
  /** When the last message other than a pong arrived. */
  #lastMessageMs = 0;
  #helloMs = 0;
  #waitingSinceMs = 0;
  #waitMaxMs = CONNECTED_MS;
  #checkTimer: ReturnType<typeof setInterval> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #resend = false;
  #ended = false;
  /** The session is being replaced: a closed connection isn't a lost one. */
  #replacing = false;

  constructor(handlers: ConnectionHandlers) {
    this.#handlers = handlers;
  }

  get offsetMs(): number {
    return offsetMs(this.#samples);
  }

  /** Resolve when the server has done it; reject with its `Refusal`. */
  request(command: RequestBody): Promise<void> {
    const req = newId();
    const text = JSON.stringify({ ...command, req });
    return new Promise((done, refused) => {
      this.#pending.set(req, { text, done, refused });
      if (this.#link.status === 'open') this.#socket?.send(text);
    });
  }

  /** The server has ended the session: reconnect only after a reload. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#retryTimer);
    this.#drop();
  }

  connect(): void {
    if (this.#ended) return;
    clearTimeout(this.#retryTimer);
    this.#drop();
    if (this.#link.status === 'open') this.#change({ status: 'connecting' });
    const socket = this.#handlers.open();
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onmessage = ({ data }) => this.#received(JSON.parse(data) as Message);
    socket.onclose = () => (this.#replacing ? this.#drop() : this.#lost());
    this.#expect(CONNECTED_MS);
    this.#checkTimer = setInterval(() => this.#check(), CHECK_MS);
  }

  /** Connect again after a request that replaces the session: the server closes the old one's connections. */
  async replaceSession<Answer>(request: Promise<Answer>): Promise<Answer> {
    this.#replacing = true;
    try {
      const answer = await request;
      this.#drop();
      return answer;
    } finally {
      this.#replacing = false;
      if (!this.#socket) this.connect();
    }
  }

  /** Handle the browser's offline event. */
  cut(): void {
    if (this.#link.status === 'open') this.#lost();
  }

  #expect(ms: number): void {
    this.#waitingSinceMs = this.#handlers.nowMs();
    this.#waitMaxMs = ms;
  }

  /** Send the joined tables and their versions; the server answers with missed events. */
  hello(): void {
    const tables = this.#handlers.resumedTables();
    this.#helloMs = this.#handlers.nowMs();
    this.#socket?.send(JSON.stringify({ t: 'hello', protocol: PROTOCOL, tables } satisfies Command));
  }

  #opened(): void {
    this.#resend = true;
    this.#pingedMs = [];
    this.#expect(CONNECTED_MS);
    this.hello();
  }

  #received(message: Message): void {
    this.#waitingSinceMs = 0;
    if (message.t === 'pong') this.#ponged(message.now_ms);
    else this.#lastMessageMs = this.#handlers.nowMs();
    if (message.t === 'ok') this.#settle(message.req)?.done();
    if (message.t === 'no') this.#settle(message.req)?.refused(new Refusal(message.code, message.args));
    this.#handlers.receive(message);
    if (message.t === 'welcome') this.#welcomed(message.now_ms);
  }

  #welcomed(serverMs: number): void {
    const nowMs = this.#handlers.nowMs();
    this.#samples = keepSample(this.#samples, { sentMs: this.#helloMs, receivedMs: nowMs, serverMs });
    this.#change({ status: 'open', attempts: 0 });
    if (!this.#resend) return;
    this.#resend = false;
    for (const { text } of this.#pending.values()) this.#socket?.send(text);
  }

  #settle(req: string): PendingCommand | undefined {
    const waiting = this.#pending.get(req);
    this.#pending.delete(req);
    return waiting;
  }

  #ponged(serverMs: number): void {
    const sentMs = this.#pingedMs.shift();
    if (sentMs === undefined) return;
    const receivedMs = this.#handlers.nowMs();
    this.#samples = keepSample(this.#samples, { sentMs, receivedMs, serverMs });
    this.#change({ lagMs: receivedMs - sentMs });
  }

  /** Runs several times a ping, so that silence is noticed soon after it has lasted long enough. */
  #check(): void {
    const nowMs = this.#handlers.nowMs();
    if (this.#waitingSinceMs && nowMs - this.#waitingSinceMs >= this.#waitMaxMs) return this.#lost();
    const everyMs = nowMs - this.#lastMessageMs < PING_MS ? BUSY_PING_MS : PING_MS;
    if (this.#link.status !== 'open' || nowMs - this.#lastPingMs < everyMs) return;
    this.#lastPingMs = nowMs;
    this.#pingedMs.push(nowMs);
    if (!this.#waitingSinceMs) this.#expect(ANSWERED_MS);
    this.#socket?.send(JSON.stringify({ t: 'ping' } satisfies Command));
  }

  #lost(): void {
    this.#drop();
    const attempts = this.#link.attempts + 1;
    this.#change({ status: 'lost', attempts });
    const waitMs = RETRY_MS[Math.min(attempts, RETRY_MS.length) - 1]!;
    // Spread, so that browsers that lost the same server don't all come back in the same moment.
    this.#retryTimer = setTimeout(() => this.connect(), waitMs * (0.75 + Math.random() / 2));
  }

  #drop(): void {
    clearInterval(this.#checkTimer);
    if (!this.#socket) return;
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
  }

  #change(part: Partial<Link>): void {
    this.#link = { ...this.#link, ...part };
    this.#handlers.changed(this.#link);
  }
}
