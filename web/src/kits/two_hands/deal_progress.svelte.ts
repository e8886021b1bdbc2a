import { FLIGHT_MS } from '../../table/card_moves';
import type { RoundEvent } from '../../wire';

interface Message {
  readonly did: readonly RoundEvent[];
  /** When each of its cards leaves the shoe, in milliseconds. */
  readonly times: readonly number[];
}

/** How far the cards of a message have come: the scene shows those that left the shoe and counts those that lie. */
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

  /** How many of the message's cards have left the shoe. */
  get left(): number {
    return this.#message().times.filter((ms) => ms <= this.#ms).length;
  }

  /** How many of them lie on the cloth. */
  get landed(): number {
    return this.#message().times.filter((ms) => ms + FLIGHT_MS <= this.#ms).length;
  }
}
