/** Fills a live region: at most one text a second, merging those in between. An equal text is announced again. */
const PAUSE_MS = 1000;
const AGAIN = '\u00a0';

export class LiveRegion {
  #region: HTMLElement | null = null;
  #waiting: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** A Svelte attachment for the region. */
  attach = (region: HTMLElement) => {
    this.#region = region;
    return () => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#region = null;
    };
  };

  say(text: string): void {
    if (!text) return;
    this.#waiting.push(text);
    if (this.#timer === undefined) this.#speak();
  }

  #speak(): void {
    this.#timer = undefined;
    if (!this.#region || !this.#waiting.length) return;
    const text = this.#waiting.splice(0).join(' ');
    this.#region.textContent = this.#region.textContent === text ? text + AGAIN : text;
    this.#timer = setTimeout(() => this.#speak(), PAUSE_MS);
  }
}
