import type { CoupView } from '../../games/drawing';
import { stakes, type Bets } from '../../table/betting';
import type { Line } from '../../table/ResultLines.svelte';
import type { BetView } from '../../wire';

/** The stakes and results drawn on a coup's layout. */
export interface LayoutState {
  readonly stakes: ReadonlyMap<string, number>;
  /** The return of each of the player's bets; null until settled. */
  readonly returned: ReadonlyMap<string, number> | null;
  readonly won: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** The chips as they are placed. */
export const unsentLayout = (bets: Bets): LayoutState => ({
  stakes: new Map(stakes(bets).map(({ bet, stake_minor }) => [bet, stake_minor])),
  returned: null,
  won: NONE,
});

/** The chips of a coup in play; `settled` once the result may be shown. */
export const coupLayout = (view: CoupView, settled: boolean): LayoutState => ({
  stakes: new Map(view.bets.map(({ bet, stake_minor }) => [bet, stake_minor])),
  returned: settled ? new Map(view.bets.map((bet) => [bet.bet, bet.returned_minor ?? 0])) : null,
  won: settled ? new Set(view.won) : NONE,
});

/** The player's bets one by one, for the result. */
export const resultLines = (bets: readonly BetView[], titleOf: (bet: string) => string): Line[] =>
  bets.map(({ bet, stake_minor, returned_minor, outcome }) => ({
    name: titleOf(bet),
    stake_minor,
    returned_minor: returned_minor ?? 0,
    outcome: outcome ?? '',
  }));
