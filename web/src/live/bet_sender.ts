import type { Stake } from '../wire';

/**
 * Sends bets to the server: the whole bet each time, a moment after the last chip, one request at a time,
 * skipping all but the newest. Calls `settled` when nothing is pending.
 */
export class BetSender {
  /** Something is on its way, or about to be. */
  busy = false;
  #send: (stakes: readonly Stake[]) => Promise<void>;
  #settled: (refusal: unknown) => void;
  #next: readonly Stake[] | null = null;
  #sending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (stakes: readonly Stake[]) => Promise<void>, settled: (refusal: unknown) => void) {
    this.#send = send;
    this.#settled = settled;
  }

  put(stakes: readonly Stake[], waitMs: number): void {
    this.#next = stakes;
    this.busy = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#go(), waitMs);
  }

  /** The round is over, and what wasn't sent isn't. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#next = null;
    this.busy = this.#sending;
  }

  async #go(): Promise<void> {
    if (this.#sending || !this.#next) return;
    const stakes = this.#next;
    this.#next = null;
    this.#sending = true;
    const refusal = await this.#send(stakes).then(
      () => null,
      (error: unknown) => error,
    );
    this.#sending = false;
    // A newer bet replaces this one, so its refusal doesn't matter.
    if (this.#next) return this.#go();
    this.busy = false;
    this.#settled(refusal);
  }
}
