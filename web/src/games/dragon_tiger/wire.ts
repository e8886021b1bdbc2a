// Made from croupier.games.dragon_tiger.view by `python -m tools.wire_ts`: change it there.
import type * as players from '../../wire';

/** A coup of dragon tiger. */
export interface DragonTigerView {
  readonly game: "dragon_tiger";
  readonly bets: ReadonlyArray<players.BetView>;
  readonly ended: boolean;
  readonly staked_minor: number;
  /** 0 until the coup has ended. */
  readonly returned_minor: number;
  /** All bets of the table that won, laid or not; empty until the coup has ended. */
  readonly won: ReadonlyArray<string>;
  /** The result as a word; empty until the coup has ended. */
  readonly result: string;
  /** The card; null until it is dealt. */
  readonly dragon: string | null;
  readonly tiger: string | null;
  /** Null until the coup has ended. */
  readonly winner: "dragon" | "tie" | "tiger" | null;
  /** True if the coup ended in a tie of one suit. */
  readonly suited: boolean;
}
