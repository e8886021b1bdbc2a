// Made from croupier.games.sic_bo.view by `python -m tools.wire_ts`: change it there.
import type * as players from '../../wire';

/** A roll of sic bo. */
export interface SicBoView {
  readonly game: "sic_bo";
  readonly bets: ReadonlyArray<players.BetView>;
  readonly ended: boolean;
  readonly staked_minor: number;
  /** 0 until the coup has ended. */
  readonly returned_minor: number;
  /** All bets of the table that won, laid or not; empty until the coup has ended. */
  readonly won: ReadonlyArray<string>;
  /** The result as a word; empty until the coup has ended. */
  readonly result: string;
  /** The faces as rolled; empty until then. */
  readonly dice: ReadonlyArray<number>;
}
