// Made from croupier.games.blackjack.view by `python -m tools.wire_ts`: change it there.
export type Action = "decline_even_money" | "decline_insurance" | "double" | "hit" | "insure" | "split" | "stand" | "take_even_money";
export type Outcome = "blackjack" | "bust" | "charlie" | "even_money" | "lost" | "pushed" | "won";

/** A hand of a box. `low` counts every ace as 1; `total` is the best total. */
export interface HandView {
  readonly cards: ReadonlyArray<string>;
  readonly low: number;
  readonly total: number;
  readonly blackjack: boolean;
  readonly doubled: boolean;
  readonly finished: boolean;
  readonly stake_minor: number;
  readonly returned_minor: number | null;
  /** None until the round has ended; a bust shows at once. */
  readonly outcome: Outcome | null;
}

export interface SideBetView {
  readonly bet: string;
  readonly stake_minor: number;
  readonly returned_minor: number | null;
  /** The paytable's line that won, `lost` or `pushed`; None until it is settled. */
  readonly outcome: string | null;
}

export interface InsuranceView {
  readonly stake_minor: number;
  readonly returned_minor: number | null;
}

export interface BoxView {
  readonly box: number;
  readonly stake_minor: number;
  readonly hands: ReadonlyArray<HandView>;
  readonly side_bets: ReadonlyArray<SideBetView>;
  readonly insurance: InsuranceView | null;
}

/** `face_down` says that a card nobody has seen lies beside `cards`. */
export interface DealerView {
  readonly cards: ReadonlyArray<string>;
  readonly face_down: boolean;
  readonly low: number;
  readonly total: number;
  readonly blackjack: boolean;
  readonly bust: boolean;
}

/** An option on offer; `cost_minor` more must be staked, or as little as `cost_min_minor`. */
export interface OptionView {
  readonly action: Action;
  readonly cost_minor: number;
  readonly cost_min_minor: number;
  /** False: the player's balance doesn't cover the cost. */
  readonly covered: boolean;
}

/** The decision the round waits for. */
export interface TurnView {
  readonly box: number;
  readonly hand: number;
  readonly options: ReadonlyArray<OptionView>;
}

export interface BlackjackView {
  readonly game: "blackjack";
  readonly boxes: ReadonlyArray<BoxView>;
  readonly dealer: DealerView;
  /** The decisions open now: none, one, or several where boxes decide together (insurance). */
  readonly turns: ReadonlyArray<TurnView>;
  readonly ended: boolean;
  readonly staked_minor: number;
  /** 0 until the round has ended. */
  readonly returned_minor: number;
}
