/** Messages of tables whose picture comes late: what it will show is told with it, and nothing else is delayed. */
import type { Message } from '../wire';

type Apply = (message: Message) => void;

interface Held {
  readonly message: Message;
  readonly dueMs: number;
}

/** The player may act, until a deadline of the server. */
const OPEN: readonly string[] = ['betting', 'warning', 'offer', 'decisions'];
/** The dealer deals, turns or pays, which the picture shows. */
const SHOWN: readonly string[] = ['dealing', 'dealer', 'settlement', 'pause'];

export class LateMessages {
  #apply: Apply;
  #nowMs: () => number;
  #delaysMs = new Map<string, number>();
  #held = new Map<string, readonly Held[]>();
  /** Balances, which have the results of all tables. */
  #balances: readonly Message[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(apply: Apply, nowMs: () => number = () => performance.now()) {
    this.#apply = apply;
    this.#nowMs = nowMs;
  }

  /** Delay the results of a table from now on; 0: no longer. */
  delay(table: string, ms: number): void {
    if (ms) this.#delaysMs.set(table, ms);
    else if (this.#delaysMs.delete(table)) this.#release(table);
  }

  receive(message: Message): void {
    switch (message.t) {
      case 'live':
        return this.#live(message);
      case 'mine':
        // It belongs to the update before it.
        return this.#held.has(message.table) ? this.#hold(message.table, message, 0) : this.#apply(message);
      case 'live_snapshot':
        this.#held.delete(message.table);
        return this.#apply(message);
      case 'balance':
      case 'bonus':
        if (!this.#held.size) return this.#apply(message);
        this.#balances = [...this.#balances, message];
        return;
      default:
        return this.#apply(message);
    }
  }

  /** Time to act isn't shortened: an update with a deadline releases all before it. */
  #live(message: Extract<Message, { t: 'live' }>): void {
    const { table, state } = message;
    const delayMs = this.#delaysMs.get(table) ?? 0;
    const isShown = delayMs > 0 && SHOWN.includes(state.clock.phase);
    if (isShown || this.#held.has(table)) this.#hold(table, message, isShown ? delayMs : 0);
    else this.#apply(message);
    if (OPEN.includes(state.clock.phase)) this.#release(table);
  }

  #hold(table: string, message: Message, delayMs: number): void {
    const before = this.#held.get(table) ?? [];
    const dueMs = Math.max(this.#nowMs() + delayMs, before.at(-1)?.dueMs ?? 0);
    this.#held.set(table, [...before, { message, dueMs }]);
    this.#schedule();
  }

  #release(table: string): void {
    const held = this.#held.get(table);
    if (!held) return;
    this.#held.set(
      table,
      held.map(({ message }) => ({ message, dueMs: 0 })),
    );
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const dues = [...this.#held.values()].map(([first]) => first!.dueMs);
    if (dues.length)
      this.#timer = setTimeout(() => this.#next(), Math.max(0, Math.min(...dues) - this.#nowMs()));
  }

  /** Apply one message of each table that is due: each is presented before the next one comes. */
  #next(): void {
    for (const [table, [first, ...others]] of [...this.#held]) {
      if (first!.dueMs > this.#nowMs()) continue;
      if (others.length) this.#held.set(table, others);
      else this.#held.delete(table);
      this.#apply(first!.message);
    }
    if (!this.#held.size) {
      this.#balances.forEach(this.#apply);
      this.#balances = [];
    }
    this.#schedule();
  }
}
