import type { Balance } from '../wire';

/** A round that the house has settled and the player hasn't seen end: the ball still runs, a card still flies. */
export interface Unseen {
  readonly currency: string;
  readonly staked_minor: number;
  readonly returned_minor: number;
  /** The message that told of the end also told what is left: at live tables. Else a balance follows it. */
  readonly paid: boolean;
  /** The balance as that message left it. */
  readonly then: Balance | undefined;
}

/** Of a round that is settled. */
export type Settled = Pick<Unseen, 'staked_minor' | 'returned_minor'>;

/** The balance as it was while those rounds were open, so that no figure tells what came up before it is seen. */
export function before(balance: Balance, unseen: readonly Unseen[]): Balance {
  return unseen
    .filter(({ currency, paid, then }) => currency === balance.currency && (paid || then !== balance))
    .reduce(
      (so_far, { staked_minor, returned_minor, paid, then }) => ({
        ...so_far,
        balance_minor: so_far.balance_minor - returned_minor,
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
