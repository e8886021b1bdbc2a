import type { Stake } from '../wire';

/**
 * Brings bets to the house: the whole bet each time, a moment after the last chip, one at a time, and of
 * several that wait only the newest. `settled` is called when nothing is under way any more.
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
    // A newer bet decides what stands: an older one's refusal doesn't matter any more.
    if (this.#next) return this.#go();
    this.busy = false;
    this.#settled(refusal);
  }
}
