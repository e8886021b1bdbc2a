import { untrack } from 'svelte';
import type { RoundEvent } from '../wire';
import { still } from './motion';

/** What the house told of a table: what stands, and what brought it. */
interface Message {
  readonly did: readonly RoundEvent[];
}

/** How what a game's messages bring moves. */
export interface Motion<V> {
  /** When the things that `did` moved come to rest, in milliseconds after the message. */
  moments(view: V, did: readonly RoundEvent[]): readonly number[];
  /** `view` as it is drawn so long after its message: without what things tell that still move. */
  drawn(view: V, before: V | null, did: readonly RoundEvent[], passedMs: number): V;
}

/** Longer than this nobody waits for what moves. */
export const MOTION_MS_MAX = 4000;

interface QueuedMessage<M> {
  message: M;
  readonly restMs: number;
}

/**
 * Nothing is told before it is seen: the balance, a total, a decision, the log, a sound of the result. Of several
 * messages each waits until all that it moved has come to rest; what is drawn is always the newest.
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

  /** The newest message that may be told. */
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

  /** To be called with all that is told, before any of it is drawn. `moments` as in Motion. */
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

  /** One message after the other: each is heard before the next. */
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
