/** How long the new state may take to arrive after a request was accepted. */
export const CONFIRMED_WITHIN_MS = 1500;

/**
 * A request, until its effect arrives. It ends with a refusal, or a moment after it was accepted: if the state
 * is unchanged then, it can be sent again.
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
