/** The live tables as they are now, asked for while somebody looks. */
import { api } from '../state/api';
import type { LiveTableStatus } from '../wire';

const EVERY_MS = 3_000;

class LiveTables {
  statuses = $state.raw<ReadonlyMap<string, LiveTableStatus>>(new Map());
  #watchers = 0;
  #asked = 0;
  /** Which question the lines answer. */
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
    const asked = ++this.#asked;
    try {
      const statuses = await api.floor();
      // An older answer that comes later tells the past.
      if (asked < this.#answered) return;
      this.#answered = asked;
      this.statuses = new Map(statuses.map((line) => [line.table, line]));
    } catch {
      // What is shown a little longer is better than nothing; the band tells of a lost line.
    }
  }
}

export const liveTables = new LiveTables();
