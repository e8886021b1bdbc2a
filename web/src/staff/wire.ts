// Made from croupier.protocol.staff_wire by `python -m tools.wire_ts`: change it there.
import type * as players from '../wire';
export const PROTOCOL = 3;
export type Action = EnterResult | DeclareNoSpin | ReportCutCard | ConfirmShuffle | PostDealerChat | PauseTable | ResumeTable | OpenTable | CloseTable | VoidRound | CorrectCard | SetLimits | SetDealer | MutePlayer | RemoveChatLine | DismissReport;
export type AnswerForm = "" | "card" | "dice" | "down" | "look" | "pocket";
export type ApprovalDecision = "approved" | "rejected";
export type ApprovalKind = "adjustment" | "reopening";
export type ApprovalState = "approved" | "expired" | "rejected" | "waiting";
export type Command = Hello | Ping | EnterResult | DeclareNoSpin | ReportCutCard | ConfirmShuffle | PostDealerChat | PauseTable | ResumeTable | OpenTable | CloseTable | VoidRound | CorrectCard | SetLimits | SetDealer | MutePlayer | RemoveChatLine | DismissReport;
export type DealtBy = "automatic" | "person";
export type Message = Welcome | Pong | Ok | No | Upgrade | SignedOut | TablesOverview | DealerTableUpdate | ChatState;
export type PaymentDecision = "credited" | "refused" | "released" | "sent_back";
export type ReturnVerdict = "above" | "below" | "few" | "unpublished" | "within";
export type Role = "dealer" | "manager";
export type WalletCallProgress = "called" | "disputed" | "due" | "paid" | "refused" | "rolled_back" | "rolling_back" | "settled";
export type WalletCallReason = "refund" | "stake" | "win";
export type WalletCallState = "called" | "disputed" | "due";

/** The media server's answer. */
export interface CameraAnswer {
  /** The answer to the browser's offer. */
  readonly sdp: string;
  /** Servers through which the browser may reach the media server if it can't directly. */
  readonly ice_servers: ReadonlyArray<players.IceServer>;
}

/** Request to show a camera at a table, instead of any other of the same view. */
export interface PublishCamera {
  readonly table: string;
  /** The browser's offer, without ICE candidates. */
  readonly sdp: string;
  /** The dealer, or the table's equipment. */
  readonly view?: players.CameraView;
}

/** Request to end the picture of a table. */
export interface StopPublishing {
  readonly table: string;
  /** The dealer, or the table's equipment. */
  readonly view?: players.CameraView;
}

