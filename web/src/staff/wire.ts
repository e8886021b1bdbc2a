// Made from croupier.server.staff.wire by `python -m tools.wire_ts`: change it there.
import type * as players from '../wire';
export const PROTOCOL = 1;
export type Action = DealCard | NoSpin | CutCardOut | ShoeShuffled | SayAsDealer | PauseTable | ResumeTable | OpenTable | CloseTable | VoidRound | CorrectCard | SetLimits | SetDealer | MutePlayer | TakeLineAway | LeaveLine;
export type Command = Hello | Ping | DealCard | NoSpin | CutCardOut | ShoeShuffled | SayAsDealer | PauseTable | ResumeTable | OpenTable | CloseTable | VoidRound | CorrectCard | SetLimits | SetDealer | MutePlayer | TakeLineAway | LeaveLine;
export type DealtBy = "automatic" | "person";
export type Form = "" | "card" | "dice" | "down" | "look" | "pocket";
export type Message = Welcome | Pong | Ok | No | Upgrade | SignedOut | FloorNow | TableNow | ChatNow;
export type Role = "dealer" | "manager";

/** Where the round is. `left_ms` instead of `deadline_ms` while the table is paused. */
export interface Clock {
  readonly phase: players.Phase;
  readonly light: players.Light;
  readonly deadline_ms: number | null;
  readonly left_ms: number | null;
  readonly paused: string;
  readonly round: string;
  readonly number: string;
}

/** The smallest and largest stake. */
export interface Range {
  readonly min_minor: number;
  readonly max_minor: number;
}

/** The first message on a connection; `table` empty: the floor, which is the manager's. */
export interface Hello {
  readonly t: "hello";
  readonly protocol: number;
  readonly table?: string;
}

/** Every 2.5 s; answered by `pong`. Nobody stays signed in by it. */
export interface Ping {
  readonly t: "ping";
}

/** The answer to what is wanted: `KS`, `down`, `yes`, `17`, `1-3-6`; `ask`: the number of the question. */
export interface DealCard {
  readonly t: "deal_card";
  readonly req: string;
  readonly table: string;
  readonly what: string;
  readonly ask: number;
}

/** The spin or the roll that is wanted wasn't valid, and is done again. */
export interface NoSpin {
  readonly t: "no_spin";
  readonly req: string;
  readonly table: string;
}

/** The cut card has come: this round is the shoe's last. */
export interface CutCardOut {
  readonly t: "cut_card_out";
  readonly req: string;
  readonly table: string;
}

/** This shoe lies ready. */
export interface ShoeShuffled {
  readonly t: "shoe_shuffled";
  readonly req: string;
  readonly table: string;
  readonly shoe: number;
}

export interface SayAsDealer {
  readonly t: "say_as_dealer";
  readonly req: string;
  readonly table: string;
  readonly text: string;
}

/** Anybody on the floor stops a table; the manager lets it go on, or voids the round. */
export interface PauseTable {
  readonly t: "pause_table";
  readonly req: string;
  readonly table: string;
  readonly reason: string;
}

export interface ResumeTable {
  readonly t: "resume_table";
  readonly req: string;
  readonly table: string;
  readonly reason?: string | null;
}

export interface OpenTable {
  readonly t: "open_table";
  readonly req: string;
  readonly table: string;
  readonly reason?: string | null;
}

/** After the round that is played. */
export interface CloseTable {
  readonly t: "close_table";
  readonly req: string;
  readonly table: string;
  readonly reason?: string | null;
}

export interface VoidRound {
  readonly t: "void_round";
  readonly req: string;
  readonly table: string;
  readonly round: string;
  readonly reason: string;
}

/** What was entered as `was`, at that `place` of those that may be corrected, was in truth `what`. */
export interface CorrectCard {
  readonly t: "correct_card";
  readonly req: string;
  readonly table: string;
  readonly round: string;
  readonly place: number;
  readonly was: string;
  readonly what: string;
  readonly reason: string;
}

/** All limits of the table from the next round on, by currency; what isn't named has none of its own. */
export interface SetLimits {
  readonly t: "set_limits";
  readonly req: string;
  readonly table: string;
  /** Of main bets. */
  readonly limits: Readonly<Record<string, Range>>;
  readonly side_limits: Readonly<Record<string, Range>>;
  /** By the kind of bet: they go before the other two. */
  readonly kind_limits: Readonly<Record<string, Readonly<Record<string, Range>>>>;
  /** Of all bets of a player in a round together. */
  readonly table_limits: Readonly<Record<string, Range>>;
  readonly reason?: string | null;
}

/** Who deals from the next round on. */
export interface SetDealer {
  readonly t: "set_dealer";
  readonly req: string;
  readonly table: string;
  readonly by: DealtBy;
  readonly reason?: string | null;
}

/** `player` as in his lines of chat. 0 minutes: he may speak again. */
export interface MutePlayer {
  readonly t: "mute_player";
  readonly req: string;
  readonly table: string;
  readonly player: string;
  readonly minutes: number;
  readonly reason?: string | null;
}

