// Made from croupier.protocol.wire by `python -m tools.wire_ts`: change it there.
export const PROTOCOL = 2;
export type Command = Hello | Join | Leave | DealRound | Decide | PlaceBet | Undo | Sit | StandUp | PostChat | ReportChatLine | SaveSettings | AnswerReminder | EndSession | Ping;
export type Dealing = "live" | "own";
export type Light = "green" | "red" | "yellow";
export type Message = Welcome | Pong | Ok | No | TableSnapshot | TableUpdate | BalanceUpdate | SettingsUpdate | ReminderAnswered | TakenOver | Upgrade | LiveSnapshot | LiveUpdate | PlayerUpdate | Pulse | ChatPosted | ChatRemoved;
export type Period = "day" | "month" | "visit" | "week";
export type Phase = "betting" | "closed" | "dealer" | "dealing" | "decisions" | "insurance" | "no_more_bets" | "opening" | "pause" | "settlement" | "shuffling" | "warning";
export type ReminderMinutes = 0 | 30 | 60 | 90;
/** What the views of all games have in common. */
export interface RoundView {
  readonly game: string;
  readonly ended: boolean;
  readonly returned_minor: number;
  readonly staked_minor: number;
}
export type What = "deposit" | "loss" | "session" | "wager";
export type Why = "exclusion" | "session" | "time_out";

/** A decision that is open, to be advised on. `turn` is the round's, as in Decide. */
export interface AdviceRequest {
  readonly round: string;
  readonly turn: number;
  readonly box: number;
  readonly hand: number;
}

/** What an option nets on average when the hand is played on at its best. */
export interface OptionValue {
  readonly action: string;
  /** In initial stakes, rounded to a millionth: -0.5 loses half of the stake. */
  readonly worth: number;
}

/** What each option on offer is worth, worked out from the cards that the player sees. */
export interface DecisionAdvice {
  readonly round: string;
  readonly turn: number;
  readonly box: number;
  readonly hand: number;
  readonly best: string;
  readonly options: ReadonlyArray<OptionValue>;
}

/** Decisions of one's own. `cost` is what the mistakes cost, in initial stakes. */
export interface TrainingTotals {
  readonly decisions: number;
  readonly mistakes: number;
  readonly cost: number;
}

/** A decision that was made, beside the best one. */
export interface DecisionReview {
  readonly round: string;
  readonly turn: number;
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly best: string;
  /** The best option's worth less that of the one chosen; 0: there was no better one. */
  readonly cost: number;
  /** Advice had been asked for: the decision counts neither as right nor as a mistake. */
  readonly advised: boolean;
  readonly options: ReadonlyArray<OptionValue>;
  readonly total: TrainingTotals;
}

/** A decision that cost something. */
export interface Mistake {
  readonly round: string;
  readonly at_ms: number;
  readonly table: string;
  readonly title: string;
  /** What was decided about, such as `A-7 against 6`. */
  readonly hand: string;
  readonly action: string;
  readonly best: string;
  readonly cost: number;
}

/** A decision that the player has made, to be judged. `turn` is the one of its Decide. */
export interface ReviewRequest {
  readonly round: string;
  readonly turn: number;
}

/** Decisions of one kind at one table. */
export interface TrainingLine {
  readonly table: string;
  readonly title: string;
  readonly kind: string;
  readonly kind_title: string;
  readonly total: TrainingTotals;
}

/** The player's decisions that were judged, and the mistakes that cost most. */
export interface TrainingRecord {
  readonly total: TrainingTotals;
  readonly advised: number;
  readonly lines: ReadonlyArray<TrainingLine>;
  /** The costliest first. */
  readonly worst: ReadonlyArray<Mistake>;
}

/** One thing that happened, for motion, sound and a spoken log. Box -1 is the dealer, -2 the table. `burned`: the first card of a fresh shoe is shown, and as many cards as it counts are put aside unseen. Only live tables send `opened` and what follows it here, and `by`. */
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

