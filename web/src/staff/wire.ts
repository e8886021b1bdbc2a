// Made from croupier.protocol.staff_wire by `python -m tools.wire_ts`: change it there.
import type * as players from '../wire';
export const PROTOCOL = 2;
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

/** Smallest and largest stake. */
export interface LimitRange {
  readonly min_minor: number;
  readonly max_minor: number;
}

/** Open the session. Must be the first message on a connection; send it again to watch something else. */
export interface Hello {
  readonly t: "hello";
  readonly protocol: number;
  readonly table?: string;
}

/** Keep the connection alive; send it every 2.5 s. Answered by `pong`. Doesn't extend the session. */
export interface Ping {
  readonly t: "ping";
}

/** Enter a result: a card `KS`, `down` for a face-down card, `yes`, `no`, a pocket `17`, dice `1-3-6`. */
export interface EnterResult {
  readonly t: "deal_card";
  readonly req: string;
  readonly table: string;
  readonly what: string;
  readonly ask: number;
}

/** Declare the spin or roll invalid. It is repeated. */
export interface DeclareNoSpin {
  readonly t: "no_spin";
  readonly req: string;
  readonly table: string;
}

/** Report that the cut card came out, so this round is the last from the shoe. */
export interface ReportCutCard {
  readonly t: "cut_card_out";
  readonly req: string;
  readonly table: string;
}

/** Confirm that a shoe is shuffled and ready. */
export interface ConfirmShuffle {
  readonly t: "shoe_shuffled";
  readonly req: string;
  readonly table: string;
  readonly shoe: number;
}

/** Post a chat line as the dealer. */
export interface PostDealerChat {
  readonly t: "say_as_dealer";
  readonly req: string;
  readonly table: string;
  readonly text: string;
}

/** Pause the table. Dealers may do this too; only a manager can resume it or void the round. */
export interface PauseTable {
  readonly t: "pause_table";
  readonly req: string;
  readonly table: string;
  readonly reason: string;
}

/** Resume a paused table. */
export interface ResumeTable {
  readonly t: "resume_table";
  readonly req: string;
  readonly table: string;
  readonly reason?: string | null;
}

/** Open a closed table. */
export interface OpenTable {
  readonly t: "open_table";
  readonly req: string;
  readonly table: string;
  readonly reason?: string | null;
}

/** Close the table after the current round. */
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

/** Correct an entered result. */
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

/** Replace all limits of the table from the next round on, by currency. Omitted limits are removed. */
export interface SetLimits {
  readonly t: "set_limits";
  readonly req: string;
  readonly table: string;
  /** Limits of main bets. */
  readonly limits: Readonly<Record<string, LimitRange>>;
  readonly side_limits: Readonly<Record<string, LimitRange>>;
  /** Limits by kind of bet; they take precedence over the other two. */
  readonly kind_limits: Readonly<Record<string, Readonly<Record<string, LimitRange>>>>;
  /** Limits on a player's total stake in a round. */
  readonly table_limits: Readonly<Record<string, LimitRange>>;
  readonly reason?: string | null;
}

/** Choose who deals from the next round on. An open table closes after its round and reopens. */
export interface SetDealer {
  readonly t: "set_dealer";
  readonly req: string;
  readonly table: string;
  readonly by: DealtBy;
  readonly reason?: string | null;
}

/** Mute a player in this table's chat. */
export interface MutePlayer {
  readonly t: "mute_player";
  readonly req: string;
  readonly table: string;
  readonly player: string;
  readonly minutes: number;
  readonly reason?: string | null;
}

/** Remove a chat line. */
export interface RemoveChatLine {
  readonly t: "take_line_away";
  readonly req: string;
  readonly table: string;
  readonly line: number;
  readonly reason?: string | null;
}

/** Dismiss the reports of a chat line. */
export interface DismissReport {
  readonly t: "leave_line";
  readonly req: string;
  readonly table: string;
  readonly line: number;
}

/** Answer to `hello`. */
export interface Welcome {
  readonly t: "welcome";
  readonly protocol: number;
  readonly server: string;
  readonly now_ms: number;
  readonly name: string;
  readonly role: Role;
  readonly currencies: ReadonlyArray<players.CurrencyView>;
}

/** Answer to `ping`. */
export interface Pong {
  readonly t: "pong";
  readonly now_ms: number;
}

