// Made from croupier.protocol.staff_wire by `python -m tools.wire_ts`: change it there.
import type * as players from '../wire';
export const PROTOCOL = 1;
export type Action = EnterResult | DeclareNoSpin | ReportCutCard | ConfirmShuffle | PostDealerChat | PauseTable | ResumeTable | OpenTable | CloseTable | VoidRound | CorrectCard | SetLimits | SetDealer | MutePlayer | RemoveChatLine | DismissReport;
export type AnswerForm = "" | "card" | "dice" | "down" | "look" | "pocket";
export type Command = Hello | Ping | EnterResult | DeclareNoSpin | ReportCutCard | ConfirmShuffle | PostDealerChat | PauseTable | ResumeTable | OpenTable | CloseTable | VoidRound | CorrectCard | SetLimits | SetDealer | MutePlayer | RemoveChatLine | DismissReport;
export type DealtBy = "automatic" | "person";
export type Message = Welcome | Pong | Ok | No | Upgrade | SignedOut | TablesOverview | DealerTableUpdate | ChatState;
export type Role = "dealer" | "manager";

/** The phase of the round. `left_ms` replaces `deadline_ms` while the table is paused. */
export interface Clock {
  readonly phase: players.Phase;
  readonly light: players.Light;
  readonly deadline_ms: number | null;
  readonly left_ms: number | null;
  readonly paused: string;
  readonly round: string;
  readonly number: string;
}

/** The smallest and the largest stake. */
export interface LimitRange {
  readonly min_minor: number;
  readonly max_minor: number;
}

/** The first message on a connection, and again to look at something else. */
export interface Hello {
  readonly t: "hello";
  readonly protocol: number;
  readonly table?: string;
}

/** Show that the client is there, every 2.5 s. Answered by `pong`. It doesn't prolong the session. */
export interface Ping {
  readonly t: "ping";
}

/** Enter what came up: a card `KS`, `down` for one face down, `yes`, `no`, a pocket `17`, dice `1-3-6`. */
export interface EnterResult {
  readonly t: "deal_card";
  readonly req: string;
  readonly table: string;
  readonly what: string;
  readonly ask: number;
}

/** Declare the spin or the roll invalid. It is repeated. */
export interface DeclareNoSpin {
  readonly t: "no_spin";
  readonly req: string;
  readonly table: string;
}

/** Say that the cut card has come out: this round is the shoe's last. */
export interface ReportCutCard {
  readonly t: "cut_card_out";
  readonly req: string;
  readonly table: string;
}

/** Say that this shoe is shuffled and ready. */
export interface ConfirmShuffle {
  readonly t: "shoe_shuffled";
  readonly req: string;
  readonly table: string;
  readonly shoe: number;
}

/** Send a line of chat as the dealer. */
export interface PostDealerChat {
  readonly t: "say_as_dealer";
  readonly req: string;
  readonly table: string;
  readonly text: string;
}

/** Pause the table. Any member of staff may; only a manager resumes it or voids the round. */
export interface PauseTable {
  readonly t: "pause_table";
  readonly req: string;
  readonly table: string;
  readonly reason: string;
}

/** Resume a table that is paused. */
export interface ResumeTable {
  readonly t: "resume_table";
  readonly req: string;
  readonly table: string;
  readonly reason?: string | null;
}

/** Open a table that is closed. */
export interface OpenTable {
  readonly t: "open_table";
  readonly req: string;
  readonly table: string;
  readonly reason?: string | null;
}

/** Close the table after the running round. */
export interface CloseTable {
  readonly t: "close_table";
  readonly req: string;
  readonly table: string;
  readonly reason?: string | null;
}

/** Cancel the round and return every stake. */
export interface VoidRound {
  readonly t: "void_round";
  readonly req: string;
  readonly table: string;
  readonly round: string;
  readonly reason: string;
}

/** Correct what was entered. */
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

/** Set all limits of the table from the next round on, by currency. What isn't named has none. */
export interface SetLimits {
  readonly t: "set_limits";
  readonly req: string;
  readonly table: string;
  /** Of main bets. */
  readonly limits: Readonly<Record<string, LimitRange>>;
  readonly side_limits: Readonly<Record<string, LimitRange>>;
  /** By the kind of bet: they go before the other two. */
  readonly kind_limits: Readonly<Record<string, Readonly<Record<string, LimitRange>>>>;
  /** Of all bets of a player in a round together. */
  readonly table_limits: Readonly<Record<string, LimitRange>>;
  readonly reason?: string | null;
}