/** The player's settings, kept with the player and the same in each of their browsers. */
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
  readonly video_quality: "auto" | "high" | "low" | "medium";
  readonly currency: string;
  /** Whether tables show hints for a first round. */
  readonly hints: boolean;
  /** Whether own tables offer advice on a decision, where the profile allows it. */
  readonly advice: boolean;
  /** Whether each decision at an own table is judged, where the profile allows it. */
  readonly trainer: boolean;
}

/** A stake on a bet of a box. */
export interface Stake {
  readonly box: number;
  readonly bet: string;
  readonly stake_minor: number;
}

/** Go on after a reality check. While one is due, no round starts and no bet is taken, on any device. */
export interface AnswerReminder {
  readonly t: "answer_reminder";
  readonly req: string;
}

/** Start a round at an own table with these stakes. */
export interface DealRound {
  readonly t: "deal";
  readonly req: string;
  readonly table: string;
  readonly stakes: ReadonlyArray<Stake>;
}

/** Answer the decision that the round waits for; at a table of seats also ahead of the hand's turn. `turn` is the round's as the player saw it when they decided. A decision made for an earlier turn of the hand is refused `not_your_turn`, what the hand may not do `not_offered`. */
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

/** End the player's session on all devices: each connection is told `session_ended` and closed. Tables are left as by a lost connection. Who comes back begins a new session. */
export interface EndSession {
  readonly t: "end_session";
  readonly req: string;
}

/** A table that the client has open. */
export interface ResumedTable {
  readonly table: string;
  readonly v?: number;
  readonly currency?: string;
}

/** The first message on a connection, and again after a gap in `v`. Lists the tables to resume. */
export interface Hello {
  readonly t: "hello";
  readonly protocol: number;
  readonly tables?: ReadonlyArray<ResumedTable>;
}

/** Open a table in a currency. A `snapshot` or `live_snapshot` comes before the `ok`. */
export interface Join {
  readonly t: "join";
  readonly req: string;
  readonly table: string;
  readonly currency: string;
}

/** Close a table. A round that waits there goes on waiting. */
export interface Leave {
  readonly t: "leave";
  readonly req: string;
  readonly table: string;
}

/** Show that the client is there, every 1.5 s. Answered by `pong` with the server's clock. */
export interface Ping {
  readonly t: "ping";
}

/** Set the player's whole bet at a live table, replacing the one before; without stakes it is taken back. The `ok` means that the money is reserved durably. */
export interface PlaceBet {
  readonly t: "bet";
  readonly req: string;
  readonly table: string;
  readonly round: string;
  readonly stakes: ReadonlyArray<Stake>;
}

/** Send a line of chat at a live table. It is plain text, whatever it looks like. */
export interface PostChat {
  readonly t: "say";
  readonly req: string;
  readonly table: string;
  readonly text: string;
}

/** Report a line of chat to the staff. */
export interface ReportChatLine {
  readonly t: "report";
  readonly req: string;
  readonly table: string;
  readonly line: number;
}

/** Save the player's settings. `settings` goes to all of the player's connections. */
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

/** Give up a seat at a live table with seats. */
export interface StandUp {
  readonly t: "stand_up";
  readonly req: string;
  readonly table: string;
  readonly seat: number;
}

/** Set the player's bet at a live table to what it was before its last change. */
export interface Undo {
  readonly t: "undo";
  readonly req: string;
  readonly table: string;
  readonly round: string;
}

/** A line of chat, or a notice of the server's told by `code` and `args`. */
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

/** A new line of chat. */
export interface ChatPosted {
  readonly t: "chat";
  readonly table: string;
  readonly line: ChatLine;
}

/** The staff removed lines of chat. */
export interface ChatRemoved {
  readonly t: "chat_gone";
  readonly table: string;
  readonly lines: ReadonlyArray<number>;
}

/** Of `decided` players in the same situation, `chose` chose this action. */
export interface DecisionShare {
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly chose: number;
  readonly decided: number;
}

