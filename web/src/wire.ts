// Made from croupier.protocol.wire by `python -m tools.wire_ts`: change it there.
export const PROTOCOL = 4;
export type BreakReason = "exclusion" | "registry" | "session" | "time_out";
export type CameraState = "interrupted" | "off" | "on";
export type CameraView = "dealer" | "equipment";
export type Command = Hello | Join | Leave | DealRound | Decide | PlaceBet | Undo | Sit | StandUp | PostChat | ReportChatLine | SaveSettings | AnswerReminder | EndSession | Ping;
export type Dealing = "live" | "own";
export type Direction = "deposit" | "withdrawal";
export type FilesState = "changed" | "clean" | "unchecked";
export type IdentityKind = "account" | "guest" | "oidc" | "operator";
export type Light = "green" | "red" | "yellow";
export type LimitKind = "deposit" | "loss" | "session" | "wager";
export type Message = Welcome | Pong | Ok | No | TableSnapshot | TableUpdate | BalanceUpdate | BonusUpdate | SettingsUpdate | ReminderAnswered | TableAvailability | TakenOver | Upgrade | LiveSnapshot | LiveUpdate | PlayerUpdate | Pulse | ChatPosted | ChatRemoved | CameraUpdate | DatabaseUpdate;
export type PaymentState = "charged_back" | "confirmed" | "created" | "denied" | "disputed" | "expired" | "held" | "in_suspense" | "paid" | "partly_paid" | "partly_reversed" | "payout_returned" | "pending" | "refunded" | "requested" | "returned" | "returning" | "sent" | "unknown";
export type Period = "day" | "month" | "visit" | "week";
export type Phase = "betting" | "closed" | "dealer" | "dealing" | "decisions" | "no_more_bets" | "offer" | "opening" | "pause" | "settlement" | "shuffling" | "warning";
export type PictureLayer = "audio" | "high" | "low" | "medium";
export type ReminderMinutes = 0 | 30 | 60 | 90;
/** The fields common to the views of all games. */
export interface RoundView {
  readonly game: string;
  readonly ended: boolean;
  readonly returned_minor: number;
  readonly staked_minor: number;
}

/** The account's e-mail address, by which it can be recovered. */
export interface AccountMail {
  /** The verified address; empty: none. */
  readonly address: string;
  /** An address that waits for its link to be opened; empty: none. */
  readonly pending: string;
}

/** A current break or exclusion, during which the player may not play, chat or deposit. */
export interface ActiveBreak {
  readonly why: BreakReason;
  /** 2**53 - 1, the largest exact integer in a browser: permanent. */
  readonly until_ms: number;
}

/** Request to sign out one of the player's devices. */
export interface EndDevice {
  /** Its `id`. */
  readonly device: string;
}

/** Answer of a passkey to a challenge. */
export interface PasskeySignIn {
  /** `id` of the credential. */
  readonly id: string;
  /** `response.clientDataJSON` of the credential. */
  readonly client_data: string;
  /** `response.authenticatorData` of the credential. */
  readonly authenticator_data: string;
  /** `response.signature` of the credential. */
  readonly signature: string;
  /** `response.userHandle` of the credential. */
  readonly user: string;
}

/** Request to verify another address. */
export interface MailAddressChange {
  readonly address: string;
  /** The account's present password; empty: a passkey confirms. */
  readonly password?: string;
  /** Answer of one of the account's passkeys to a challenge for a confirmation. */
  readonly passkey?: PasskeySignIn | null;
}

/** Request to remove the account's address. */
export interface MailAddressRemoval {
  /** The account's present password; empty: a passkey confirms. */
  readonly password?: string;
  /** Answer of one of the account's passkeys to a challenge for a confirmation. */
  readonly passkey?: PasskeySignIn | null;
}

/** Request to verify an address. */
export interface MailLink {
  /** The part of the link behind `#`. */
  readonly token: string;
}

/** The signed-in player. */
export interface Me {
  readonly player: string;
  readonly name: string;
  /** Kind of sign-in: `operator` is a launch, and `oidc` the operator's identity server. */
  readonly kind: IdentityKind;
  /** Name that the player signs in with, or the id that another site has for them; empty for a guest. */
  readonly account: string;
  /** True only for accounts that have a password, and not a passkey alone. */
  readonly has_password: boolean;
  /** A current break or exclusion: the player can withdraw, but not play. */
  readonly barred: ActiveBreak | null;
}

/** Request to make an account of a guest, who keeps balance, history and settings. */
export interface NewAccount {
  /** E-mail address or user name; case and the form of letters make no difference. */
  readonly name: string;
  readonly password: string;
}

/** Request to change the account's password, which signs out its other devices. */
export interface PasswordChange {
  readonly new_password: string;
  /** The account's present password; empty: a passkey confirms. */
  readonly password?: string;
  /** Answer of one of the account's passkeys to a challenge for a confirmation. */
  readonly passkey?: PasskeySignIn | null;
}

/** Request to set a new password, which removes the other credentials and signs out all devices. */
export interface PasswordReset {
  /** The part of the link behind `#`. */
  readonly token: string;
  /** The new one. */
  readonly password: string;
  /** Ids of the passkeys that stay; all others are removed. */
  readonly kept_passkeys?: ReadonlyArray<string>;
}

/** Request to sign in to an account. */
export interface PlayerSignIn {
  readonly name: string;
  readonly password: string;
}

/** A passkey, as its owner sees it. */
export interface PasskeyView {
  /** Its credential id. */
  readonly id: string;
  /** Name that its owner gave it, or the browser it was created with. */
  readonly name: string;
  /** Time of its creation. */
  readonly added_ms: number;
  /** Time of the last sign-in with it; 0: none yet. */
  readonly used_ms: number;
}

/** A device that the player is signed in on. */
export interface SignedInDevice {
  readonly id: string;
  /** Browser and system, such as `Chrome on Android`; empty if unknown. */
  readonly description: string;
  /** Time of the sign-in. */
  readonly signed_in_ms: number;
  /** Time of its last use; the present time while it is connected. */
  readonly seen_ms: number;
  /** True for the device that sends the request. */
  readonly this: boolean;
}

/** An account that is being recovered, with all that signs in to it. */
export interface RecoveredAccount {
  /** Name that the player signs in with. */
  readonly account: string;
  /** Newest first. The reset removes those that aren't kept. */
  readonly passkeys: ReadonlyArray<PasskeyView>;
  /** Most recently used first. The reset signs out all of them. */
  readonly devices: ReadonlyArray<SignedInDevice>;
}

/** Request for what the account of a link can be used with. */
export interface RecoveryLink {
  /** The part of the link behind `#`. */
  readonly token: string;
}

