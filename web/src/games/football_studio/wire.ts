// Made from croupier.games.football_studio.view by `python -m tools.wire_ts`: change it there.
import type * as players from '../../wire';

export interface FootballStudioView {
  readonly game: "football_studio";
  readonly bets: ReadonlyArray<players.BetView>;
  readonly ended: boolean;
  readonly staked_minor: number;
  readonly returned_minor: number;
  readonly won: ReadonlyArray<string>;
  readonly result: string;
  /** The card; None until it is dealt. */
  readonly home: string | null;
  readonly away: string | null;
  /** None until the coup has ended. */
  readonly winner: "away" | "draw" | "home" | null;
}