/** Where the round at a live table is. */
export interface LiveClock {
  readonly phase: Phase;
  readonly light: Light;
  readonly deadline_ms: number | null;
  readonly left_ms: number | null;
  /** The floor's reason; empty while the table isn't paused. */
  readonly paused: string;
  readonly round: string;
  readonly number: string;
  readonly opened_ms: number;
  /** While bets are open: when they close, behind the warning. None also while the table is paused. */
  readonly bets_close_ms: number | null;
}

/** A seat that is taken, and by whom. */
export interface OccupiedSeat {
  readonly seat: number;
  readonly name: string;
}

/** A bet that was placed; at a live table, one that returned something to somebody. */
export interface BetView {
  readonly bet: string;
  readonly stake_minor: number;
  /** None until the coup has ended. */
  readonly returned_minor: number | null;
  /** The paytable's line that came up, or `lost`. */
  readonly outcome: string | null;
}

/** What everybody on the same path of decisions sees of a live table. `round` is there from the close of the bets until the next opening. Where all share one deal, its amounts are those of a player with `unit_minor` on every bet of the table, and the client shows each player his own in proportion. `unit_minor` 0: the stakes themselves, at a table of seats. `covered` is always true: the client knows the balance. */
export interface LiveState {
  readonly clock: LiveClock;
  readonly players: number;
  readonly seats: ReadonlyArray<OccupiedSeat>;
  readonly round: RoundView | null;
  /** Names what players may decide now; see Decide. */
  readonly turn: number;
  readonly unit_minor: number;
  readonly statistics: ReadonlyArray<DecisionShare>;
}

/** A decision about the player's hand in this round. */
export interface PlayerDecision {
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly by: string;
  /** Its window is still open, or it was made ahead: the cards haven't followed yet. */
  readonly waiting: boolean;
}

/** What one stake returned. */
export interface StakeResult {
  readonly box: number;
  readonly hand: number;
  readonly bet: string;
  readonly stake_minor: number;
  readonly returned_minor: number;
  readonly outcome: string;
}

/** The player's last round at this table that has ended. */
export interface PlayerResult {
  readonly round: string;
  readonly number: string;
  readonly staked_minor: number;
  readonly returned_minor: number;
  readonly void: boolean;
  readonly reason: string;
  readonly lines: ReadonlyArray<StakeResult>;
}

/** The viewer's own part of a live table. */
export interface PlayerState {
  readonly currency: string;
  readonly balance_minor: number;
  /** All that he has at stake in this currency, here and elsewhere. */
  readonly in_play_minor: number;
  readonly seats: ReadonlyArray<number>;
  /** The bet that counts in this round. */
  readonly stakes: ReadonlyArray<Stake>;
  /** All that is set aside in this round: the bet, and what decisions cost. */
  readonly held_minor: number;
  readonly can_undo: boolean;
  /** Bets that the last change stopped at their maximum. */
  readonly at_maximum: ReadonlyArray<string>;
  /** Decided in this round, also ahead of one's turn. */
  readonly made: ReadonlyArray<PlayerDecision>;
  /** Of the last round he bet in, for Repeat. */
  readonly last_stakes: ReadonlyArray<Stake>;
  readonly result: PlayerResult | null;
}

/** A live table as it is now: answers `join`, and `hello` for a table that is listed there. */
export interface LiveSnapshot {
  readonly t: "live_snapshot";
  readonly table: string;
  readonly v: number;
  readonly state: LiveState;
  readonly mine: PlayerState;
  readonly chat: ReadonlyArray<ChatLine>;
}

/** What changed at a live table, and its new state. All players on one path of decisions get the same. */
export interface LiveUpdate {
  readonly t: "live";
  readonly table: string;
  readonly v: number;
  readonly did: ReadonlyArray<RoundEvent>;
  readonly state: LiveState;
}

/** The player's own part of a live table, as it is at version `v`. It follows the `live` of that version. */
export interface PlayerUpdate {
  readonly t: "mine";
  readonly table: string;
  readonly v: number;
  readonly round: string;
  readonly mine: PlayerState;
}

