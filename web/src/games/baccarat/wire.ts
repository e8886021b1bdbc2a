// Made from croupier.games.baccarat.view by `python -m tools.wire_ts`: change it there.
import type * as players from '../../wire';

export interface BaccaratHand {
  readonly cards: ReadonlyArray<string>;
  /** The points after each of the cards: `(0, 3, 9)`. */
  readonly totals: ReadonlyArray<number>;
  readonly natural: boolean;
}

export interface BaccaratView {
  readonly game: "baccarat";
  readonly bets: ReadonlyArray<players.BetView>;
  readonly ended: boolean;
  readonly staked_minor: number;
  readonly returned_minor: number;
  readonly won: ReadonlyArray<string>;
  readonly result: string;
  readonly player: BaccaratHand;
  readonly banker: BaccaratHand;
  /** None until the coup has ended. */
  readonly winner: "banker" | "player" | "tie" | null;
}
