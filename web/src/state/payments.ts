import type { PaymentLine } from '../wire';
import { dayTime } from './time_words';

const WORDS: Readonly<Record<PaymentLine['state'], string>> = {
  created: 'Being set up. Nothing has been charged; you need not do anything.',
  pending: 'Waiting for your payment.',
  confirmed: 'Paid and added to your balance.',
  denied: 'Not paid. Your balance is unchanged.',
  expired:
    'Expired without a payment. If you paid all the same, the operator will credit it or send it back.',
  in_suspense: 'Received, but not added to your balance. The operator will credit it or send it back.',
  returning: 'Being sent back to you.',
  refunded: 'Given back to you, and not part of your balance.',
  charged_back: 'Taken back by your bank or card, and deducted from your balance.',
  partly_reversed: 'Given back or taken back in part. The amount shown is what is left of it.',
  requested: 'Requested. It will be paid soon.',
  held: 'On hold until your identity is confirmed. The operator will contact you.',
  sent: 'On its way to you.',
  unknown: 'Being checked with the payment provider. You need not do anything.',
  paid: 'Paid out.',
  partly_paid: 'Paid out in part. The rest is back in your balance.',
  payout_returned: 'Paid out, but sent back by your bank. The amount is back in your balance.',
  returned: 'Not paid out. The amount is back in your balance.',
  disputed: 'The payment provider reports another amount. The operator is checking it.',
};

/** The state of a payment in a sentence or two, with the reason that was given. */
export function paymentWords({ state, reason, held_until_ms }: PaymentLine): string {
  if (held_until_ms)
    return `On hold until ${dayTime(held_until_ms)}, because your password, passkeys or e-mail address were changed. If you didn’t change them, contact the operator now.`;
  return reason ? `${WORDS[state]} ${reason}` : WORDS[state];
}
