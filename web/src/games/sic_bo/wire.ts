// Made from croupier.games.sic_bo.view by `python -m tools.wire_ts`: change it there.
import type * as players from '../../wire';

export interface SicBoView {
  readonly game: "sic_bo";
  readonly bets: ReadonlyArray<players.BetView>;
  readonly ended: boolean;
  readonly staked_minor: number;
  readonly returned_minor: number;
  readonly won: ReadonlyArray<string>;
  readonly result: string;
  /** The faces as they were rolled; empty until then. */
  readonly dice: ReadonlyArray<number>;
}
