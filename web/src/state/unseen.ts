import type { Balance } from '../wire';

/** A round that the server has settled and whose end the player hasn't seen yet. */
export interface Unseen {
  readonly currency: string;
  readonly staked_minor: number;
  readonly returned_minor: number;
  /** The message with the result included the balance, as at live tables; otherwise a balance message follows. */
  readonly paid: boolean;
  /** The balance as that message left it. */
  readonly then: Balance | undefined;
}

/** Amounts of a settled round. */
export type Settled = Pick<Unseen, 'staked_minor' | 'returned_minor'>;

/** The balance as it was while those rounds were open, so that no figure reveals a result before it is seen. */
export function before(balance: Balance, unseen: readonly Unseen[]): Balance {
  return unseen
    .filter(({ currency, paid, then }) => currency === balance.currency && (paid || then !== balance))
    .reduce(
      (so_far, { staked_minor, returned_minor, paid, then }) => ({
        ...so_far,
        // Part of it may have gone to a bonus, which is staked only once the balance is used up.
        balance_minor: Math.max(0, so_far.balance_minor - returned_minor),
        in_play_minor: so_far.in_play_minor + staked_minor,
        // A live table's session result follows at any time.
        session_staked_minor:
          paid && then ? then.session_staked_minor : so_far.session_staked_minor - staked_minor,
        session_returned_minor:
          paid && then ? then.session_returned_minor : so_far.session_returned_minor - returned_minor,
      }),
      balance,
    );
}
