/** How long a control that costs money must be visible before it accepts a press. */
export const ARMING_MS = 350;

/**
 * Ignores presses until the current question has been visible for a moment, so that a press meant for the
 * previous control doesn't count.
 */
export class Arming {
  #asked: () => string;
  #armedFor = $state.raw('');

  /** `asked`: the current question; empty: none. */
  constructor(asked: () => string) {
    this.#asked = asked;
  }

  armed = $derived.by(() => this.#asked() !== '' && this.#armedFor === this.#asked());

  /** Run in an effect: restarts with each question. */
  run(): () => void {
    const asked = this.#asked();
    const timer = setTimeout(() => (this.#armedFor = asked), ARMING_MS);
    return () => clearTimeout(timer);
  }
}
