import { why } from './words';

/** Whether a form waits for its answer, and why the last one failed. */
export class FormState {
  asking = $state(false);
  trouble = $state('');

  async send(work: () => Promise<void>): Promise<void> {
    this.asking = true;
    this.trouble = '';
    try {
      await work();
    } catch (error) {
      this.trouble = why(error);
    }
    this.asking = false;
  }

  /** Attributes of the form's buttons. */
  get button() {
    return { disabled: this.asking, title: this.asking ? 'One moment' : undefined };
  }
}