/** Request for a link to set a new password. */
export interface RecoveryRequest {
  /** Name of the account, or its verified address. */
  readonly name: string;
}

/** An address that was verified. */
export interface VerifiedAddress {
  readonly address: string;
  /** Name of its account. */
  readonly account: string;
}

/** Request for advice on an open decision. `turn` is the round's, as in Decide. */
export interface AdviceRequest {
  readonly round: string;
  readonly turn: number;
  readonly box: number;
  readonly hand: number;
}

/** Expected net result of an option, followed by optimal play. */
export interface OptionValue {
  readonly action: string;
  /** In initial stakes, rounded to a millionth: -0.5 is a loss of half the stake. */
  readonly worth: number;
}

/** Values of the available options, computed from the cards that the player sees. */
export interface DecisionAdvice {
  readonly round: string;
  readonly turn: number;
  readonly box: number;
  readonly hand: number;
  readonly best: string;
  readonly options: ReadonlyArray<OptionValue>;
}

/** Totals of reviewed decisions. `cost` is the total cost of mistakes, in initial stakes. */
export interface TrainingTotals {
  readonly decisions: number;
  readonly mistakes: number;
  readonly cost: number;
}

/** Comparison of a decision with the best one. */
export interface DecisionReview {
  readonly round: string;
  readonly turn: number;
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly best: string;
  /** Value of the best option minus that of the chosen one; 0: the decision was optimal. */
  readonly cost: number;
  /** True if the player had asked for advice; the decision then isn't counted. */
  readonly advised: boolean;
  readonly options: ReadonlyArray<OptionValue>;
  readonly total: TrainingTotals;
}

/** A suboptimal decision. */
export interface Mistake {
  readonly round: string;
  readonly at_ms: number;
  readonly table: string;
  readonly title: string;
  /** The hand and the upcard, such as `A-7 against 6`. */
  readonly hand: string;
  readonly action: string;
  readonly best: string;
  readonly cost: number;
}

/** Request to review a decision. `turn` is that of its Decide. */
export interface ReviewRequest {
  readonly round: string;
  readonly turn: number;
}

/** Totals of one kind of decision at one table. */
export interface TrainingLine {
  readonly table: string;
  readonly title: string;
  readonly kind: string;
  readonly kind_title: string;
  readonly total: TrainingTotals;
}

/** Training record of a player: totals, and the costliest mistakes. */
export interface TrainingRecord {
  readonly total: TrainingTotals;
  readonly advised: number;
  readonly lines: ReadonlyArray<TrainingLine>;
  /** Costliest first. */
  readonly worst: ReadonlyArray<Mistake>;
}

/** One event at a table, for animation, sound and announcements. Box -1 is the dealer, -2 the table. `burned`: the first card of a fresh shoe is shown, and as many cards as its value are discarded unseen. Only live tables send `opened` and the values listed after it, and `by`. */
export interface RoundEvent {
  readonly what: "burned" | "card" | "closed" | "corrected" | "decided" | "ended" | "face_down" | "last_seconds" | "limits" | "no_more_bets" | "no_spin" | "opened" | "paused" | "peeked" | "restarted" | "resumed" | "rolled" | "seat_left" | "seat_taken" | "shuffling" | "spun" | "turned" | "voided";
  readonly box: number;
  readonly hand: number;
  readonly card: string;
  readonly came: string;
  readonly action: string;
  readonly by: string;
  readonly name: string;
  readonly reason: string;
}

/** Settings of a player, shared by all of their browsers. */
export interface Settings {
  readonly sound: boolean;
  readonly effects_volume: number;
  readonly voice: boolean;
  readonly voice_volume: number;
  readonly four_colours: boolean;
  readonly cloth: "claret" | "green" | "night" | "slate";
  readonly reminder_minutes: ReminderMinutes;
  readonly shortcuts: boolean;
  readonly hide_chat: boolean;
  readonly video_quality: "audio" | "auto" | "high" | "low" | "medium" | "off";
  readonly currency: string;
  /** True if tables show hints during the first round. */
  readonly hints: boolean;
  /** True if own tables offer advice on a decision, if the profile allows it. */
  readonly advice: boolean;
  /** True if each decision at an own table is judged, if the profile allows it. */
  readonly trainer: boolean;
  /** Form of amounts: that of the browser, `1,234.50`, `1.234,50` or `1 234,50`. */
  readonly amounts: "auto" | "comma" | "point" | "space";
}

/** Stake on a bet of a box. */
export interface Stake {
  readonly box: number;
  readonly bet: string;
  readonly stake_minor: number;
}

/** Request to start the picture: the browser's answer to the offer. */
export interface AnswerCamera {
  /** Id of the picture, from the offer. */
  readonly watch: string;
  /** The browser's answer. */
  readonly sdp: string;
  /** 720, 360 or 180 lines with the dealer's voice, or the voice only. */
  readonly layer: PictureLayer;
}

/** STUN or TURN servers, as `RTCPeerConnection` takes them. */
export interface IceServer {
  readonly urls: ReadonlyArray<string>;
  /** For TURN servers: the time when the credential expires, in Unix time, and its owner. */
  readonly username: string;
  /** For TURN servers: the password of this user name. */
  readonly credential: string;
}

/** The offer of the media server. A later one for the same table replaces it. */
export interface CameraOffer {
  /** Id of the picture, for further requests. */
  readonly watch: string;
  /** The offer, to be answered at once and without ICE candidates. */
  readonly sdp: string;
  /** Servers through which the browser may reach the media server if it can't directly. */
  readonly ice_servers: ReadonlyArray<IceServer>;
}

/** State of the camera that shows a table's equipment. */
export interface EquipmentCamera {
  /** `interrupted`: nothing is sent at present; the picture continues when something is. */
  readonly state: CameraState;
  /** Number of the picture. Another number is another picture, which has to be watched anew. */
  readonly picture: number;
}

/** State of the camera of a live table. A table without a camera sends none. */
export interface CameraUpdate {
  readonly t: "camera";
  readonly table: string;
  /** `interrupted`: the dealer's browser sends nothing; the picture continues when it does. */
  readonly state: CameraState;
  /** Number of the picture. Another number is another picture, which has to be watched anew. */
  readonly picture: number;
  /** The camera of the table's equipment; null: it is off. */
  readonly equipment: EquipmentCamera | null;
  /** Number of the dealer's picture by HLS; 0: there is none. Another number has another address. */
  readonly stream: number;
  /** Delay with which a client shows results to a player who watches by HLS. */
  readonly video_delay_ms: number;
}

