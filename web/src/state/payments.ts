import type { PaymentLine } from '../wire';

const WORDS: Readonly<Record<PaymentLine['state'], string>> = {
  created: 'Being set up. Nothing has been charged; you need not do anything.',
  pending: 'Waiting for your payment.',
  confirmed: 'Paid and added to your balance.',
  denied: 'Not paid. Your balance is unchanged.',
  expired: 'Expired without a payment. If you paid all the same, it will be added to your balance.',
  requested: 'Requested. It will be paid soon.',
  held: 'On hold until your identity is confirmed. The operator will contact you.',
  sent: 'On its way to you.',
  unknown: 'Being checked with the payment provider. You need not do anything.',
  paid: 'Paid out.',
  returned: 'Not paid out. The amount is back in your balance.',
  disputed: 'The payment provider reports another amount. The operator is checking it.',
};

/** The state of a payment in a sentence or two, with the reason that was given. */
export function paymentWords({ state, reason }: PaymentLine): string {
  return reason ? `${WORDS[state]} ${reason}` : WORDS[state];
}