/** How many players are here and what they decided, some times a second while it changes. */
export interface Pulse {
  readonly t: "pulse";
  readonly table: string;
  readonly round: string;
  readonly players: number;
  readonly statistics: ReadonlyArray<DecisionShare>;
}

/** A player's money in one currency. Money at stake on open rounds isn't part of `balance_minor`. */
export interface Balance {
  readonly currency: string;
  readonly balance_minor: number;
  readonly in_play_minor: number;
  readonly session_staked_minor: number;
  readonly session_returned_minor: number;
}

/** The player's money in one currency has changed. */
export interface BalanceUpdate {
  readonly t: "balance";
  readonly balance: Balance;
}

/** What the server's jurisdiction allows its players. A client shows nothing else. */
export interface JurisdictionProfile {
  /** What others decided, in the decision buttons. */
  readonly statistics: boolean;
  /** What came up in the last rounds, and how often. */
  readonly results: boolean;
  /** Tables open at once, over all browsers of a player. */
  readonly tables_max: number;
  /** From the start of one round to the start of the next, over all tables of a player. */
  readonly round_min_ms: number;
  /** The reality checks to choose from; without 0 it can't be switched off. */
  readonly reminder_minutes: ReadonlyArray<number>;
  /** Where advice and the trainer may be used; never at a live table. */
  readonly advice: "none" | "own_tables" | "play_money";
}