export interface TakeLineAway {
  readonly t: "take_line_away";
  readonly req: string;
  readonly table: string;
  readonly line: number;
  readonly reason?: string | null;
}

/** A reported line may stay. */
export interface LeaveLine {
  readonly t: "leave_line";
  readonly req: string;
  readonly table: string;
  readonly line: number;
}

export interface Welcome {
  readonly t: "welcome";
  readonly protocol: number;
  readonly server: string;
  readonly now_ms: number;
  readonly name: string;
  readonly role: Role;
  readonly currencies: ReadonlyArray<players.CurrencyView>;
}

export interface Pong {
  readonly t: "pong";
  readonly now_ms: number;
}

export interface Ok {
  readonly t: "ok";
  readonly req: string;
}

/** A refusal: `code` and `args` make the sentence; nothing has changed. */
export interface No {
  readonly t: "no";
  readonly req: string;
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** The browser speaks another protocol: reload the page. */
export interface Upgrade {
  readonly t: "upgrade";
  readonly protocol: number;
}

/** The session has ended: sign in again. */
export interface SignedOut {
  readonly t: "signed_out";
}

export interface CurrencyRanges {
  readonly currency: string;
  readonly main: Range;
  readonly side: Range | null;
  /** Of kinds of bets that have limits of their own. */
  readonly kinds: Readonly<Record<string, Range>>;
  /** Of all bets of a player in a round together. */
  readonly table: Range | null;
}

/** A live table among all. `limits` are those of the next round. */
export interface FloorTable {
  readonly table: string;
  readonly title: string;
  readonly clock: Clock;
  /** It closes when the round is over. */
  readonly closing: boolean;
  readonly players: number;
  readonly seats_taken: number;
  /** 0: everybody shares one deal. */
  readonly seats: number;
  readonly dealer: DealtBy;
  /** Who of the staff has the dealer's page of this table open. */
  readonly dealers: ReadonlyArray<string>;
  /** What who deals has been asked for; empty: nothing. */
  readonly wanted: string;
  readonly limits: ReadonlyArray<CurrencyRanges>;
  /** Lines of chat that players reported. */
  readonly reports: number;
}

export interface FloorNow {
  readonly t: "floor";
  readonly tables: ReadonlyArray<FloorTable>;
}

export interface SeatTaken {
  readonly seat: number;
  readonly name: string;
}

/** One table for who deals at it, and for the manager who looks on. Nothing in it tells a bet before the bets are closed: `round` is there from then on. */
export interface Table {
  readonly clock: Clock;
  /** It closes when the round is over. */
  readonly closing: boolean;
  /** What is to be done next, in words: `the player's second card`. */
  readonly wanted: string;
  readonly form: Form;
  readonly ask: number;
  /** Of the wheel that is spun, or was spun last in this round, in its order; empty: there is none. */
  readonly pockets: ReadonlyArray<string>;
  /** How many are rolled, or were rolled last in this round; 0: none. */
  readonly dice: number;
  /** What a manager can still correct, oldest first: the answers since the last window closed, or a fresh shoe's first card. */
  readonly dealt: ReadonlyArray<string>;
  /** Shoes that are to be shuffled. */
  readonly shuffle: ReadonlyArray<number>;
  /** So many cards lie behind the cut card of a shuffled shoe; 0: it has none. */
  readonly behind_cut: number;
  readonly shoe: number;
  readonly shoes: number;
  /** It is out. */
  readonly cut_card: boolean;
  /** No round follows from this shoe. */
  readonly last_round: boolean;
  readonly players: number;
  readonly seats: number;
  readonly seats_taken: ReadonlyArray<SeatTaken>;
  readonly dealer: DealtBy;
  readonly round: players.RoundView | null;
}

export interface TableNow {
  readonly t: "table";
  readonly table: string;
  readonly title: string;
  readonly now: Table;
}

/** `times`: how many players told the floor of it. */
export interface ReportedLine {
  readonly line: players.ChatLine;
  readonly times: number;
}

/** `reports` are the manager's. */
export interface ChatNow {
  readonly t: "chat";
  readonly table: string;
  readonly lines: ReadonlyArray<players.ChatLine>;
  readonly reports: ReadonlyArray<ReportedLine>;
}

/** POST /api/staff/sign-in: sets the cookie of a session. */
export interface SignIn {
  readonly name: string;
  readonly code: string;
}

/** GET /api/staff/me. */
export interface Me {
  readonly name: string;
  readonly role: Role;
}

/** One action. `what` is the command's `t`, `details` the rest of it. `answer`: `ok`, the code of a refusal, or empty where the house was cut off before it knew. */
export interface LogLine {
  readonly id: string;
  readonly at_ms: number;
  readonly name: string;
  /** The operator's, who adds and removes staff, is `operator`. */
  readonly role: string;
  readonly what: string;
  readonly table: string;
  readonly round: string;
  readonly reason: string;
  readonly details: Readonly<Record<string, string>>;
  readonly answer: string;
}

/** GET /api/staff/log?before=&text=&table=: newest first; the next page comes `before` the last. */
export interface Log {
  readonly lines: ReadonlyArray<LogLine>;
  readonly more: boolean;
}
