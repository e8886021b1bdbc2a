/** Pages of a list, newest first, fetched on demand. */
export interface Part<Line> {
  readonly lines: readonly Line[];
  readonly more: boolean;
}

export class Pager<Line, One extends Part<Line>> {
  lines = $state.raw<readonly Line[]>([]);
  /** The newest page, which also has the totals of the period. */
  first = $state.raw<One | null>(null);
  more = $state.raw(true);
  busy = $state.raw(false);
  failed = $state.raw<unknown>(null);
  #fetch: (last: Line | undefined) => Promise<One>;

  constructor(fetch: (last: Line | undefined) => Promise<One>) {
    this.#fetch = fetch;
    void this.next();
  }

  next = async (): Promise<void> => {
    this.busy = true;
    this.failed = null;
    try {
      this.#add(await this.#fetch(this.lines.at(-1)));
    } catch (error) {
      this.failed = error;
    }
    this.busy = false;
  };

  #add(page: One): void {
    this.first ??= page;
    this.lines = [...this.lines, ...page.lines];
    this.more = page.more;
  }
}