/** The command, or the frame where `req` is empty, is refused and nothing has changed. */
export interface No {
  readonly t: "no";
  readonly req: string;
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** The command is carried out and durable. What it changed has been told before: by the `event` of an own table; by the `mine` of a live table, behind the `live` where everybody sees it. */
export interface Ok {
  readonly t: "ok";
  readonly req: string;
}

/** A round at an own table. */
export interface PlayedRound {
  readonly id: string;
  readonly number: string;
  readonly started_ms: number;
  /** Names what the player may decide now; see Decide. */
  readonly turn: number;
  readonly view: RoundView;
}

/** Answers `ping`. */
export interface Pong {
  readonly t: "pong";
  readonly now_ms: number;
}

/** The player answered a reality check, perhaps in another browser. */
export interface ReminderAnswered {
  readonly t: "reminded";
  readonly at_ms: number;
}

/** The player's settings have changed, perhaps in another browser. */
export interface SettingsUpdate {
  readonly t: "settings";
  readonly settings: Settings;
}

/** All that an own table shows. It replaces the state before. */
export interface TableState {
  readonly currency: string;
  /** The round in play, or the last one until the next is dealt. */
  readonly round: PlayedRound | null;
  /** Server time before which no round may be dealt; 0: at once. */
  readonly next_deal_ms: number;
  /** The stakes of the last round, for Rebet. */
  readonly last_stakes: ReadonlyArray<Stake>;
}

/** An own table as it is now: answers `join`, and `hello` where missed events are lost. */
export interface TableSnapshot {
  readonly t: "snapshot";
  readonly table: string;
  readonly v: number;
  readonly state: TableState;
}

/** What changed at an own table, and its new state. */
export interface TableUpdate {
  readonly t: "event";
  readonly table: string;
  readonly v: number;
  readonly did: ReadonlyArray<RoundEvent>;
  readonly state: TableState;
}

/** The player opened this table on another connection; this one has left it. */
export interface TakenOver {
  readonly t: "taken_over";
  readonly table: string;
}

/** The client speaks another version of the protocol. Nothing else works on this connection. */
export interface Upgrade {
  readonly t: "upgrade";
  readonly protocol: number;
}

/** Answers `hello`. What was missed at the listed tables comes after it. */
export interface Welcome {
  readonly t: "welcome";
  readonly protocol: number;
  readonly server: string;
  readonly now_ms: number;
  readonly player: string;
  readonly name: string;
  readonly session_started_ms: number;
  /** When the first bet of this session was made: the time played counts from then; 0: there was none. */
  readonly played_from_ms: number;
  /** When the player answered the last reality check of this session; 0: there was none. */
  readonly reminded_ms: number;
  readonly balances: ReadonlyArray<Balance>;
  readonly settings: Settings;
  /** Tables where a round of this player's is unfinished: to be offered again. */
  readonly open_tables: ReadonlyArray<string>;
  readonly profile: JurisdictionProfile;
}

/** A break or an exclusion: until then the player may not play, chat or deposit. */
export interface ActiveBreak {
  readonly why: Why;
  /** The largest number that a browser counts exactly, 2**53 - 1: for good. */
  readonly until_ms: number;
}

/** A bet with its limits in one currency. */
export interface BetLimits {
  readonly bet: string;
  readonly title: string;
  /** Bets of one kind may have limits of their own; empty: of no kind. */
  readonly kind: string;
  readonly main: boolean;
  readonly min_minor: number;
  readonly max_minor: number;
  /** Lines of the paytable, such as `Suited pair 25:1`. */
  readonly pays: ReadonlyArray<string>;
}

/** A break or an exclusion to begin. It can't be taken back. */
export interface BreakRequest {
  readonly why: "exclusion" | "time_out";
  readonly days: number;
}

/** A deposit or a withdrawal of play money. */
export interface CashierRequest {
  readonly req: string;
  readonly currency: string;
  readonly amount_minor: number;
}

/** How many of the outcomes a player's bets may win on together. */
export interface CoverageLimit {
  readonly percent: number;
  readonly most: number;
  readonly outcomes: number;
  /** The outcomes on which a bet wins, by its name; each outcome is a number below `outcomes`. */
  readonly of: Readonly<Record<string, ReadonlyArray<number>>>;
}

/** A table's limits in one currency. */
export interface CurrencyLimits {
  readonly currency: string;
  /** From the smallest stake that any main bet takes, up to `max_minor`, the largest. */
  readonly min_minor: number;
  readonly max_minor: number;
  readonly chips_minor: ReadonlyArray<number>;
  /** The most that all bets of a player in a round may come to; None: as much as each of them may. */
  readonly table_max_minor: number | null;
  readonly bets: ReadonlyArray<BetLimits>;
}

/** A currency. */
export interface CurrencyView {
  readonly code: string;
  readonly name: string;
  readonly decimals: number;
  readonly play_money: boolean;
}

/** A return that the table's rules publish. */
export interface DisplayedReturn {
  readonly bet: string;
  readonly percent: string;
  readonly of: string;
}

/** The best return of a table, computed exactly: in percent, and of what. */
export interface ExactReturn {
  readonly percent: string;
  readonly of: string;
}

/** Bets that may not all be in one player's bet. */
export interface ExclusiveBets {
  readonly bets: ReadonlyArray<string>;
  /** As the refusal calls them: `Player and Banker`. */
  readonly named: string;
}

/** Where players and their families find help with gambling. */
export interface Helpline {
  readonly name: string;
  readonly url: string;
  /** Where it can be reached: a country, or the world. */
  readonly where: string;
  /** Empty: it has none, or one for each place. */
  readonly phone: string;
}

/** A round of the player's. */
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
  /** `taken_back`: the player took back all that they had bet before the bets were closed. */
  readonly status: "open" | "settled" | "taken_back" | "void";
  /** SEQ:HASH of the journal's entry that ended the round; the hash covers all entries before it. For `croupier verify --receipt`. Empty while the round is open. */
  readonly receipt: string;
}

/** A page of the player's rounds, with totals over all pages. */
export interface History {
  readonly lines: ReadonlyArray<HistoryLine>;
  readonly more: boolean;
  /** By currency, over all such rounds that have ended and not this page alone. */
  readonly staked_minor: Readonly<Record<string, number>>;
  readonly returned_minor: Readonly<Record<string, number>>;
}

/** One step of a round, and the view after it. */
export interface HistoryStep {
  readonly did: RoundEvent;
  readonly view: RoundView;
  /** Whether the player had asked for advice on this decision. */
  readonly advised: boolean;
}

