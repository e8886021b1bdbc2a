/** How long what the house accepted may take to be told as what stands. */
export const CONFIRMED_WITHIN_MS = 1500;

/**
 * What was sent to the house, until what came of it is told. A refusal ends it, and so does an answer after
 * a moment: where what stands then looks as before, it can be asked anew.
 */
export class PendingRequest {
  #sent = $state.raw<{ readonly about: string } | null>(null);

  /** `about`: what stood when it was sent. */
  isUnderWay(about: string): boolean {
    return this.#sent?.about === about;
  }

  /** Rejects as `asking` does. */
  async send(about: string, asking: () => Promise<void>): Promise<void> {
    const sent = (this.#sent = { about });
    const end = () => {
      if (this.#sent === sent) this.forget();
    };
    try {
      await asking();
    } catch (error) {
      end();
      throw error;
    }
    setTimeout(end, CONFIRMED_WITHIN_MS);
  }

  forget(): void {
    this.#sent = null;
  }
}