/** Request to change the layer of the picture. */
export interface ChooseLayer {
  /** Id of the picture, from the offer. */
  readonly watch: string;
  /** 720, 360 or 180 lines with the dealer's voice, or the voice only. */
  readonly layer: PictureLayer;
}

/** Report of the time from the request to watch until the first picture, once for each picture. */
export interface ReportFirstPicture {
  /** Id of the picture, from the offer. */
  readonly watch: string;
  /** Milliseconds. */
  readonly waited_ms: number;
}

/** Request to end the picture. */
export interface StopCamera {
  /** Id of the picture, from the offer. */
  readonly watch: string;
}

/** Address of a stream by HLS. Its playlists and segments are valid as long as the address. */
export interface StreamAddress {
  /** Address of the playlist of the qualities. `voice.m3u8` beside it has only the voice. */
  readonly url: string;
  /** Time after which a new address has to be requested; 0: never. */
  readonly valid_ms: number;
}

/** Request to watch the dealer of a table that is open in this browser's session, or its equipment. */
export interface WatchCamera {
  readonly table: string;
  /** The dealer, or the table's equipment. */
  readonly view?: CameraView;
}

/** Request for the address of a table's stream. The table must be open in this browser's session. */
export interface WatchStream {
  readonly table: string;
}

/** Continue after a reality check. While one is due, no rounds start and no bets are accepted anywhere. */
export interface AnswerReminder {
  readonly t: "answer_reminder";
  readonly req: string;
}

/** Start a round at an own table. `after` is that of the table's state that the player saw. If another round has been dealt since, the deal is refused `dealt_already`, so that two clicks deal one round. Earlier clients send no `after`: each of their deals with an id of its own deals a round, unless one is open. */
export interface DealRound {
  readonly t: "deal";
  readonly req: string;
  readonly table: string;
  readonly stakes: ReadonlyArray<Stake>;
  readonly after?: string | null;
}

/** Answer the round's open decision; at a table with seats also in advance of the hand's turn. `turn` is the turn that the player saw. A decision for an earlier turn of the hand is refused `not_your_turn`, and one that the hand doesn't have `not_offered`. */
export interface Decide {
  readonly t: "decide";
  readonly req: string;
  readonly table: string;
  readonly round: string;
  readonly turn: number;
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly stake_minor?: number | null;
}

/** End the player's session on all devices: each connection receives `session_ended` and is closed. The tables treat this as a lost connection. The next connection starts a new session. */
export interface EndSession {
  readonly t: "end_session";
  readonly req: string;
}

/** A table that the client has open and wants to resume. */
export interface ResumedTable {
  readonly table: string;
  readonly v?: number;
  readonly currency?: string;
}

/** Open the session and resume tables. First message on a connection; send it again after a gap in `v`. */
export interface Hello {
  readonly t: "hello";
  readonly protocol: number;
  readonly tables?: ReadonlyArray<ResumedTable>;
}

/** Open a table in a currency. A `snapshot` or `live_snapshot` precedes the `ok`. */
export interface Join {
  readonly t: "join";
  readonly req: string;
  readonly table: string;
  readonly currency: string;
}

/** Close a table. An unfinished round there stays open. */
export interface Leave {
  readonly t: "leave";
  readonly req: string;
  readonly table: string;
}

/** Keep the connection alive; send it every 1.5 s. `pong` has the server's clock. */
export interface Ping {
  readonly t: "ping";
}

/** Replace the player's entire bet at a live table; without stakes, withdraw it. `ok` means that the stake is durably reserved. */
export interface PlaceBet {
  readonly t: "bet";
  readonly req: string;
  readonly table: string;
  readonly round: string;
  readonly stakes: ReadonlyArray<Stake>;
}

/** Post a chat line at a live table. The text is plain; markup has no effect. */
export interface PostChat {
  readonly t: "say";
  readonly req: string;
  readonly table: string;
  readonly text: string;
}

/** Report a chat line to the staff. */
export interface ReportChatLine {
  readonly t: "report";
  readonly req: string;
  readonly table: string;
  readonly line: number;
}

/** Save the player's settings. All of the player's connections receive `settings`. */
export interface SaveSettings {
  readonly t: "save_settings";
  readonly req: string;
  readonly settings: Settings;
}

/** Take a seat at a live table with seats. */
export interface Sit {
  readonly t: "sit";
  readonly req: string;
  readonly table: string;
  readonly seat: number;
}

/** Leave a seat at a live table with seats. */
export interface StandUp {
  readonly t: "stand_up";
  readonly req: string;
  readonly table: string;
  readonly seat: number;
}

/** Undo the last change of the player's bet at a live table. */
export interface Undo {
  readonly t: "undo";
  readonly req: string;
  readonly table: string;
  readonly round: string;
}

/** Totals of a player's ended rounds of a game in one currency and one period. */
export interface GameTotals {
  /** Start of the period. */
  readonly from_ms: number;
  /** Empty at a table that the server no longer has. */
  readonly game: string;
  /** Title of the game; id of a table that the server no longer has. */
  readonly title: string;
  readonly currency: string;
  readonly rounds: number;
  readonly staked_minor: number;
  readonly returned_minor: number;
}

/** A round in a player's history. */
export interface HistoryLine {
  readonly round: string;
  readonly number: string;
  readonly table: string;
  readonly title: string;
  readonly currency: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly staked_minor: number;
  readonly returned_minor: number;
  /** `taken_back`: the player withdrew all bets before betting closed. */
  readonly status: "open" | "settled" | "taken_back" | "void";
  /** SEQ:HASH of the journal entry that ended the round, for `croupier verify --receipt`. The hash covers all earlier entries. Empty while the round is open. */
  readonly receipt: string;
}

/** A page of a player's rounds, with totals over all pages. */
export interface History {
  readonly lines: ReadonlyArray<HistoryLine>;
  readonly more: boolean;
  /** By currency, over all matching rounds that have ended, not only this page. */
  readonly staked_minor: Readonly<Record<string, number>>;
  readonly returned_minor: Readonly<Record<string, number>>;
}

/** A bet that was placed; at a live table, one that returned something to somebody. */
export interface BetView {
  readonly bet: string;
  readonly stake_minor: number;
  /** Null until the coup has ended. */
  readonly returned_minor: number | null;
  /** The paytable's line that came up, or `lost`. */
  readonly outcome: string | null;
}

/** A step of a round, and the view after it. */
export interface HistoryStep {
  readonly did: RoundEvent;
  readonly view: RoundView;
  /** True if the player asked for advice on this decision. */
  readonly advised: boolean;
}