/** The command was executed and logged. */
export interface Ok {
  readonly t: "ok";
  readonly req: string;
}

/** The command (or the frame, if `req` is empty) was refused and changed nothing. */
export interface No {
  readonly t: "no";
  readonly req: string;
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** The client uses another protocol version. Nothing else works on this connection. */
export interface Upgrade {
  readonly t: "upgrade";
  readonly protocol: number;
}

/** The session ended; sign in again. */
export interface SignedOut {
  readonly t: "signed_out";
}

/** Limits of a table in one currency. */
export interface CurrencyLimitRanges {
  readonly currency: string;
  /** Smallest to largest stake of any main bet, as shown in the lobby. */
  readonly span: LimitRange;
  readonly main: LimitRange;
  readonly side: LimitRange | null;
  /** Limits of those kinds of bets that have their own. */
  readonly kinds: Readonly<Record<string, LimitRange>>;
  /** Limits on a player's total stake in a round. */
  readonly table: LimitRange | null;
}

/** Summary of a live table. `limits` apply from the next round on. */
export interface TableSummary {
  readonly table: string;
  readonly title: string;
  readonly clock: Clock;
  /** Whether it closes after the current round. */
  readonly closing: boolean;
  readonly players: number;
  readonly seats_taken: number;
  /** Number of seats; 0: all players share one deal. */
  readonly seats: number;
  readonly dealer: DealtBy;
  /** Dealers who have this table's page open. */
  readonly dealers: ReadonlyArray<string>;
  /** Action requested from the dealer; empty: none. */
  readonly wanted: string;
  readonly limits: ReadonlyArray<CurrencyLimitRanges>;
  /** Number of reported chat lines. */
  readonly reports: number;
}

/** All live tables. Replaces the previous message. */
export interface TablesOverview {
  readonly t: "floor";
  readonly tables: ReadonlyArray<TableSummary>;
}

/** State of a table for its dealer or a watching manager. No bets are shown until betting closes. */
export interface DealerTableState {
  readonly clock: Clock;
  /** Whether it closes after the current round. */
  readonly closing: boolean;
  /** Next action, in words: `the player's second card`. */
  readonly wanted: string;
  readonly form: AnswerForm;
  readonly ask: number;
  /** Pockets, in wheel order, of the wheel spun in this round; empty: none. */
  readonly pockets: ReadonlyArray<string>;
  /** Number of dice rolled in this round; 0: none. */
  readonly dice: number;
  /** Entries that a manager can still correct, oldest first: those since the last decision window closed, or the first card of a fresh shoe. */
  readonly dealt: ReadonlyArray<string>;
  /** Shoes that need shuffling. */
  readonly shuffle: ReadonlyArray<number>;
  /** Number of cards behind the cut card of a shuffled shoe; 0: there is no cut card. */
  readonly behind_cut: number;
  readonly shoe: number;
  readonly shoes: number;
  /** Whether the cut card is out. */
  readonly cut_card: boolean;
  /** Whether this is the last round from the shoe. */
  readonly last_round: boolean;
  readonly players: number;
  readonly seats: number;
  readonly seats_taken: ReadonlyArray<players.OccupiedSeat>;
  readonly dealer: DealtBy;
  readonly round: players.RoundView | null;
}

/** State of one live table. Replaces the previous message. */
export interface DealerTableUpdate {
  readonly t: "table";
  readonly table: string;
  readonly title: string;
  readonly now: DealerTableState;
}

/** A reported chat line. */
export interface ReportedLine {
  readonly line: players.ChatLine;
  readonly times: number;
}

/** Chat of the table. Replaces the previous message. */
export interface ChatState {
  readonly t: "chat";
  readonly table: string;
  readonly lines: ReadonlyArray<players.ChatLine>;
  readonly reports: ReadonlyArray<ReportedLine>;
}

/** Name and sign-in code of a member of staff. */
export interface SignIn {
  readonly name: string;
  readonly code: string;
}

/** The signed-in member of staff. */
export interface Me {
  readonly name: string;
  readonly role: Role;
}

/** An entry of the event log. */
export interface EventLogLine {
  readonly id: string;
  readonly at_ms: number;
  readonly name: string;
  /** Role; `operator` for commands from the terminal, `house` for the server's own. */
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