/** A round, step by step. */
export interface HistoryRound {
  readonly line: HistoryLine;
  readonly stakes: ReadonlyArray<Stake>;
  readonly steps: ReadonlyArray<HistoryStep>;
  readonly versions: Readonly<Record<string, string>>;
}

/** The result of a live table's round, in its game's word. */
export interface LastRound {
  readonly number: string;
  /** Blackjack's are the dealer's total, `blackjack` or `bust`; a roulette's the pocket. */
  readonly result: string;
}

/** A limit to set. */
export interface LimitRequest {
  readonly what: What;
  readonly period: Period;
  readonly currency: string;
  readonly most: number | null;
}

/** A live table as it is now, for the lobby. */
export interface LiveTableStatus {
  readonly table: string;
  readonly phase: Phase;
  readonly light: Light;
  readonly paused: string;
  readonly players: number;
  readonly seats_free: number;
  readonly dealer: "automatic" | "person";
  /** Newest first, ten at most; empty where the profile forbids it. */
  readonly last: ReadonlyArray<LastRound>;
}

/** A table as the lobby shows it, with all that a client needs before the first round. */
export interface LobbyTable {
  readonly table: string;
  readonly title: string;
  readonly game: string;
  /** One line that says what is special here. */
  readonly line: string;
  readonly live: boolean;
  /** Boxes of one player at an own table; seats at a live one, 0 where all share one deal. */
  readonly boxes: number;
  /** What starts a round at an own table: `Deal`, `Spin`, `Roll`. */
  readonly start_word: string;
  /** What is printed on the cloth: `Blackjack pays 3 to 2`, `Dealer stands on all 17s`. */
  readonly cloth: ReadonlyArray<string>;
  /** Whether it may be played beside other tables. */
  readonly multi_play: boolean;
  readonly limits: ReadonlyArray<CurrencyLimits>;
  /** Which bets aren't taken together, in sentences; then as data, to refuse a chip before it is sent. */
  readonly restrictions: ReadonlyArray<string>;
  readonly never_together: ReadonlyArray<ExclusiveBets>;
  /** None: all outcomes may be covered. */
  readonly covering: CoverageLimit | null;
  /** What a bet or an outcome is called here, where it isn't as in the game, by its name. */
  readonly called: Readonly<Record<string, string>>;
  readonly published: ReadonlyArray<DisplayedReturn>;
  /** None: nothing was computed for this table. */
  readonly exact_return: ExactReturn | null;
}

/** The player, or the member of staff, whose session it is. */
export interface Me {
  readonly player: string;
  readonly name: string;
}

/** The result of a past round. */
export interface PastResult {
  readonly result: string;
  readonly number: string;
  /** The same for all rounds dealt from one shoe; empty where no round shares one with another. */
  readonly shoe: string;
  readonly round: string;
}

/** What a player staked, won and deposited in the running day, week or month. */
export interface PeriodTotals {
  readonly period: Period;
  readonly since_ms: number;
  readonly currency: string;
  readonly staked_minor: number;
  readonly returned_minor: number;
  readonly deposited_minor: number;
}

/** A limit that a player has set, or may set, on amounts or on the minutes of a session. */
export interface PlayerLimit {
  readonly what: What;
  readonly period: Period;
  /** Empty for a session. */
  readonly currency: string;
  readonly most: number | null;
  /** Below 0: of a loss, who is winning. */
  readonly used: number;
  /** What it will be from `from_ms` on; 0: nothing is to change. */
  readonly then: number | null;
  readonly from_ms: number;
}