/** A round with all of its steps. */
export interface HistoryRound {
  readonly line: HistoryLine;
  readonly stakes: ReadonlyArray<Stake>;
  readonly steps: ReadonlyArray<HistoryStep>;
  readonly versions: Readonly<Record<string, string>>;
  /** Time from which a link has shown this round to anybody; 0: it isn't shared. */
  readonly shared_ms: number;
}

/** A new link to the replay of a round, at `/replay/TOKEN`. The server can't show the token again. */
export interface RoundLink {
  readonly token: string;
  readonly shared_ms: number;
}

/** A step of a shared round, and the view after it. */
export interface SharedStep {
  readonly did: RoundEvent;
  readonly view: RoundView;
}

/** A round that its player shares: all amounts are 0, and other players' hands are left out. */
export interface SharedReplay {
  readonly table: string;
  readonly title: string;
  readonly number: string;
  readonly started_ms: number;
  readonly steps: ReadonlyArray<SharedStep>;
}

/** A movement on a player's account. */
export interface StatementEntry {
  readonly seq: number;
  readonly at_ms: number;
  /** `bonus_stake`: bonus money paid what cash didn't cover; `bonus_return`: the bonus got its share of what the round returned; `bonus_convert`: the bonus became cash; `from_wallet`: the operator's wallet paid a stake; `to_wallet`: it gets what is returned. */
  readonly what: "adjustment" | "bonus_convert" | "bonus_return" | "bonus_stake" | "charge_back" | "debt_repaid" | "deposit" | "expiry" | "from_wallet" | "grant" | "payout_repeated" | "payout_returned" | "refund" | "return" | "stake" | "taken_back" | "to_wallet" | "void" | "withdrawal" | "withdrawal_returned";
  readonly currency: string;
  /** Signed: positive amounts increase the balance. */
  readonly amount_minor: number;
  readonly balance_minor: number;
  readonly round: string;
  /** Why the operator adjusted the balance; empty for other movements. */
  readonly reason: string;
}

/** A limit that the operator sets for the player, in the launch's currency. */
export interface LaunchLimit {
  readonly what: "deposit" | "loss" | "wager";
  readonly period: "day" | "month" | "week";
  readonly max_minor: number;
}

/** A player whom the operator sends to play, by the server's signed request. */
export interface Launch {
  /** Each session can be entered once. */
  readonly session: string;
  readonly player: string;
  readonly currency: string;
  /** BCP 47 tag. The site is in English; the tag is recorded. */
  readonly language?: string;
  /** The player's jurisdiction, such as `GB`. */
  readonly jurisdiction?: string;
  readonly limits?: ReadonlyArray<LaunchLimit>;
  /** Table to open; empty: the lobby. */
  readonly table?: string;
}

/** The address to which the operator sends the player's browser. */
export interface LaunchLink {
  /** Below the site's address; the token is in its fragment, which browsers send to no server. */
  readonly path: string;
  readonly token: string;
  readonly expires_ms: number;
  /** A current break or exclusion: the player can withdraw what they have here, but not play. */
  readonly barred: ActiveBreak | null;
}

/** Request of a launched player's browser to begin the session. */
export interface LaunchToken {
  readonly token: string;
}

