/** How long a control that costs money must be visible before it accepts a press. */
export const ARMING_MS = 350;

/**
 * Ignores presses until the current question has been visible for a moment, so that a press meant for the
 * previous control doesn't count.
 */
export class Arming {
  #question: () => string;
  #armedFor = $state.raw('');

  /** `question`: the current question; empty: none. */
  constructor(question: () => string) {
    this.#question = question;
  }

  armed = $derived.by(() => this.#question() !== '' && this.#armedFor === this.#question());

  /** Run in an effect: restarts with each question. */
  run(): () => void {
    const question = this.#question();
    const timer = setTimeout(() => (this.#armedFor = question), ARMING_MS);
    return () => clearTimeout(timer);
  }
}
