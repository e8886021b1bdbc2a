/** What the lines of a statement are called. */
const STATEMENT = {
  grant: 'Starting balance',
  expiry: 'Unused play money removed',
  adjustment: 'Adjusted by the operator',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  withdrawal_returned: 'Withdrawal not paid out',
  refund: 'Deposit given back to you',
  charge_back: 'Deposit taken back by your bank',
  payout_returned: 'Withdrawal sent back by your bank',
  payout_repeated: 'Withdrawal paid out after all',
  debt_repaid: 'Paid towards what you owe',
  stake: 'Stake',
  taken_back: 'Stake taken back',
  return: 'Returned',
  void: 'Round void, stake returned',
  bonus_stake: 'From your bonus',
  bonus_return: 'Back to your bonus',
  bonus_convert: 'Bonus complete',
  from_wallet: 'From your casino’s wallet',
  to_wallet: 'To your casino’s wallet',
} as const;

/** What one line of a statement is called. */
export function statementWord(what: keyof typeof STATEMENT): string {
  return STATEMENT[what];
}
