import type { LiveClock } from '../wire';

const TICK_MS = 200;
/** Tolerated clock offset from the server: a window of 12 seconds doesn't start at 13. */
const CLOCK_OFF_MS = 120;

/** The time left by the server's clock, for the seconds, the ring and the bar. */
export class Countdown {
  #now = $state.raw(0);
  #since = $state.raw({ deadlineMs: 0, fromMs: 0 });
  #clock: () => LiveClock;
  #nowMs: () => number;

  constructor(clock: () => LiveClock, nowMs: () => number) {
    this.#clock = clock;
    this.#nowMs = nowMs;
    this.#now = nowMs();
  }

  #deadlineMs = $derived.by(() => this.#clock().bets_close_ms ?? this.#clock().deadline_ms ?? 0);
  #leftMs = $derived.by(() => {
    const { paused, left_ms } = this.#clock();
    return paused ? (left_ms ?? 0) : Math.max(0, this.#deadlineMs - this.#now);
  });
  seconds = $derived.by(() => Math.max(0, Math.ceil((this.#leftMs - CLOCK_OFF_MS) / 1000)));
  /** Share of the time left, from when the clock was first seen running. */
  share = $derived.by(() => {
    const { deadlineMs, fromMs } = this.#since;
    if (deadlineMs !== this.#deadlineMs || deadlineMs <= fromMs) return 1;
    return Math.min(1, this.#leftMs / (deadlineMs - fromMs));
  });

  /** Five times a second, which costs nothing and is never seen late. */
  tick(): () => void {
    this.#beat();
    const timer = setInterval(() => this.#beat(), TICK_MS);
    return () => clearInterval(timer);
  }

  #beat(): void {
    this.#now = this.#nowMs();
    if (this.#since.deadlineMs === this.#deadlineMs) return;
    const { bets_close_ms, opened_ms } = this.#clock();
    this.#since = { deadlineMs: this.#deadlineMs, fromMs: bets_close_ms ? opened_ms : this.#now };
  }
}
