import type { Balance } from '../wire';

/** A round that the house has settled and the player hasn't seen end: the ball still runs. */
export interface Unseen {
  readonly currency: string;
  readonly staked_minor: number;
  readonly returned_minor: number;
}

/** The balance as it was while that round was open, so that no figure tells what came up before it is seen. */
export function before(balance: Balance, unseen: readonly Unseen[]): Balance {
  return unseen
    .filter(({ currency }) => currency === balance.currency)
    .reduce(
      (so_far, { staked_minor, returned_minor }) => ({
        ...so_far,
        balance_minor: so_far.balance_minor - returned_minor,
        in_play_minor: so_far.in_play_minor + staked_minor,
        session_staked_minor: so_far.session_staked_minor - staked_minor,
        session_returned_minor: so_far.session_returned_minor - returned_minor,
      }),
      balance,
    );
}
