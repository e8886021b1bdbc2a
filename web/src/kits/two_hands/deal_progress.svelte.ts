import { FLIGHT_MS } from '../../table/card_moves';
import type { RoundEvent } from '../../wire';

interface Message {
  readonly did: readonly RoundEvent[];
  /** When each card leaves the shoe, in milliseconds. */
  readonly times: readonly number[];
}

/** Progress of a message's cards: those that have left the shoe are shown, those that have landed are counted. */
export class DealProgress {
  #message: () => Message;
  #seen = $state.raw<{ did: readonly RoundEvent[]; ms: number }>({ did: [], ms: -1 });

  constructor(message: () => Message) {
    this.#message = message;
    $effect(() => {
      const { did, times } = this.#message();
      const moments = times.flatMap((ms) => [ms, ms + FLIGHT_MS]);
      const timers = moments.map((ms) => setTimeout(() => this.#reached(did, ms), ms));
      return () => timers.forEach(clearTimeout);
    });
  }

  #reached(did: readonly RoundEvent[], ms: number): void {
    this.#seen = { did, ms: Math.max(ms, this.#seen.did === did ? this.#seen.ms : -1) };
  }

  get #ms(): number {
    return this.#seen.did === this.#message().did ? this.#seen.ms : -1;
  }

  /** Number of the message's cards that have left the shoe. */
  get left(): number {
    return this.#message().times.filter((ms) => ms <= this.#ms).length;
  }

  /** Number of the message's cards that have landed. */
  get landed(): number {
    return this.#message().times.filter((ms) => ms + FLIGHT_MS <= this.#ms).length;
  }
}
