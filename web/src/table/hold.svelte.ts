const HOLD_MS = 3000;

/** A press that does a little at once and all of it when it is held. */
export class Hold {
  holding = $state.raw(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly tap: () => void,
    readonly all: () => void,
  ) {}

  press = (): void => {
    if (this.holding) return;
    this.tap();
    this.holding = true;
    this.#timer = setTimeout(() => {
      this.release();
      this.all();
    }, HOLD_MS);
  };

  release = (): void => {
    clearTimeout(this.#timer);
    this.holding = false;
  };
}
