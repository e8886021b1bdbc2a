import { untrack } from 'svelte';
import type { RoundEvent } from '../wire';
import { still } from './motion';

/** A table's message: the state and the events that led to it. */
interface Message {
  readonly did: readonly RoundEvent[];
}

/** How a game's messages are animated. */
export interface Motion<V> {
  /** When the things moved by `did` come to rest, in milliseconds after the message. */
  moments(view: V, did: readonly RoundEvent[]): readonly number[];
  /** `view` as drawn so long after its message: without the results of things still moving. */
  drawn(view: V, before: V | null, did: readonly RoundEvent[], passedMs: number): V;
}

/** Maximum time that results are held back for motion. */
export const MOTION_MS_MAX = 4000;

interface QueuedMessage<M> {
  message: M;
  readonly restMs: number;
}

/**
 * Holds back results until their motion has ended: balance, totals, decisions, log, result sounds. Each message
 * waits until everything it moves is at rest; what is drawn is always the newest.
 */
export class Reveal<M extends Message> {
  #shown: M;
  #newest: M;
  #passedMs = $state.raw(Infinity);
  #waiting: QueuedMessage<M>[] = [];
  #moments: ReturnType<typeof setTimeout>[] = [];
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor(first: M) {
    this.#shown = $state.raw(first);
    this.#newest = $state.raw(first);
  }

  /** The newest message whose motion has ended. */
  get shown(): M {
    return this.#shown;
  }

  /** The newest message. */
  get newest(): M {
    return this.#newest;
  }

  get moving(): boolean {
    return this.#shown !== this.#newest;
  }

  /** The last moment of the newest message that has passed; Infinity when all is at rest. */
  get passedMs(): number {
    return this.moving ? this.#passedMs : Infinity;
  }

  /** Call with every message, before it is drawn. `moments` as in Motion. */
  update(message: M, moments: () => readonly number[]): void {
    untrack(() => this.#update(message, moments));
  }

  #update(message: M, moments: () => readonly number[]): void {
    if (message === this.#newest) return;
    const another = message.did !== this.#newest.did;
    this.#newest = message;
    if (another) return this.#wait(message, message.did.length && !still() ? moments() : []);
    const last = this.#waiting.at(-1);
    if (last) last.message = message;
    else this.#shown = message;
  }

  #wait(message: M, moments: readonly number[]): void {
    const nowMs = performance.now();
    const ends = moments.map((ms) => Math.min(ms, MOTION_MS_MAX));
    const restMs = Math.max(nowMs, this.#waiting.at(-1)?.restMs ?? 0, ...ends.map((ms) => nowMs + ms));
    this.#moments.forEach(clearTimeout);
    this.#passedMs = 0;
    this.#moments = ends.map((ms) => setTimeout(() => (this.#passedMs = Math.max(ms, this.#passedMs)), ms));
    this.#waiting.push({ message, restMs });
    if (this.#waiting.length === 1) this.#schedule();
  }

  /** One message at a time, so that each is announced before the next. */
  #schedule = (): void => {
    const [first] = this.#waiting;
    if (!first) return;
    const leftMs = first.restMs - performance.now();
    if (leftMs > 0) this.#next = setTimeout(this.#schedule, leftMs);
    else {
      this.#shown = first.message;
      this.#waiting.shift();
      if (this.#waiting.length) this.#next = setTimeout(this.#schedule);
    }
  };

  /** The player wants to see no more of it. */
  readonly skip = (): void => {
    this.close();
    this.#shown = this.#newest;
  };

  close(): void {
    [...this.#moments, this.#next].forEach(clearTimeout);
    this.#waiting = [];
  }
}
