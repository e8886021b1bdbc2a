// Made from croupier.games.blackjack.view by `python -m tools.wire_ts`: change it there.
export type Action = "decline_even_money" | "decline_insurance" | "double" | "hit" | "insure" | "split" | "stand" | "take_even_money";
export type Outcome = "blackjack" | "bust" | "charlie" | "even_money" | "lost" | "pushed" | "won";

/** A hand of a box. */
export interface HandView {
  readonly cards: ReadonlyArray<string>;
  readonly low: number;
  readonly total: number;
  readonly blackjack: boolean;
  readonly doubled: boolean;
  readonly finished: boolean;
  readonly stake_minor: number;
  readonly returned_minor: number | null;
  /** Null until the round has ended; a bust shows at once. */
  readonly outcome: Outcome | null;
}

/** A side bet of a box. */
export interface SideBetView {
  readonly bet: string;
  readonly stake_minor: number;
  readonly returned_minor: number | null;
  /** The winning line of the paytable, `lost` or `pushed`; null until it is settled. */
  readonly outcome: string | null;
}

/** The insurance of a box. */
export interface InsuranceView {
  readonly stake_minor: number;
  readonly returned_minor: number | null;
}

/** A box with its hands and bets. */
export interface BoxView {
  readonly box: number;
  readonly stake_minor: number;
  readonly hands: ReadonlyArray<HandView>;
  readonly side_bets: ReadonlyArray<SideBetView>;
  readonly insurance: InsuranceView | null;
}

/** The dealer's hand, as far as it has been seen. */
export interface DealerView {
  readonly cards: ReadonlyArray<string>;
  readonly face_down: boolean;
  readonly low: number;
  readonly total: number;
  readonly blackjack: boolean;
  readonly bust: boolean;
}

/** An available action. It costs `cost_minor` more, or as little as `cost_min_minor`. */
export interface OptionView {
  readonly action: Action;
  readonly cost_minor: number;
  readonly cost_min_minor: number;
  /** False: the player's balance doesn't cover the cost. */
  readonly covered: boolean;
  /** The default decision if the balance doesn't cover the cost; empty if it costs nothing. */
  readonly instead: Action | "";
}

/** A decision that the round waits for. */
export interface TurnView {
  readonly box: number;
  readonly hand: number;
  readonly options: ReadonlyArray<OptionView>;
}

/** A round of blackjack. */
export interface BlackjackView {
  readonly game: "blackjack";
  readonly boxes: ReadonlyArray<BoxView>;
  readonly dealer: DealerView;
  /** The decisions open now: none, one, or several if boxes decide together (insurance). */
  readonly turns: ReadonlyArray<TurnView>;
  readonly ended: boolean;
  readonly staked_minor: number;
  /** 0 until the round has ended. */
  readonly returned_minor: number;
}
