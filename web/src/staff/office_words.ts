/** Words of the back office. */
import { money, result } from '../state/money';
import { server } from '../state/server.svelte';
import type { IdentityKind, PaymentLine } from '../wire';
import type { ApprovalView, FoundWalletCall } from './wire';

export const KINDS: Readonly<Record<IdentityKind, string>> = {
  guest: 'guest',
  account: 'account of this server',
  operator: 'operator’s own player',
  oidc: 'account of the identity server',
};

export const PAYMENT_STATES: Readonly<Record<PaymentLine['state'], string>> = {
  created: 'being set up',
  pending: 'waiting for the payment',
  confirmed: 'paid',
  denied: 'denied',
  expired: 'expired',
  in_suspense: 'held in suspense until staff decide',
  returning: 'being sent back',
  partly_reversed: 'reversed in part',
  refunded: 'refunded',
  charged_back: 'charged back',
  partly_paid: 'paid out in part, the rest returned',
  payout_returned: 'paid out, and sent back by the bank',
  requested: 'requested',
  held: 'on hold until the player is identified',
  sent: 'sent to the provider',
  unknown: 'without an answer from the provider',
  paid: 'paid out',
  returned: 'returned to the balance',
  disputed: 'disputed: the provider reports another amount',
};

export const WALLET_CALLS: Readonly<Record<FoundWalletCall['what'], string>> = {
  stake: 'stake',
  win: 'return',
  refund: 'refund',
};

export const WALLET_PROGRESS: Readonly<Record<FoundWalletCall['progress'], string>> = {
  called: 'the wallet has been asked',
  paid: 'paid by the wallet',
  refused: 'refused by the wallet',
  rolling_back: 'to be rolled back',
  rolled_back: 'rolled back',
  due: 'to be acknowledged by the wallet',
  disputed: 'disputed: the wallet refuses it',
  settled: 'acknowledged by the wallet',
};

/** The change in a few words: `+5.00 €`. */
export const changeWords = ({ kind, amount_minor, currency }: ApprovalView): string =>
  kind === 'reopening'
    ? 'Reopen the account'
    : `Adjust by ${result(amount_minor, server.currencyOf(currency))}`;

/** What an adjustment makes of the balance. */
export function beforeAfter({ cash_minor, amount_minor, currency }: ApprovalView): string {
  const of = server.currencyOf(currency);
  const after = cash_minor + amount_minor;
  return after < 0
    ? `${money(cash_minor, of)}, which is too little`
    : `${money(cash_minor, of)} → ${money(after, of)}`;
}