/** An error of the HTTP API. */
export interface Problem {
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** The tables where the player played last, newest first. */
export interface RecentTables {
  readonly tables: ReadonlyArray<string>;
}

/** The player's own limits and breaks, what they may set, and their totals. */
export interface ResponsibleGaming {
  readonly limits: ReadonlyArray<PlayerLimit>;
  readonly barred: ActiveBreak | null;
  readonly spans: ReadonlyArray<PeriodTotals>;
  readonly cooling_off_hours: number;
  readonly time_out_days: ReadonlyArray<number>;
  /** 0: for good. */
  readonly exclusion_days: ReadonlyArray<number>;
}

/** A table's rules page, made from its rules record. */
export interface RulesPage {
  readonly table: string;
  readonly title: string;
  readonly html: string;
}

/** The server: its WebSocket's address, its versions and its currencies. */
export interface ServerInfo {
  readonly server: string;
  readonly server_date: string;
  readonly rng: string;
  readonly rng_date: string;
  readonly protocol: number;
  /** The WebSocket's address; empty: same host, `socket_port`. */
  readonly socket: string;
  readonly socket_port: number;
  readonly currencies: ReadonlyArray<CurrencyView>;
  /** The address of the operator's own page on responsible gaming; empty: the client has one. */
  readonly policy: string;
  readonly helplines: ReadonlyArray<Helpline>;
}

/** A movement of the player's money. */
export interface StatementEntry {
  readonly seq: number;
  readonly at_ms: number;
  readonly what: "deposit" | "expiry" | "grant" | "return" | "stake" | "taken_back" | "void" | "withdrawal";
  readonly currency: string;
  /** Signed: positive raises the balance. */
  readonly amount_minor: number;
  readonly balance_minor: number;
  readonly round: string;
}

/** The exact return of bets that depend on no decision, in percent. */
export interface BetReturn {
  readonly bets: ReadonlyArray<string>;
  readonly returned: number;
  readonly house_edge: number;
}

/** One line of a paytable: `wins` for every `staked`, and the stake comes back on top. `wins` 0 returns the stake; below 0 a part of it is lost: -1 for every 2 returns half. The first line whose outcome came up counts. Winnings are rounded down to the currency's smallest unit. */
export interface PaytableLine {
  readonly outcome: string;
  readonly title: string;
  readonly wins: number;
  readonly staked: number;
}

/** The smallest and largest stake in a currency. */
export interface StakeRange {
  readonly currency: string;
  readonly min_minor: number;
  readonly max_minor: number;
}

/** A bet of the table. A bet that isn't `main` needs a main bet on its box. */
export interface BetTerms {
  readonly bet: string;
  readonly title: string;
  /** Bets of one kind may share limits; empty: of no kind. */
  readonly kind: string;
  readonly main: boolean;
  readonly pays: ReadonlyArray<PaytableLine>;
  /** One for each currency that the table takes. */
  readonly limits: ReadonlyArray<StakeRange>;
}

/** A return that the table's rules publish, in percent. */
export interface PublishedReturn {
  readonly bet: string;
  readonly percent: number;
  /** What it is a percentage of: `initial stake`. */
  readonly of: string;
}

/** The exact return of the main bet under one way to play, in percent. */
export interface StrategyReturn {
  readonly strategy: string;
  readonly per_initial_stake: number;
  readonly per_total_stake: number;
}

/** GET /api/tables/{table}: bets, paytables, limits, restrictions and returns. */
export interface TableData {
  readonly table: string;
  readonly title: string;
  readonly game: string;
  readonly dealing: Dealing;
  /** Boxes that a player may open in a round; seats at a live table, 0 where all share one deal. */
  readonly boxes: number;
  readonly rules_version: string;
  readonly rules_date: string;
  /** The game's rules record, field by field. */
  readonly rules: Readonly<Record<string, boolean | number | string | ReadonlyArray<number | string>>>;
  readonly bets: ReadonlyArray<BetTerms>;
  /** Limits of all of a player's bets in a round together; a currency that isn't listed has none. */
  readonly table_limits: ReadonlyArray<StakeRange>;
  /** Bets that may not all be in one player's bet. */
  readonly never_together: ReadonlyArray<ReadonlyArray<string>>;
  /** None: all outcomes may be covered. */
  readonly covering: CoverageLimit | null;
  readonly published: ReadonlyArray<PublishedReturn>;
  /** Empty where the player decides nothing, or nothing is known exactly. */
  readonly exact_strategies: ReadonlyArray<StrategyReturn>;
  readonly exact_bets: ReadonlyArray<BetReturn>;
}
