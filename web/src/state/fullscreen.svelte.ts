/** Full screen, where the browser has it. ESC closes what is on top first and leaves full screen last. */
interface KeyboardLock {
  lock(keys: readonly string[]): Promise<void>;
}

class Fullscreen {
  on = $state.raw(false);

  constructor() {
    document.addEventListener('fullscreenchange', () => (this.on = document.fullscreenElement !== null));
    document.addEventListener('keydown', (event) => this.#escape(event));
  }

  async toggle(): Promise<void> {
    if (this.on) return document.exitFullscreen();
    await document.documentElement.requestFullscreen?.();
    // Without keyboard lock, the browser uses ESC to leave full screen at once.
    await (navigator as { keyboard?: KeyboardLock }).keyboard?.lock?.(['Escape']);
  }

  #escape({ key }: KeyboardEvent): void {
    const covered = document.querySelector('dialog[open], :popover-open');
    if (key === 'Escape' && this.on && !covered) void document.exitFullscreen();
  }
}

export const screenfull = new Fullscreen();
