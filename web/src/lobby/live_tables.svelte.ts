/** The state of the live tables, polled while displayed. */
import { api } from '../state/api';
import type { LiveTableStatus } from '../wire';

const EVERY_MS = 3_000;

class LiveTables {
  statuses = $state.raw<ReadonlyMap<string, LiveTableStatus>>(new Map());
  #watchers = 0;
  #requested = 0;
  /** The request that `statuses` answers. */
  #answered = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Asks at once and again until the returned function is called; not behind another window. */
  watch = (): (() => void) => {
    if (this.#watchers++ === 0) this.#timer = setInterval(() => void this.#ask(), EVERY_MS);
    void this.#ask();
    return () => {
      if (--this.#watchers === 0) clearInterval(this.#timer);
    };
  };

  async #ask(): Promise<void> {
    if (document.hidden) return;
    const requested = ++this.#requested;
    try {
      const statuses = await api.liveTables();
      // Ignore an older answer that arrives late.
      if (requested < this.#answered) return;
      this.#answered = requested;
      this.statuses = new Map(statuses.map((line) => [line.table, line]));
    } catch {
      // Keep showing the last state; the connection band reports a lost connection.
    }
  }
}

export const liveTables = new LiveTables();