/** Smallest and largest stake. */
export interface LimitRange {
  readonly min_minor: number;
  readonly max_minor: number;
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

/** A bonus that managers may grant; see `PlayerBonus` for its terms. */
export interface BonusOffer {
  readonly name: string;
  readonly title: string;
  readonly currency: string;
  readonly amount_minor: number;
  /** Wagering requirement, as a multiple of the amount. */
  readonly multiple: number;
  readonly days: number;
  readonly max_bet_minor: number;
  readonly excluded: ReadonlyArray<string>;
}

/** Request to cancel the player's bonus with this id; its money is taken back. */
export interface CancelBonus {
  readonly t: "cancel_bonus";
  readonly player: string;
  readonly bonus: string;
  readonly reason: string;
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

/** Request to grant a player the bonus of this name. */
export interface GrantBonus {
  readonly t: "grant_bonus";
  readonly player: string;
  readonly bonus: string;
  readonly reason: string;
}

/** The last bonuses of a player, newest first. */
export interface PlayerBonuses {
  readonly player: string;
  readonly bonuses: ReadonlyArray<players.PlayerBonus>;
}

/** A change that needs, or needed, a second member of staff. */
export interface ApprovalView {
  readonly approval: string;
  readonly kind: ApprovalKind;
  readonly state: ApprovalState;
  readonly player: string;
  readonly currency: string;
  readonly amount_minor: number;
  readonly reason: string;
  readonly asked_by: string;
  readonly asked_ms: number;
  readonly expires_ms: number;
  readonly decided_by: string;
  readonly decided_ms: number;
  /** The player's present cash in the currency. */
  readonly cash_minor: number;
}

/** Request to adjust a balance, which waits for another manager's approval. */
export interface AskAdjustment {
  readonly t: "ask_adjustment";
  readonly req: string;
  readonly player: string;
  readonly currency: string;
  /** Added to the player's cash if positive, taken from it if negative; not 0. */
  readonly amount_minor: number;
  /** The player reads it in their statement. */
  readonly reason: string;
}

/** Request to reopen a closed account, which waits for another manager's approval. */
export interface AskReopening {
  readonly t: "ask_reopening";
  readonly req: string;
  readonly player: string;
  readonly reason: string;
}

/** Request to close a player's account. */
export interface CloseAccount {
  readonly t: "close_account";
  readonly player: string;
  readonly reason: string;
}

/** Request to approve or reject a change that another manager asked for. */
export interface DecideApproval {
  readonly t: "decide_approval";
  readonly approval: string;
  readonly decision: ApprovalDecision;
  readonly reason?: string;
}

/** Request to sign out one of a player's devices, or all of them. */
export interface EndPlayerSessions {
  readonly t: "end_player_sessions";
  readonly player: string;
  readonly reason: string;
  /** Id of the device; empty: all. */
  readonly device?: string;
}

/** A player in a list. */
export interface FoundPlayer {
  readonly player: string;
  readonly name: string;
  readonly kind: players.IdentityKind;
  /** Name that the player signs in with, or the operator's id of a player; empty for a guest. */
  readonly login: string;
  /** Verified e-mail address; empty: none. */
  readonly address: string;
  readonly created_ms: number;
  /** Last use of a device that is still signed in; 0: none is. */
  readonly seen_ms: number;
  readonly connected: boolean;
  readonly closed: boolean;
}

/** Players, newest first. */
export interface FoundPlayers {
  readonly players: ReadonlyArray<FoundPlayer>;
  /** True if there are more. */
  readonly more: boolean;
}

/** A player's balances in one currency. */
export interface CurrencyBalances {
  readonly currency: string;
  readonly cash_minor: number;
  readonly bonus_minor: number;
  readonly in_play_minor: number;
  readonly withdrawing_minor: number;
  /** True for a currency of the operator's wallet, which holds the player's cash. */
  readonly of_wallet: boolean;
  /** The balance there; null: the wallet doesn't answer. */
  readonly wallet_minor: number | null;
}

/** A version of a document that a player has accepted. */
export interface AcceptedDocument {
  readonly document: string;
  readonly title: string;
  readonly version: string;
}

/** The closing of an account: its time, its reason and who closed it. */
export interface ClosedAccount {
  readonly at_ms: number;
  readonly by: string;
  readonly reason: string;
}

/** The summary of a player's page. */
export interface PlayerFile {
  readonly player: FoundPlayer;
  readonly balances: ReadonlyArray<CurrencyBalances>;
  readonly open_rounds: ReadonlyArray<players.HistoryLine>;
  readonly accepted: ReadonlyArray<AcceptedDocument>;
  readonly closed: ClosedAccount | null;
}

/** A player's round. Each player of a live round has one of their own. */
export interface FoundRound {
  readonly player: string;
  readonly line: players.HistoryLine;
}

/** A player's payment, without the page where the player pays. */
export interface FoundPayment {
  readonly player: string;
  readonly line: players.PaymentLine;
}

/** A call to the operator's wallet. */
export interface FoundWalletCall {
  readonly transaction: string;
  readonly player: string;
  readonly table: string;
  readonly round: string;
  readonly currency: string;
  readonly amount_minor: number;
  readonly what: WalletCallReason;
  readonly progress: WalletCallProgress;
  readonly opened_ms: number;
  readonly changed_ms: number;
}

/** Results of a search: players by the beginning of the text, and the rest by the whole text. */
export interface SearchResults {
  readonly players: FoundPlayers;
  /** By game number or id; at most 50. */
  readonly rounds: ReadonlyArray<FoundRound>;
  /** By id. */
  readonly payments: ReadonlyArray<FoundPayment>;
  /** By transaction, or those of the round found. */
  readonly wallet_calls: ReadonlyArray<FoundWalletCall>;
}

/** Request to ask the provider about a payment now. */
export interface AskPayment {
  readonly t: "ask_payment";
  readonly payment: string;
}

/** Request to send an open call to the operator's wallet again now. */
export interface AskWallet {
  readonly t: "ask_wallet";
  readonly transaction: string;
}

/** Request to decide about a payment. A deposit that is held in suspense is credited, or sent back to whoever paid it. A withdrawal that is held after a change of the player's credentials is released or refused. */
export interface DecidePayment {
  readonly t: "decide_payment";
  readonly payment: string;
  readonly decision: PaymentDecision;
  /** The player reads it if a withdrawal is refused. */
  readonly reason: string;
}

/** The amount owed to players in one currency, by kind of account, and altogether. */
export interface Liability {
  readonly currency: string;
  readonly held: Readonly<Record<string, string>>;
  readonly total_minor: string;
  /** The amount that players owe after payments were reversed, which isn't deducted from the total. */
  readonly debt_minor: string;
}

/** The amounts owed to players after journal entry `seq`, which was made at `at_ms`. */
export interface LiabilityReport {
  readonly seq: number;
  readonly at_ms: number;
  readonly liabilities: ReadonlyArray<Liability>;
}

/** A call that the operator's wallet hasn't acknowledged: a stake's rollback, a return, or a refund. */
export interface OpenWalletCall {
  readonly transaction: string;
  readonly player: string;
  readonly table: string;
  readonly round: string;
  readonly currency: string;
  readonly amount_minor: number;
  readonly what: WalletCallReason;
  readonly state: WalletCallState;
  readonly opened_ms: number;
  /** The wallet's last reason for refusing it; empty: it has given none. */
  readonly reason: string;
  /** The number of times that this server has sent it since its start. */
  readonly attempts: number;
  /** The player's balance in the wallet at present; null: the wallet doesn't say. */
  readonly balance_minor: number | null;
}

/** A table's open rounds in one currency, and the players who have them. */
export interface TableOpenRounds {
  readonly table: string;
  readonly title: string;
  readonly currency: string;
  readonly rounds: number;
  readonly players: number;
  readonly staked_minor: string;
}

/** The number of connected players, and the open rounds by table and currency. */
export interface PresentPlay {
  readonly connected: number;
  readonly open: ReadonlyArray<TableOpenRounds>;
}

/** A range in percent. */
export interface PercentBand {
  readonly low: number;
  readonly high: number;
}

/** The results of a table in one currency in the whole period, beside its published return. `published` is the range of its bets' returns, per total stake. `band` is where the actual return is expected: three standard deviations wider, and wider below if players' decisions cost more. */
export interface TableReturn {
  readonly table: string;
  readonly title: string;
  readonly currency: string;
  readonly rounds: number;
  readonly voids: number;
  readonly staked_minor: string;
  readonly returned_minor: string;
  readonly published: PercentBand | null;
  readonly band: PercentBand | null;
  readonly verdict: ReturnVerdict;
}

/** The rounds that ended on a day at a table in one currency; void ones count in `voids` only. The operator won what was staked and not returned. */
export interface DayResult {
  readonly day: string;
  readonly table: string;
  readonly currency: string;
  readonly rounds: number;
  readonly voids: number;
  readonly players: number;
  readonly staked_minor: string;
  readonly returned_minor: string;
}

/** The players whose rounds ended on a day, at all of the report's tables, in one currency. */
export interface DayPlayers {
  readonly day: string;
  readonly currency: string;
  readonly players: number;
}

/** The results of whole days, `first` and `last` included; nothing is listed without a round. */
export interface ResultsReport {
  readonly time_zone: string;
  readonly today: string;
  readonly first: string;
  readonly last: string;
  readonly tables: ReadonlyArray<TableReturn>;
  readonly days: ReadonlyArray<DayResult>;
  readonly players: ReadonlyArray<DayPlayers>;
}

/** A payment that waits for its provider, an identity check, or staff. */
export interface StuckPayment {
  readonly payment: string;
  readonly player: string;
  readonly direction: players.Direction;
  readonly currency: string;
  readonly amount_minor: number;
  readonly state: players.PaymentState;
  readonly created_ms: number;
  readonly changed_ms: number;
  /** The last reason given by the provider or the identity service. */
  readonly reason: string;
  /** The number of inquiries in this state. */
  readonly inquiries: number;
  /** The time of the next inquiry. */
  readonly due_ms: number;
  /** End of the hold after a change of the player's credentials; 0: it isn't held for that. */
  readonly held_until_ms: number;
}

/** Name and enrolment code of a member who sets up how they sign in. */
export interface StartEnrolment {
  readonly name: string;
  readonly code: string;
}

/** Request to sign in with an authenticator app from now on. */
export interface EnrolAuthenticator {
  /** The enrolment, as it was started. */
  readonly enrolment: StartEnrolment;
  /** Code that the app shows. */
  readonly one_time_code: string;
}

/** Parameters for an authenticator app and for a passkey; the member sets up one of them. */
export interface EnrolmentOffer {
  /** Secret of the app, in base32. */
  readonly secret: string;
  /** The secret as an address that apps open. */
  readonly uri: string;
  /** Null: pages at this address can't have passkeys. */
  readonly passkey: players.PasskeyCreation | null;
}

/** Request to sign in with a passkey from now on. */
export interface EnrolPasskey {
  /** The enrolment, as it was started. */
  readonly enrolment: StartEnrolment;
  /** Passkey that the browser created. */
  readonly passkey: players.NewPasskey;
}

/** Name and code of a member of staff: a one-time code, or the code that stays the same. */
export interface SignIn {
  readonly name: string;
  readonly code: string;
}

/** Ways in which members sign in. */
export interface SignInMethods {
  /** With one-time codes, after an enrolment; otherwise with a code that stays the same. */
  readonly one_time: boolean;
}

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

/** Open the session. Must be the first message on a connection; send it again to watch something else. */
export interface Hello {
  readonly t: "hello";
  readonly protocol: number;
  readonly table?: string;
}

/** Keep the connection alive; send it every 2.5 s. It doesn't extend the session. */
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

/** Summary of a live table. `limits` apply from the next round on. */
export interface TableSummary {
  readonly table: string;
  readonly title: string;
  readonly clock: Clock;
  /** True if it closes after the current round. */
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
  readonly t: "overview";
  readonly tables: ReadonlyArray<TableSummary>;
}

/** State of a table for its dealer or a watching manager. No bets are shown until betting closes. */
export interface DealerTableState {
  readonly clock: Clock;
  /** True if it closes after the current round. */
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
  /** True if the cut card is out. */
  readonly cut_card: boolean;
  /** True if this is the last round from the shoe. */
  readonly last_round: boolean;
  readonly players: number;
  readonly seats: number;
  readonly seats_taken: ReadonlyArray<players.OccupiedSeat>;
  readonly dealer: DealtBy;
  readonly camera: players.CameraState | "none" | "unavailable";
  /** The second camera, of the table's equipment. */
  readonly equipment_camera: players.CameraState | "none" | "unavailable";
  readonly round: players.RoundView | null;
}

/** State of one live table. Replaces the previous message. */
export interface DealerTableUpdate {
  readonly t: "table";
  readonly table: string;
  readonly title: string;
  readonly game: string;
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

/** The signed-in member of staff. */
export interface Me {
  readonly name: string;
  readonly role: Role;
  /** Number of changes that the member may approve; 0 for a dealer. */
  readonly approvals: number;
}