/** Set who deals from the next round on. The table must be closed. */
export interface SetDealer {
  readonly t: "set_dealer";
  readonly req: string;
  readonly table: string;
  readonly by: DealtBy;
  readonly reason?: string | null;
}

/** Mute a player in this table's chat for some minutes; 0 unmutes. */
export interface MutePlayer {
  readonly t: "mute_player";
  readonly req: string;
  readonly table: string;
  readonly player: string;
  readonly minutes: number;
  readonly reason?: string | null;
}

/** Remove a line of chat. */
export interface RemoveChatLine {
  readonly t: "take_line_away";
  readonly req: string;
  readonly table: string;
  readonly line: number;
  readonly reason?: string | null;
}

/** Let a reported line of chat stay. */
export interface DismissReport {
  readonly t: "leave_line";
  readonly req: string;
  readonly table: string;
  readonly line: number;
}

/** Answers `hello`. */
export interface Welcome {
  readonly t: "welcome";
  readonly protocol: number;
  readonly server: string;
  readonly now_ms: number;
  readonly name: string;
  readonly role: Role;
  readonly currencies: ReadonlyArray<players.CurrencyView>;
}

/** Answers `ping`. */
export interface Pong {
  readonly t: "pong";
  readonly now_ms: number;
}

/** The command is carried out, and in the event log. */
export interface Ok {
  readonly t: "ok";
  readonly req: string;
}

/** The command, or the frame where `req` is empty, is refused and nothing has changed. */
export interface No {
  readonly t: "no";
  readonly req: string;
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** The client speaks another version of the protocol. Nothing else works on this connection. */
export interface Upgrade {
  readonly t: "upgrade";
  readonly protocol: number;
}

/** The session has ended: sign in again. */
export interface SignedOut {
  readonly t: "signed_out";
}

/** A table's limits in one currency. */
export interface CurrencyLimitRanges {
  readonly currency: string;
  /** From the smallest stake that any main bet takes to the largest, as the lobby shows it. */
  readonly span: LimitRange;
  readonly main: LimitRange;
  readonly side: LimitRange | null;
  /** Of kinds of bets that have limits of their own. */
  readonly kinds: Readonly<Record<string, LimitRange>>;
  /** Of all bets of a player in a round together. */
  readonly table: LimitRange | null;
}

/** A live table among all. `limits` are those of the next round. */
export interface TableSummary {
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
  readonly limits: ReadonlyArray<CurrencyLimitRanges>;
  /** Lines of chat that players reported. */
  readonly reports: number;
}

/** All live tables. It replaces the message before. */
export interface TablesOverview {
  readonly t: "floor";
  readonly tables: ReadonlyArray<TableSummary>;
}

/** A table, for whoever deals it or looks on. It shows no bets before they are closed. */
export interface DealerTableState {
  readonly clock: Clock;
  /** It closes when the round is over. */
  readonly closing: boolean;
  /** What is to be done next, in words: `the player's second card`. */
  readonly wanted: string;
  readonly form: AnswerForm;
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
  readonly seats_taken: ReadonlyArray<players.OccupiedSeat>;
  readonly dealer: DealtBy;
  readonly round: players.RoundView | null;
}

/** One live table. It replaces the message before. */
export interface DealerTableUpdate {
  readonly t: "table";
  readonly table: string;
  readonly title: string;
  readonly now: DealerTableState;
}

/** A line of chat that players reported. */
export interface ReportedLine {
  readonly line: players.ChatLine;
  readonly times: number;
}

/** The table's chat. It replaces the message before. */
export interface ChatState {
  readonly t: "chat";
  readonly table: string;
  readonly lines: ReadonlyArray<players.ChatLine>;
  readonly reports: ReadonlyArray<ReportedLine>;
}

/** A name and the code that the operator handed out. */
export interface SignIn {
  readonly name: string;
  readonly code: string;
}

/** The member of staff whose session it is. */
export interface Me {
  readonly name: string;
  readonly role: Role;
}

/** An action in the event log. */
export interface EventLogLine {
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

/** A page of the event log. */
export interface EventLogPage {
  readonly lines: ReadonlyArray<EventLogLine>;
  readonly more: boolean;
}
