/** How long a control that costs money is in view before it takes a press, by pointer, touch or key. */
export const ARMING_MS = 350;

/** Holds presses back until what is asked has been in view for a moment: a press meant for what was there before doesn't count. */
export class Arming {
  #asked: () => string;
  #armedFor = $state.raw('');

  /** `asked`: what is asked now; empty: nothing. */
  constructor(asked: () => string) {
    this.#asked = asked;
  }

  armed = $derived.by(() => this.#asked() !== '' && this.#armedFor === this.#asked());

  /** For an effect: it runs anew with each question. */
  run(): () => void {
    const asked = this.#asked();
    const timer = setTimeout(() => (this.#armedFor = asked), ARMING_MS);
    return () => clearTimeout(timer);
  }
}
