// Made from croupier.games.roulette.view by `python -m tools.wire_ts`: change it there.
import type * as players from '../../wire';

/** `pocket` is empty and `colour` None before the ball has come to rest. */
export interface RouletteView {
  readonly game: "roulette";
  readonly bets: ReadonlyArray<players.BetView>;
  readonly ended: boolean;
  readonly staked_minor: number;
  readonly returned_minor: number;
  readonly won: ReadonlyArray<string>;
  readonly result: string;
  readonly pocket: string;
  readonly colour: "black" | "green" | "red" | null;
}
