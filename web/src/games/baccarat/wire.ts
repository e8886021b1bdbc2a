// Made from croupier.games.baccarat.view by `python -m tools.wire_ts`: change it there.
import type * as players from '../../wire';

/** A hand of baccarat. */
export interface BaccaratHand {
  readonly cards: ReadonlyArray<string>;
  /** The points after each of the cards: `(0, 3, 9)`. */
  readonly totals: ReadonlyArray<number>;
  readonly natural: boolean;
}

/** A coup of baccarat. */
export interface BaccaratView {
  readonly game: "baccarat";
  readonly bets: ReadonlyArray<players.BetView>;
  readonly ended: boolean;
  readonly staked_minor: number;
  /** 0 until the coup has ended. */
  readonly returned_minor: number;
  /** All bets of the table that won, laid or not; empty until the coup has ended. */
  readonly won: ReadonlyArray<string>;
  /** The result as a word; empty until the coup has ended. */
  readonly result: string;
  readonly player: BaccaratHand;
  readonly banker: BaccaratHand;
  /** Null until the coup has ended. */
  readonly winner: "banker" | "player" | "tie" | null;
}
