// Made from croupier.games.football_studio.view by `python -m tools.wire_ts`: change it there.
import type * as players from '../../wire';

/** A coup of football studio. */
export interface FootballStudioView {
  readonly game: "football_studio";
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
  readonly home: string | null;
  readonly away: string | null;
  /** Null until the coup has ended. */
  readonly winner: "away" | "draw" | "home" | null;
}
