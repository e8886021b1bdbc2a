import { PROTOCOL, type Command, type ResumedTable, type Message } from '../wire';
import { kept, offsetMs, type Sample } from './clock';
import { newId } from './ids';
import { Refusal } from './refusal';

/** What is used of a WebSocket. */
export interface Wire {
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

export interface Ends {
  readonly open: () => Wire;
  readonly hear: (message: Message) => void;
  readonly following: () => readonly ResumedTable[];
  readonly changed: (link: Link) => void;
  readonly nowMs: () => number;
}

type Asking = Exclude<Command, { t: 'hello' | 'ping' }>;
/** A command without its id, which the line gives it. */
export type Ask = Asking extends infer One ? (One extends Asking ? Omit<One, 'req'> : never) : never;

interface Unanswered {
  readonly text: string;
  readonly done: () => void;
  readonly refused: (refusal: Refusal) => void;
}

/** On a silent line; and on one where the house keeps telling, which lives: there a ping only measures it. */
const PING_MS = 1_500;
const LIVELY_PING_MS = 5_000;
/** How long a ping, or a new connection, waits for its first answer. */
const ANSWERED_MS = 2_000;
const CONNECTED_MS = 4_000;
/** A cut is shown within four seconds: a ping's time, an answer's, and a beat for each. */
const BEAT_MS = 200;
const WAITS_MS = [250, 500, 1_000, 2_000, 4_000];

/**
 * The one connection to the house. A command is answered once however often the connection breaks:
 * it is kept until its answer comes and sent again, with the same id, after every new welcome.
 */
export class Line {
  #ends: Ends;
  #wire: Wire | null = null;
  #link: Link = { status: 'connecting', attempts: 0, lagMs: 0 };
  #unanswered = new Map<string, Unanswered>();
  #samples: readonly Sample[] = [];
  /** When the pings that are still unanswered were sent, and the last one of all. */
  #pingedMs: number[] = [];
  #lastPingMs = 0;
  /** When the house said something that was no answer to a ping. */
  #toldMs = 0;
  #helloMs = 0;
  #waitedFromMs = 0;
  #waitsMs = CONNECTED_MS;
  #beat: ReturnType<typeof setInterval> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #resend = false;
  #over = false;

  constructor(ends: Ends) {
    this.#ends = ends;
  }

  get offsetMs(): number {
    return offsetMs(this.#samples);
  }

  /** Resolves when the house has done it; rejects with its `Refusal`. */
  ask(command: Ask): Promise<void> {
    const req = newId();
    const text = JSON.stringify({ ...command, req });
    return new Promise((done, refused) => {
      this.#unanswered.set(req, { text, done, refused });
      if (this.#link.status === 'open') this.#wire?.send(text);
    });
  }

  /** The house has ended the session: only a page that is loaded anew comes back. */
  end(): void {
    this.#over = true;
    clearTimeout(this.#again);
    this.#drop();
  }

  connect(): void {
    if (this.#over) return;
    clearTimeout(this.#again);
    this.#drop();
    const wire = this.#ends.open();
    this.#wire = wire;
    wire.onopen = () => this.#opened();
    wire.onmessage = ({ data }) => this.#heard(JSON.parse(data) as Message);
    wire.onclose = () => this.#lost();
    this.#waits(CONNECTED_MS);
    this.#beat = setInterval(() => this.#beaten(), BEAT_MS);
  }

  /** The browser says that it is off line. */
  cut(): void {
    if (this.#link.status === 'open') this.#lost();
  }

  #waits(ms: number): void {
    this.#waitedFromMs = this.#ends.nowMs();
    this.#waitsMs = ms;
  }

  /** Says where this browser stands; the house answers with what it missed. */
  hello(): void {
    const tables = this.#ends.following();
    this.#helloMs = this.#ends.nowMs();
    this.#wire?.send(JSON.stringify({ t: 'hello', protocol: PROTOCOL, tables } satisfies Command));
  }

  #opened(): void {
    this.#resend = true;
    this.#pingedMs = [];
    this.#waits(CONNECTED_MS);
    this.hello();
  }

  #heard(message: Message): void {
    this.#waitedFromMs = 0;
    if (message.t === 'pong') this.#ponged(message.now_ms);
    else this.#toldMs = this.#ends.nowMs();
    if (message.t === 'ok') this.#settle(message.req)?.done();
    if (message.t === 'no') this.#settle(message.req)?.refused(new Refusal(message.code, message.args));
    this.#ends.hear(message);
    if (message.t === 'welcome') this.#welcomed(message.now_ms);
  }

  #welcomed(serverMs: number): void {
    const nowMs = this.#ends.nowMs();
    this.#samples = kept(this.#samples, { sentMs: this.#helloMs, heardMs: nowMs, serverMs });
    this.#change({ status: 'open', attempts: 0 });
    if (!this.#resend) return;
    this.#resend = false;
    for (const { text } of this.#unanswered.values()) this.#wire?.send(text);
  }

  #settle(req: string): Unanswered | undefined {
    const waiting = this.#unanswered.get(req);
    this.#unanswered.delete(req);
    return waiting;
  }

  #ponged(serverMs: number): void {
    const sentMs = this.#pingedMs.shift();
    if (sentMs === undefined) return;
    const heardMs = this.#ends.nowMs();
    this.#samples = kept(this.#samples, { sentMs, heardMs, serverMs });
    this.#change({ lagMs: heardMs - sentMs });
  }

  /** Runs several times a ping, so that silence is noticed soon after it has lasted long enough. */
  #beaten(): void {
    const nowMs = this.#ends.nowMs();
    if (this.#waitedFromMs && nowMs - this.#waitedFromMs >= this.#waitsMs) return this.#lost();
    const everyMs = nowMs - this.#toldMs < PING_MS ? LIVELY_PING_MS : PING_MS;
    if (this.#link.status !== 'open' || nowMs - this.#lastPingMs < everyMs) return;
    this.#lastPingMs = nowMs;
    this.#pingedMs.push(nowMs);
    if (!this.#waitedFromMs) this.#waits(ANSWERED_MS);
    this.#wire?.send(JSON.stringify({ t: 'ping' } satisfies Command));
  }

  #lost(): void {
    this.#drop();
    const attempts = this.#link.attempts + 1;
    this.#change({ status: 'lost', attempts });
    const waitMs = WAITS_MS[Math.min(attempts, WAITS_MS.length) - 1]!;
    // Spread, so that browsers that lost the same server don't all come back in the same moment.
    this.#again = setTimeout(() => this.connect(), waitMs * (0.75 + Math.random() / 2));
  }

  #drop(): void {
    clearInterval(this.#beat);
    if (!this.#wire) return;
    this.#wire.onopen = this.#wire.onmessage = this.#wire.onclose = null;
    this.#wire.close();
    this.#wire = null;
  }

  #change(part: Partial<Link>): void {
    this.#link = { ...this.#link, ...part };
    this.#ends.changed(this.#link);
  }
}
