import type { CoupView } from '../../games/drawing';
import type { LiveOf } from '../../table/rounds';
import type { BetView, PlayerResult, PlayerState, Stake } from '../../wire';

/**
 * The player's own part of a shared coup. The server sends each bet's return for `unit`; the player's exact
 * returns come from the player's result.
 */
export function ownCoupView(state: LiveOf<CoupView>, mine: PlayerState): CoupView | null {
  const { round: view, unit_minor: unit, clock } = state;
  if (!view) return null;
  const result = mine.result?.round === clock.round ? mine.result : null;
  const bets = mine.stakes.map((stake) => betOf(stake, view, unit, result));
  const sum = (of: (bet: BetView) => number) => bets.reduce((total, bet) => total + of(bet), 0);
  return {
    ...view,
    bets,
    staked_minor: result?.staked_minor ?? sum(({ stake_minor }) => stake_minor),
    returned_minor: result?.returned_minor ?? sum(({ returned_minor }) => returned_minor ?? 0),
  };
}

function betOf(
  { bet, stake_minor }: Stake,
  view: CoupView,
  unit: number,
  result: PlayerResult | null,
): BetView {
  const line = result?.lines.find((one) => one.bet === bet);
  if (line) return { bet, stake_minor, returned_minor: line.returned_minor, outcome: line.outcome };
  if (!view.ended) return { bet, stake_minor, returned_minor: null, outcome: null };
  const shared = view.bets.find((one) => one.bet === bet);
  const returned_minor = Math.floor(((shared?.returned_minor ?? 0) * stake_minor) / unit);
  return { bet, stake_minor, returned_minor, outcome: shared?.outcome ?? 'lost' };
}
