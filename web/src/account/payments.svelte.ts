/** The player's payments, fetched again while one of them is open and whenever a balance changes. */
import { api } from '../state/api';
import type { PaymentLine, PaymentList, PaymentMethod } from '../wire';

const OPEN_EVERY_MS = 4_000;

const NONE: PaymentList = { methods: [], withdrawing_minor: {}, payments: [], owed_minor: {} };

export class Payments {
  list = $state.raw<PaymentList>(NONE);
  /** Whether the currencies with a payment provider are known. */
  loaded = $state.raw(false);
  /** Payments that haven't ended, newest first. */
  open = $derived(this.list.payments.filter((payment) => !payment.ended));
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  method = (currency: string): PaymentMethod | undefined =>
    this.list.methods.find((method) => method.currency === currency);

  /** Fetch the list; without a network the present one stays, and is tried again. */
  refresh = async (): Promise<void> => {
    clearTimeout(this.#timer);
    const found = await api.payments().catch(() => null);
    if (this.#stopped) return;
    if (found) [this.list, this.loaded] = [found, true];
    if (this.open.length || !found) this.#timer = setTimeout(this.refresh, OPEN_EVERY_MS);
  };

  /** Show a new payment before the list is fetched. */
  add(payment: PaymentLine): void {
    const others = this.list.payments.filter((other) => other.payment !== payment.payment);
    this.list = { ...this.list, payments: [payment, ...others] };
    void this.refresh();
  }

  stop = (): void => {
    this.#stopped = true;
    clearTimeout(this.#timer);
  };
}