/** A chat line, or a server notice given by `code` and `args`. */
export interface ChatLine {
  readonly line: number;
  readonly at_ms: number;
  readonly role: "dealer" | "house" | "player";
  readonly player: string;
  readonly who: string;
  readonly text: string;
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** A new chat line. */
export interface ChatPosted {
  readonly t: "chat";
  readonly table: string;
  readonly line: ChatLine;
}

/** Staff removed chat lines. */
export interface ChatRemoved {
  readonly t: "chat_gone";
  readonly table: string;
  readonly lines: ReadonlyArray<number>;
}

/** Number of players who chose an action, of those who decided in the same situation. */
export interface DecisionShare {
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly chose: number;
  readonly decided: number;
}

/** Phase and timing of the round at a live table. */
export interface LiveClock {
  readonly phase: Phase;
  readonly light: Light;
  readonly deadline_ms: number | null;
  readonly left_ms: number | null;
  /** Reason for a pause; empty while the table isn't paused. */
  readonly paused: string;
  readonly round: string;
  readonly number: string;
  readonly opened_ms: number;
  /** Time at which betting closes, after the warning; null while bets are closed or the table is paused. */
  readonly bets_close_ms: number | null;
}

/** An occupied seat and its player's name. */
export interface OccupiedSeat {
  readonly seat: number;
  readonly name: string;
}

/** State of a live table as all players on the same path of decisions see it. `round` is present from the close of betting until the next opening. In a shared deal its amounts are those of a player with `unit_minor` on every bet, and the client scales them to the player's own stakes. At a table with seats `unit_minor` is 0 and the amounts are the actual stakes. `covered` is always true, since the client knows the balance. */
export interface LiveState {
  readonly clock: LiveClock;
  readonly players: number;
  readonly seats: ReadonlyArray<OccupiedSeat>;
  readonly round: RoundView | null;
  /** Number of the current turn; see Decide. */
  readonly turn: number;
  readonly unit_minor: number;
  readonly statistics: ReadonlyArray<DecisionShare>;
}

/** A decision for one of the player's hands in this round. */
export interface PlayerDecision {
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly by: string;
  /** True if its cards are still to come: its window is open, or it was made in advance. */
  readonly waiting: boolean;
}

/** Result of one stake. */
export interface StakeResult {
  readonly box: number;
  readonly hand: number;
  readonly bet: string;
  readonly stake_minor: number;
  readonly returned_minor: number;
  readonly outcome: string;
}

/** Result of the player's last completed round at this table. */
export interface PlayerResult {
  readonly round: string;
  readonly number: string;
  readonly staked_minor: number;
  readonly returned_minor: number;
  readonly void: boolean;
  readonly reason: string;
  readonly lines: ReadonlyArray<StakeResult>;
}

/** The player's own part of a live table's state. */
export interface PlayerState {
  readonly currency: string;
  readonly balance_minor: number;
  /** Total at stake in this currency, at all tables. */
  readonly in_play_minor: number;
  readonly seats: ReadonlyArray<number>;
  /** The bet in this round. */
  readonly stakes: ReadonlyArray<Stake>;
  /** Amount reserved in this round: the bet and the cost of decisions. */
  readonly held_minor: number;
  readonly can_undo: boolean;
  /** Bets that the last change limited to their maximum. */
  readonly at_maximum: ReadonlyArray<string>;
  /** Decisions in this round, including those made in advance. */
  readonly made: ReadonlyArray<PlayerDecision>;
  /** Stakes of the last round with a bet, for Repeat. */
  readonly last_stakes: ReadonlyArray<Stake>;
  readonly result: PlayerResult | null;
  /** True while `balance_minor` isn't known, see Balance. */
  readonly unknown?: boolean;
}

/** Current state of a live table: answer to `join`, and to `hello` for a table listed there. */
export interface LiveSnapshot {
  readonly t: "live_snapshot";
  readonly table: string;
  readonly v: number;
  readonly state: LiveState;
  readonly mine: PlayerState;
  readonly chat: ReadonlyArray<ChatLine>;
}

/** Events at a live table and its new state, the same for all players on one path of decisions. */
export interface LiveUpdate {
  readonly t: "live";
  readonly table: string;
  readonly v: number;
  readonly did: ReadonlyArray<RoundEvent>;
  readonly state: LiveState;
}

/** The player's own part of a live table at version `v`. Follows the `live` of that version. */
export interface PlayerUpdate {
  readonly t: "mine";
  readonly table: string;
  readonly v: number;
  readonly round: string;
  readonly mine: PlayerState;
}

/** Number of players and their decisions, sent several times a second while they change. */
export interface Pulse {
  readonly t: "pulse";
  readonly table: string;
  readonly round: string;
  readonly players: number;
  readonly statistics: ReadonlyArray<DecisionShare>;
}

/** Balance in one currency. `balance_minor` excludes stakes on open rounds. */
export interface Balance {
  readonly currency: string;
  readonly balance_minor: number;
  readonly in_play_minor: number;
  readonly session_staked_minor: number;
  readonly session_returned_minor: number;
  /** True while the operator's wallet hasn't answered and is asked again: `balance_minor` means nothing. */
  readonly unknown?: boolean;
}

/** The player's balance in one currency changed. */
export interface BalanceUpdate {
  readonly t: "balance";
  readonly balance: Balance;
}

/** A player's bonus: money that becomes cash once `required_minor` has been staked. Stakes count by the class of their table: `left_minor` is the amount that is still missing. */
export interface PlayerBonus {
  readonly bonus: string;
  readonly title: string;
  readonly currency: string;
  readonly status: "active" | "cancelled" | "converted" | "expired" | "opted_in" | "spent" | "withdrawn";
  readonly granted_minor: number;
  readonly balance_minor: number;
  /** Bonus money in open rounds. */
  readonly in_play_minor: number;
  readonly required_minor: number;
  readonly left_minor: number;
  readonly granted_ms: number;
  readonly expires_ms: number;
  /** Maximum stake of a round while the bonus is active; 0: none. */
  readonly max_bet_minor: number;
  /** Tables that can't be played while the bonus is active. */
  readonly excluded: ReadonlyArray<string>;
  /** Wagering requirement, as a multiple of the amount. */
  readonly multiple: number;
  /** Days from the grant until it expires. */
  readonly days: number;
  /** Amount as a percentage of the first deposit; 0: it doesn't come with a deposit. */
  readonly match_percent: number;
  readonly match_max_minor: number;
}

/** A bonus of the player changed: its money, its progress or its status. */
export interface BonusUpdate {
  readonly t: "bonus";
  readonly bonus: PlayerBonus;
}

/** The server is waiting for its database, or no longer is. Commands are answered once the database is back; nothing that was acknowledged is lost. This may come before `welcome`, which waits too. */
export interface DatabaseUpdate {
  readonly t: "database";
  /** True while the database doesn't answer. */
  readonly waiting: boolean;
}

/** Features that the server's jurisdiction allows. A client offers no others. */
export interface JurisdictionProfile {
  /** True if decision buttons may show what other players decided. */
  readonly statistics: boolean;
  /** True if past results and their frequencies may be shown. */
  readonly results: boolean;
  /** Maximum number of open tables over all browsers of a player. */
  readonly tables_max: number;
  /** Minimum time from the start of one round to the start of the next, over all tables of a player. */
  readonly round_min_ms: number;
  /** Allowed reality check intervals; without 0 they can't be switched off. */
  readonly reminder_minutes: ReadonlyArray<number>;
  /** Where advice and the trainer are available; never at live tables. */
  readonly advice: "none" | "own_tables" | "play_money";
}

/** The command (or the frame, if `req` is empty) was refused and changed nothing. */
export interface No {
  readonly t: "no";
  readonly req: string;
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** The command was executed durably. Its effects precede it: the `event` of an own table, or the `mine` of a live table, after the `live` if the change is visible to everybody. */
export interface Ok {
  readonly t: "ok";
  readonly req: string;
}

/** Round at an own table. */
export interface PlayedRound {
  readonly id: string;
  readonly number: string;
  readonly started_ms: number;
  /** Number of the current turn; see Decide. */
  readonly turn: number;
  readonly view: RoundView;
}

/** Answer to `ping`. */
export interface Pong {
  readonly t: "pong";
  readonly now_ms: number;
}

/** The player answered a reality check, possibly in another browser. */
export interface ReminderAnswered {
  readonly t: "reminded";
  readonly at_ms: number;
}

/** The player's settings changed, possibly in another browser. */
export interface SettingsUpdate {
  readonly t: "settings";
  readonly settings: Settings;
}

/** A live table that is open on this connection can't be reached, or can again. Meanwhile the player counts as disconnected there, and commands wait. If messages were lost, a snapshot comes before the table is available again. */
export interface TableAvailability {
  readonly t: "availability";
  readonly table: string;
  /** False while the node that runs the table can't be reached. */
  readonly available: boolean;
}

/** Complete state of an own table. Replaces the previous state. */
export interface TableState {
  readonly currency: string;
  /** The current round, or the last one until the next is dealt. */
  readonly round: PlayedRound | null;
  /** Server time before which no round may be dealt; 0: no restriction. */
  readonly next_deal_ms: number;
  /** Stakes of the last round, for Rebet. */
  readonly last_stakes: ReadonlyArray<Stake>;
  /** Id of the last round here, empty if there was none: the turn that the next `deal` answers. */
  readonly after: string;
}

/** Current state of an own table: answer to `join`, and to `hello` if missed updates are lost. */
export interface TableSnapshot {
  readonly t: "snapshot";
  readonly table: string;
  readonly v: number;
  readonly state: TableState;
}

/** Events at an own table, and its new state. */
export interface TableUpdate {
  readonly t: "event";
  readonly table: string;
  readonly v: number;
  readonly did: ReadonlyArray<RoundEvent>;
  readonly state: TableState;
}

/** The player opened this table on another connection; it is closed on this one. */
export interface TakenOver {
  readonly t: "taken_over";
  readonly table: string;
}

/** The client uses another protocol version. Nothing else works on this connection. */
export interface Upgrade {
  readonly t: "upgrade";
  readonly protocol: number;
}

/** Answer to `hello`, followed by the missed updates of the listed tables. */
export interface Welcome {
  readonly t: "welcome";
  readonly protocol: number;
  readonly server: string;
  readonly now_ms: number;
  readonly player: string;
  readonly name: string;
  readonly session_started_ms: number;
  /** Time of the session's first bet, from which time played counts; 0: none. */
  readonly played_from_ms: number;
  /** Time from which the next reality check counts: the last answer, or the end of the last break. */
  readonly reminded_ms: number;
  readonly balances: ReadonlyArray<Balance>;
  /** The player's active bonuses, at most one per currency. */
  readonly bonuses: ReadonlyArray<PlayerBonus>;
  readonly settings: Settings;
  /** Tables with an unfinished round, for the client to offer. */
  readonly open_tables: ReadonlyArray<string>;
  readonly profile: JurisdictionProfile;
  /** True if the player's jurisdiction asks again for a deposit limit, which they once answered. */
  readonly deposit_limit_due: boolean;
}

/** Request to begin a session: the parameters with which the identity server sent the browser back. */
export interface IdentityServerAnswer {
  readonly state: string;
  readonly code?: string;
  /** Code of an error, such as `access_denied`, instead of `code`. */
  readonly error?: string;
  /** Issuer, if the identity server names it (RFC 9207). */
  readonly iss?: string;
}

/** The address of the identity server's page to which the browser goes. */
export interface IdentityServerPage {
  readonly url: string;
}

/** Acceptance of a document's current version. */
export interface AcceptRequest {
  readonly document: string;
  readonly version: string;
}

/** A bet and its limits in one currency. */
export interface BetLimits {
  readonly bet: string;
  readonly title: string;
  /** Kind of the bet, which may have its own limits; empty: none. */
  readonly kind: string;
  readonly main: boolean;
  readonly min_minor: number;
  readonly max_minor: number;
  /** Paytable lines, such as `Suited pair 25:1`. */
  readonly pays: ReadonlyArray<string>;
}

/** Request to accept an offered bonus under its terms. */
export interface BonusAcceptance {
  readonly offer: string;
}

/** Request to cancel a bonus, which forfeits its money. */
export interface BonusCancellation {
  readonly bonus: string;
  /** The bonus money that the player agrees to lose; it must be all of it, in play or not. */
  readonly forfeit_minor: number;
}

/** Request to start a break or an exclusion. It can't be revoked. */
export interface BreakRequest {
  readonly why: "exclusion" | "time_out";
  readonly days: number;
}

/** The build of the server. Texts that aren't known are empty. */
export interface BuildView {
  /** The version and the commit, such as `0.1.0+4ba3d5d5d0`. Each round names it. */
  readonly id: string;
  readonly commit: string;
  /** Date of the commit, in the form of ISO 8601. */
  readonly committed: string;
  /** SHA-256 of the lock file, which names the libraries. */
  readonly lock: string;
  /** `clean`: the files are those of the commit. */
  readonly state: FilesState;
}

/** Request for a deposit or a withdrawal. */
export interface CashierRequest {
  readonly req: string;
  readonly currency: string;
  readonly amount_minor: number;
  /** For a withdrawal: the bonus money that the player agrees to lose; it must be all of it. */
  readonly forfeit_minor?: number;
}

/** Maximum number of outcomes on which a player's bets may win together. */
export interface CoverageLimit {
  readonly percent: number;
  readonly most: number;
  readonly outcomes: number;
  /** Outcomes on which each bet wins, as numbers below `outcomes`. */
  readonly of: Readonly<Record<string, ReadonlyArray<number>>>;
}

/** Limits of a table in one currency. */
export interface CurrencyLimits {
  readonly currency: string;
  /** Smallest stake of any main bet; `max_minor` is the largest. */
  readonly min_minor: number;
  readonly max_minor: number;
  readonly chips_minor: ReadonlyArray<number>;
  /** Maximum total stake of a player in a round; null: limited only by each bet. */
  readonly table_max_minor: number | null;
  readonly bets: ReadonlyArray<BetLimits>;
}

/** A currency. */
export interface CurrencyView {
  readonly code: string;
  readonly name: string;
  readonly decimals: number;
  /** Symbol to show with amounts; the code if it has none. */
  readonly symbol: string;
  readonly play_money: boolean;
}

/** Answer to the question for a deposit limit. */
export interface DepositLimitAnswer {
  /** `limit`: the player has set one, or keeps it; `none`: they want none. */
  readonly answer: "limit" | "none";
}

/** A return published in the table's rules. */
export interface DisplayedReturn {
  readonly bet: string;
  readonly percent: string;
  readonly of: string;
}

/** A version of a document, and what changed in it. */
export interface DocumentChange {
  readonly version: string;
  readonly date: string;
  readonly changes: string;
}

/** A document of the operator, such as the terms and conditions, in the list of documents. */
export interface DocumentLine {
  readonly document: string;
  readonly title: string;
  readonly version: string;
  readonly date: string;
  /** True if players have to accept the document before their first bet. */
  readonly must_accept: boolean;
}

/** The documents in order of precedence, which `precedence` states; it may be empty. `opening` says what playing agrees to. */
export interface DocumentList {
  readonly opening: string;
  readonly precedence: string;
  readonly documents: ReadonlyArray<DocumentLine>;
}

/** A document's text, and its versions, newest first. */
export interface DocumentPage {
  readonly document: string;
  readonly title: string;
  readonly html: string;
  readonly versions: ReadonlyArray<DocumentChange>;
}

/** A document that the player has to accept, or one with changes that they haven't been shown. */
export interface DueDocument {
  readonly document: string;
  readonly title: string;
  readonly version: string;
  /** Version that the player accepted before; empty: none. */
  readonly accepted: string;
  /** Versions since then, newest first. */
  readonly changes: ReadonlyArray<DocumentChange>;
  /** True if bets are refused until the player accepts it. */
  readonly must_accept: boolean;
}

/** Best exact return of a table, in percent, with its basis. */
export interface ExactReturn {
  readonly percent: string;
  readonly of: string;
}

/** Bets that a player may not place together. */
export interface ExclusiveBets {
  readonly bets: ReadonlyArray<string>;
  /** Their name in the refusal: `Player and Banker`. */
  readonly named: string;
}

/** A helpline for players and their families. */
export interface Helpline {
  readonly name: string;
  readonly url: string;
  /** Area that it serves: a country, or worldwide. */
  readonly where: string;
  /** Empty if there is none, or one per place. */
  readonly phone: string;
  /** Opening hours; empty: not known. */
  readonly hours: string;
  /** Languages that it speaks; empty: not known. */
  readonly languages: string;
}

/** Result of a round at a live table, in its game's notation. */
export interface LastRound {
  readonly number: string;
  /** In blackjack the dealer's total, `blackjack` or `bust`; in roulette the pocket. */
  readonly result: string;
}

/** Request to set a limit. */
export interface LimitRequest {
  readonly what: LimitKind;
  readonly period: Period;
  readonly currency: string;
  readonly most: number | null;
}

/** Current status of a live table, for the lobby. */
export interface LiveTableStatus {
  readonly table: string;
  readonly phase: Phase;
  readonly light: Light;
  readonly paused: string;
  readonly players: number;
  readonly seats_free: number;
  readonly dealer: "automatic" | "person";
  /** Newest first, at most ten; empty if the profile forbids past results. */
  readonly last: ReadonlyArray<LastRound>;
}

/** A table in the lobby, with everything that a client needs before the first round. */
export interface LobbyTable {
  readonly table: string;
  readonly title: string;
  readonly game: string;
  /** One-line description of the table. */
  readonly line: string;
  readonly live: boolean;
  /** Number of boxes at an own table; number of seats at a live one, 0 for a shared deal. */
  readonly boxes: number;
  /** Label of the button that starts a round at an own table: `Deal`, `Spin`, `Roll`. */
  readonly start_word: string;
  /** Text printed on the layout: `Blackjack pays 3 to 2`, `Dealer stands on all 17s`. */
  readonly cloth: ReadonlyArray<string>;
  /** Percent of a shoe dealt before its cut card comes out; null: there is no cut card. */
  readonly cut_card_percent: number | null;
  /** True if the table may be played at the same time as others. */
  readonly multi_play: boolean;
  readonly limits: ReadonlyArray<CurrencyLimits>;
  /** Restrictions on bets, in sentences. The next two fields have them as data. */
  readonly restrictions: ReadonlyArray<string>;
  readonly never_together: ReadonlyArray<ExclusiveBets>;
  /** Limit on covered outcomes; null: none. */
  readonly covering: CoverageLimit | null;
  /** Titles of bets and outcomes that differ from the game's, by name. */
  readonly called: Readonly<Record<string, string>>;
  readonly published: ReadonlyArray<DisplayedReturn>;
  /** Null if none was computed for this table. */
  readonly exact_return: ExactReturn | null;
}

/** A bonus that the player may accept, with its terms. */
export interface OfferedBonus {
  /** Id of the bonus with these terms; an offer with other terms has another id. */
  readonly offer: string;
  readonly title: string;
  readonly currency: string;
  /** Amount of the bonus; 0 if it comes with the first deposit. */
  readonly granted_minor: number;
  /** Amount as a percentage of the first deposit; 0: the bonus is granted at once. */
  readonly match_percent: number;
  readonly match_max_minor: number;
  /** Wagering requirement, as a multiple of the amount. */
  readonly multiple: number;
  readonly days: number;
  readonly max_bet_minor: number;
  readonly excluded: ReadonlyArray<string>;
}

/** Result of a past round. */
export interface PastResult {
  readonly result: string;
  readonly number: string;
  /** Identifies the shoe; empty if no two rounds share one. */
  readonly shoe: string;
  readonly round: string;
}

/** Amounts staked, returned and deposited in the current day, week or month. */
export interface PeriodTotals {
  readonly period: Period;
  readonly since_ms: number;
  readonly currency: string;
  readonly staked_minor: number;
  readonly returned_minor: number;
  readonly deposited_minor: number;
}

/** Help with gambling for players of a jurisdiction. */
export interface PlayerHelp {
  /** Age from which players may play. */
  readonly minimum_age: number;
  /** Address of the operator's own page on responsible gaming; empty: the client shows its own. */
  readonly policy: string;
  readonly helplines: ReadonlyArray<Helpline>;
}

/** A limit that a player has set or may set, on amounts or on the minutes of a session. */
export interface PlayerLimit {
  readonly what: LimitKind;
  readonly period: Period;
  /** Empty for a session limit. */
  readonly currency: string;
  readonly most: number | null;
  /** Amount used so far; of a loss limit negative while the player is winning. */
  readonly used: number;
  /** Value from `from_ms` on, null for no limit; `from_ms` 0: no change is scheduled. */
  readonly then: number | null;
  readonly from_ms: number;
}

/** Error response of the HTTP API. */
export interface Problem {
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** The player's most recent tables, newest first. */
export interface RecentTables {
  readonly tables: ReadonlyArray<string>;
}

/** A player's limits and breaks, those that they may set, and their totals. */
export interface ResponsibleGaming {
  readonly limits: ReadonlyArray<PlayerLimit>;
  readonly barred: ActiveBreak | null;
  readonly spans: ReadonlyArray<PeriodTotals>;
  readonly cooling_off_hours: number;
  /** Minutes of a break, after which time played counts anew. */
  readonly session_break_minutes: number;
  /** True if the player has to set, keep or decline a deposit limit before the next deposit. */
  readonly deposit_limit_due: boolean;
  /** The time zone of the days, weeks and months, such as `Europe/London`. */
  readonly time_zone: string;
  readonly time_out_days: ReadonlyArray<number>;
  /** 0: permanent. */
  readonly exclusion_days: ReadonlyArray<number>;
}

/** Rules page of a table, generated from its rules record. */
export interface RulesPage {
  readonly table: string;
  readonly title: string;
  readonly html: string;
}

/** Address of the WebSocket, versions and currencies. */
export interface ServerInfo {
  readonly server: string;
  readonly server_date: string;
  readonly build: BuildView;
  readonly rng: string;
  readonly rng_date: string;
  readonly protocol: number;
  /** Address of the WebSocket; empty: the same host at `socket_port`. */
  readonly socket: string;
  readonly socket_port: number;
  readonly currencies: ReadonlyArray<CurrencyView>;
  /** Currencies that the server no longer has, for older rounds and movements. */
  readonly former_currencies: ReadonlyArray<CurrencyView>;
  /** True if the operator has published documents, such as terms and conditions. */
  readonly documents: boolean;
  /** True if the server sends mail, by which accounts can be recovered. */
  readonly mail: boolean;
  /** Name of the identity server that signs players in; empty: there is none. */
  readonly identity_server: string;
}

/** Passkey that the browser created. */
export interface NewPasskey {
  /** `response.clientDataJSON` of the credential. */
  readonly client_data: string;
  /** `response.attestationObject` of the credential. */
  readonly attestation: string;
  /** Empty: the server names it after the browser. */
  readonly name?: string;
}

/** Request to make an account of a guest, who signs in with this passkey and without a password. */
export interface NewPasskeyAccount {
  /** E-mail address or user name; case and the form of letters make no difference. */
  readonly name: string;
  /** Passkey for the challenge that was asked for with the same name. */
  readonly passkey: NewPasskey;
}

/** Request to prepare a passkey for a new account of that name. */
export interface PasskeyAccountName {
  /** E-mail address or user name of the new account. */
  readonly name: string;
}

/** Request to add a passkey. */
export interface PasskeyAddition {
  /** The passkey that the browser created. */
  readonly new: NewPasskey;
  /** The account's present password; empty: a passkey confirms. */
  readonly password?: string;
  /** Answer of one of the account's passkeys to a challenge for a confirmation. */
  readonly passkey?: PasskeySignIn | null;
}

/** Parameters for `navigator.credentials.get`. Require a verified user; list no credentials. */
export interface PasskeyChallenge {
  /** Random bytes that the authenticator signs, valid once and for five minutes. */
  readonly challenge: string;
  /** Id of the relying party: the host name that the passkeys belong to. */
  readonly rp: string;
}

/** Parameters for `navigator.credentials.create`. Require a resident key and a verified user. */
export interface PasskeyCreation {
  /** Random bytes that the authenticator signs, valid once and for five minutes. */
  readonly challenge: string;
  /** Id of the relying party: the host name that the passkey will belong to. */
  readonly rp: string;
  /** Id of the owner that the authenticator stores. */
  readonly user: string;
  /** Name of the owner that the authenticator shows. */
  readonly user_name: string;
  /** Ids of the owner's passkeys: an authenticator that has one of them makes no second one. */
  readonly known: ReadonlyArray<string>;
}

/** Request to remove a passkey. */
export interface PasskeyRemoval {
  /** Its `id`. */
  readonly id: string;
  /** The account's present password; empty: a passkey confirms. */
  readonly password?: string;
  /** Answer of one of the account's passkeys to a challenge for a confirmation. */
  readonly passkey?: PasskeySignIn | null;
}

/** A deposit or withdrawal of the player. */
export interface PaymentLine {
  readonly payment: string;
  readonly direction: Direction;
  /** A deposit is `created`, `pending`, `confirmed`, `denied`, `expired`, `in_suspense` (paid too late, or above a limit: the operator decides), `returning` to whoever paid it, `refunded`, `charged_back` or `partly_reversed`; a withdrawal `requested`, `held`, `sent`, `unknown`, `paid`, `returned` (denied), `partly_paid` or `payout_returned` (by the player's bank). `disputed`: the provider reports another amount. */
  readonly state: PaymentState;
  /** True if nothing more is expected; a deposit that is paid later is held in suspense. */
  readonly ended: boolean;
  readonly currency: string;
  readonly amount_minor: number;
  /** Amount that was actually paid, less what was reversed since; 0 until then. */
  readonly paid_minor: number;
  readonly created_ms: number;
  readonly changed_ms: number;
  /** Page where the player pays; empty: none. */
  readonly redirect: string;
  /** Reason given for the state; often empty. */
  readonly reason: string;
  /** End of the hold on a withdrawal after a change of the account's credentials; 0: none. */
  readonly held_until_ms: number;
}

/** A currency that a payment provider pays in and out, with the limits of one payment. */
export interface PaymentMethod {
  readonly currency: string;
  readonly min_minor: number;
  readonly max_minor: number;
}

/** The currencies with a payment provider, and the player's last payments. */
export interface PaymentList {
  readonly methods: ReadonlyArray<PaymentMethod>;
  /** Amounts that are being withdrawn, by currency; no longer part of the balance. */
  readonly withdrawing_minor: Readonly<Record<string, number>>;
  /** Newest first. */
  readonly payments: ReadonlyArray<PaymentLine>;
  /** Amounts that the player owes after payments were reversed, by currency; no bet and no withdrawal until they are paid. */
  readonly owed_minor: Readonly<Record<string, number>>;
}

/** Exact return of bets without decisions, in percent. */
export interface BetReturn {
  readonly bets: ReadonlyArray<string>;
  readonly returned: number;
  readonly house_edge: number;
}

/** One line of a paytable: winnings of `wins` for every `staked`, plus the returned stake. `wins` 0 returns the stake; a negative value loses part of it: -1 for every 2 returns half. The first line whose outcome occurred applies. Winnings are rounded down to the currency's smallest unit. */
export interface PaytableLine {
  readonly outcome: string;
  readonly title: string;
  readonly wins: number;
  readonly staked: number;
}

/** Smallest and largest stake in a currency. */
export interface StakeRange {
  readonly currency: string;
  readonly min_minor: number;
  readonly max_minor: number;
}

/** A bet of the table. Side bets (`main` is false) need a main bet on their box. */
export interface BetTerms {
  readonly bet: string;
  readonly title: string;
  /** Bets of one kind may share limits; empty: of no kind. */
  readonly kind: string;
  readonly main: boolean;
  readonly pays: ReadonlyArray<PaytableLine>;
  /** Limits in each currency that the table accepts. */
  readonly limits: ReadonlyArray<StakeRange>;
}

/** A return published in the table's rules, in percent. */
export interface PublishedPercentage {
  readonly bet: string;
  readonly percent: number;
  /** Basis of the percentage: `initial stake`. */
  readonly of: string;
}

/** Exact return of the main bet with a strategy, in percent. */
export interface StrategyReturn {
  readonly strategy: string;
  readonly per_initial_stake: number;
  readonly per_total_stake: number;
}

/** Bets, paytables, limits, restrictions and returns of a table. */
export interface TableData {
  readonly table: string;
  readonly title: string;
  readonly game: string;
  readonly dealing: Dealing;
  /** Maximum number of boxes per player; at a live table the number of seats, 0 for a shared deal. */
  readonly boxes: number;
  readonly rules_version: string;
  readonly rules_date: string;
  /** Fields of the game's rules record. */
  readonly rules: Readonly<Record<string, boolean | number | string | ReadonlyArray<number | string>>>;
  readonly bets: ReadonlyArray<BetTerms>;
  /** Limits on a player's total stake in a round; currencies not listed have none. */
  readonly table_limits: ReadonlyArray<StakeRange>;
  /** Combinations of bets that a player may not place together. */
  readonly never_together: ReadonlyArray<ReadonlyArray<string>>;
  /** Limit on covered outcomes; null: none. */
  readonly covering: CoverageLimit | null;
  readonly published: ReadonlyArray<PublishedPercentage>;
  /** Empty if the game has no decisions or no exact figures. */
  readonly exact_strategies: ReadonlyArray<StrategyReturn>;
  readonly exact_bets: ReadonlyArray<BetReturn>;
}
