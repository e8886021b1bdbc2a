// Made from croupier.server.wire by `python -m tools.wire_ts`: change it there.
export const PROTOCOL = 1;
export type Command = Hello | Join | Leave | Deal | Decide | Bet | Undo | Sit | StandUp | Say | Report | SaveSettings | Ping;
export type Dealing = "live" | "own";
export type Light = "green" | "red" | "yellow";
export type Message = Welcome | Pong | Ok | No | Snapshot | Event | BalanceNow | SettingsNow | TakenOver | Upgrade | LiveSnapshot | LiveEvent | MineNow | Pulse | ChatSaid | ChatGone;
export type Period = "day" | "month" | "visit" | "week";
export type Phase = "betting" | "closed" | "dealer" | "dealing" | "decisions" | "insurance" | "no_more_bets" | "opening" | "pause" | "settlement" | "shuffling" | "warning";
/** What the views of all games have in common. */
export interface RoundView {
  readonly game: string;
  readonly ended: boolean;
  readonly returned_minor: number;
  readonly staked_minor: number;
}
export type What = "deposit" | "loss" | "session" | "wager";
export type Why = "exclusion" | "session" | "time_out";

/** One thing that happened, for motion, sound and the spoken log. Box -1 is the dealer. `burned`: the first card of a fresh shoe is shown, and as many as it counts are put aside unseen. `came` is what came up: the pocket of a wheel that was `spun` (`17`), the dice `rolled` (`1-3-6`). `name` is what the hand is called (`Player`), where its game has a name for it. From `opened` on only live tables say it: `by` is who decided (`player`, `ahead`, `time_out`, `low_balance`), `name` who sat down, `reason` the floor's. */
export interface Happening {
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

/** Kept with the player and applied in every browser of his. */
export interface Settings {
  readonly sound: boolean;
  readonly effects_volume: number;
  readonly voice: boolean;
  readonly voice_volume: number;
  readonly four_colours: boolean;
  readonly cloth: "claret" | "green" | "night" | "slate";
  readonly reminder_minutes: 0 | 30 | 60 | 90;
  readonly shortcuts: boolean;
  readonly hide_chat: boolean;
  readonly video_quality: "auto" | "high" | "low" | "medium";
  readonly currency: string;
}

export interface Stake {
  readonly box: number;
  readonly bet: string;
  readonly stake_minor: number;
}

/** The whole of the player's bet at a live table, as it is to be now; no stakes take it back. Answered once the money is set aside, durably. */
export interface Bet {
  readonly t: "bet";
  readonly req: string;
  readonly table: string;
  readonly round: string;
  readonly stakes: ReadonlyArray<Stake>;
}

/** Start a round with these stakes. */
export interface Deal {
  readonly t: "deal";
  readonly req: string;
  readonly table: string;
  readonly stakes: ReadonlyArray<Stake>;
}

/** Answer the decision that the round waits for. */
export interface Decide {
  readonly t: "decide";
  readonly req: string;
  readonly table: string;
  readonly round: string;
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly stake_minor?: number | null;
}

/** A table the browser has open and the last version it saw (0: none). `currency` is the one it plays in there, which a house that was shut meanwhile doesn't know any more: what is dealt next would be in another. Empty: whichever the table has. */
export interface Following {
  readonly table: string;
  readonly v?: number;
  readonly currency?: string;
}

/** The first message on a connection, and again after a gap in `v`. */
export interface Hello {
  readonly t: "hello";
  readonly protocol: number;
  readonly tables?: ReadonlyArray<Following>;
}

/** Open a table in a currency; answered by `ok` and a `snapshot`. */
export interface Join {
  readonly t: "join";
  readonly req: string;
  readonly table: string;
  readonly currency: string;
}

export interface Leave {
  readonly t: "leave";
  readonly req: string;
  readonly table: string;
}

/** Every 2.5 s; answered by `pong` with the server's clock. */
export interface Ping {
  readonly t: "ping";
}

/** Tells the floor of a line of chat. */
export interface Report {
  readonly t: "report";
  readonly req: string;
  readonly table: string;
  readonly line: number;
}

export interface SaveSettings {
  readonly t: "save_settings";
  readonly req: string;
  readonly settings: Settings;
}

/** A line of chat at a live table: text, whatever it looks like. */
export interface Say {
  readonly t: "say";
  readonly req: string;
  readonly table: string;
  readonly text: string;
}

/** Take a seat at a live table of seats. */
export interface Sit {
  readonly t: "sit";
  readonly req: string;
  readonly table: string;
  readonly seat: number;
}

export interface StandUp {
  readonly t: "stand_up";
  readonly req: string;
  readonly table: string;
  readonly seat: number;
}

/** The player's bet at a live table as it was before its last change. */
export interface Undo {
  readonly t: "undo";
  readonly req: string;
  readonly table: string;
  readonly round: string;
}

/** The floor took lines of chat away. */
export interface ChatGone {
  readonly t: "chat_gone";
  readonly table: string;
  readonly lines: ReadonlyArray<number>;
}

/** `who`: a player's name, `dealer`'s, or empty for a notice of the house, told by `code` and `args`. `player` tells whose line it is, the same for all of his lines at this table, and nothing else. */
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

export interface ChatSaid {
  readonly t: "chat";
  readonly table: string;
  readonly line: ChatLine;
}

/** Where the round is. `left_ms` instead of `deadline_ms` while the table is paused. `number` is for people (#HH:MM:SS, GMT). `opened_ms` is when the bets of this round opened. */
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

export interface SeatNow {
  readonly seat: number;
  readonly name: string;
}

/** A bet that was laid, or at a live table one that returned something to whoever had it. */
export interface BetView {
  readonly bet: string;
  readonly stake_minor: number;
  /** None until the coup has ended. */
  readonly returned_minor: number | null;
  /** The paytable's line that came up, or `lost`. */
  readonly outcome: string | null;
}

/** Of `decided` players in the same situation, `chose` chose this action. */
export interface ShareOf {
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly chose: number;
  readonly decided: number;
}

/** What everybody on the same path of decisions sees of a live table. `round` is there from the close of the bets until the next opening. Where all share one deal, its amounts are those of a player with `unit_minor` on every bet of the table, and the client shows each player his own in proportion. `unit_minor` 0: the stakes themselves, at a table of seats. `covered` is always true: the client knows the balance. */
export interface LiveState {
  readonly clock: LiveClock;
  readonly players: number;
  readonly seats: ReadonlyArray<SeatNow>;
  readonly round: RoundView | null;
  readonly unit_minor: number;
  readonly statistics: ReadonlyArray<ShareOf>;
}

export interface LiveEvent {
  readonly t: "live";
  readonly table: string;
  readonly v: number;
  readonly did: ReadonlyArray<Happening>;
  readonly state: LiveState;
}

/** A decision about the player's hand in this round; `by` as in Happening. */
export interface MyDecision {
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly by: string;
  /** Its window is still open, or it was made ahead: the cards haven't followed yet. */
  readonly waiting: boolean;
}

/** What became of one stake, to the unit. */
export interface ResultLine {
  readonly box: number;
  readonly hand: number;
  readonly bet: string;
  readonly stake_minor: number;
  readonly returned_minor: number;
  readonly outcome: string;
}

/** The player's last round at this table that ended. `void`: everything staked came back. */
export interface MyResult {
  readonly round: string;
  readonly number: string;
  readonly staked_minor: number;
  readonly returned_minor: number;
  readonly void: boolean;
  readonly reason: string;
  readonly lines: ReadonlyArray<ResultLine>;
}

/** The viewer's own part of a live table. */
export interface Mine {
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
  readonly made: ReadonlyArray<MyDecision>;
  /** Of the last round he bet in, for Repeat. */
  readonly last_stakes: ReadonlyArray<Stake>;
  readonly result: MyResult | null;
}

/** A live table as it is: answers Join, and Hello where something was missed. */
export interface LiveSnapshot {
  readonly t: "live_snapshot";
  readonly table: string;
  readonly v: number;
  readonly state: LiveState;
  readonly mine: Mine;
  readonly chat: ReadonlyArray<ChatLine>;
}

export interface MineNow {
  readonly t: "mine";
  readonly table: string;
  readonly mine: Mine;
}

/** Some times a second while it changes: who is here, and what was decided in this situation. */
export interface Pulse {
  readonly t: "pulse";
  readonly table: string;
  readonly round: string;
  readonly players: number;
  readonly statistics: ReadonlyArray<ShareOf>;
}

/** `in_play_minor` is staked on open rounds and no longer part of `balance_minor`. What the session staked and returned is of the rounds that have ended. */
export interface Balance {
  readonly currency: string;
  readonly balance_minor: number;
  readonly in_play_minor: number;
  readonly session_staked_minor: number;
  readonly session_returned_minor: number;
}

export interface BalanceNow {
  readonly t: "balance";
  readonly balance: Balance;
}

/** `number` is for people (#HH:MM:SS, GMT); `id` is unique. */
export interface PlayedRound {
  readonly id: string;
  readonly number: string;
  readonly started_ms: number;
  readonly view: RoundView;
}

/** All that a player's own table shows. Values are absolute: a state replaces the one before. */
export interface TableState {
  readonly currency: string;
  /** The round in play, or the last one until the next is dealt. */
  readonly round: PlayedRound | null;
  /** Server time before which no round may be dealt; 0: at once. */
  readonly next_deal_ms: number;
  /** The stakes of the last round, for Rebet. */
  readonly last_stakes: ReadonlyArray<Stake>;
}

export interface Event {
  readonly t: "event";
  readonly table: string;
  readonly v: number;
  readonly did: ReadonlyArray<Happening>;
  readonly state: TableState;
}

/** A refusal: `code` and `args` make the sentence; nothing has changed. */
export interface No {
  readonly t: "no";
  readonly req: string;
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

export interface Ok {
  readonly t: "ok";
  readonly req: string;
}

export interface Pong {
  readonly t: "pong";
  readonly now_ms: number;
}

/** What the house's jurisdiction allows its players; the client shows nothing else. */
export interface Profile {
  /** What others decided, in the decision buttons. */
  readonly statistics: boolean;
  /** What came up in the last rounds, and how often. */
  readonly results: boolean;
  /** Tables open at once in one window. */
  readonly tables_max: number;
  readonly round_min_ms: number;
  /** The reality checks to choose from; without 0 it can't be switched off. */
  readonly reminder_minutes: ReadonlyArray<number>;
}

export interface SettingsNow {
  readonly t: "settings";
  readonly settings: Settings;
}

export interface Snapshot {
  readonly t: "snapshot";
  readonly table: string;
  readonly v: number;
  readonly state: TableState;
}

/** The same player opened this table in another browser; this one has left it. */
export interface TakenOver {
  readonly t: "taken_over";
  readonly table: string;
}

/** The browser speaks another protocol: reload the page. */
export interface Upgrade {
  readonly t: "upgrade";
  readonly protocol: number;
}

/** Answers Hello; the snapshots of the followed tables come after it. */
export interface Welcome {
  readonly t: "welcome";
  readonly protocol: number;
  readonly server: string;
  readonly now_ms: number;
  readonly player: string;
  readonly name: string;
  readonly session_started_ms: number;
  readonly balances: ReadonlyArray<Balance>;
  readonly settings: Settings;
  /** Tables where a round of this player's is unfinished: to be offered again. */
  readonly open_tables: ReadonlyArray<string>;
  readonly profile: Profile;
}

/** POST /api/care/bar: no way back before the time is over. `days` 0: for good. */
export interface BarOrder {
  readonly why: "exclusion" | "time_out";
  readonly days: number;
}

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

/** A limit that a player has set himself, or may set: amounts, or minutes of a session. */
export interface OwnLimit {
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

/** Barred from the tables, from the chat and from deposits until then. */
export interface Kept {
  readonly why: Why;
  /** The largest number that a browser counts exactly, 2**53 - 1: for good. */
  readonly until_ms: number;
}

/** What a player did in the day, week or month that goes on. */
export interface Span {
  readonly period: Period;
  readonly since_ms: number;
  readonly currency: string;
  readonly staked_minor: number;
  readonly returned_minor: number;
  readonly deposited_minor: number;
}

/** GET /api/care: what the player has set himself, what he may, and how he fared. */
export interface Care {
  readonly limits: ReadonlyArray<OwnLimit>;
  readonly barred: Kept | null;
  readonly spans: ReadonlyArray<Span>;
  readonly cooling_off_hours: number;
  readonly time_out_days: ReadonlyArray<number>;
  /** 0: for good. */
  readonly exclusion_days: ReadonlyArray<number>;
}

/** POST /api/cashier/deposit and /withdraw, in play money. */
export interface CashierOrder {
  readonly req: string;
  readonly currency: string;
  readonly amount_minor: number;
}

/** How many of the outcomes a player's bets may win on together. */
export interface Covering {
  readonly percent: number;
  readonly most: number;
  readonly outcomes: number;
  /** The outcomes on which a bet wins, by its name; each outcome is a number below `outcomes`. */
  readonly of: Readonly<Record<string, ReadonlyArray<number>>>;
}

export interface CurrencyLimits {
  readonly currency: string;
  readonly chips_minor: ReadonlyArray<number>;
  /** The most that all bets of a player in a round may come to; None: as much as each of them may. */
  readonly table_max_minor: number | null;
  readonly bets: ReadonlyArray<BetLimits>;
}

export interface CurrencyView {
  readonly code: string;
  readonly name: string;
  readonly decimals: number;
  readonly play_money: boolean;
}

/** What a round of a live table came to, for the lobby, in its game's word. */
export interface LastRound {
  readonly number: string;
  /** Blackjack's are the dealer's total, `blackjack` or `bust`; a roulette's the pocket. */
  readonly result: string;
}

/** GET /api/floor: a live table as it is now, for the lobby. */
export interface FloorLine {
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

/** GET /api/history?before=&table=&from_ms=&to_ms=&limit=: newest first. */
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
  readonly status: "open" | "settled" | "void";
}

export interface History {
  readonly lines: ReadonlyArray<HistoryLine>;
  readonly more: boolean;
  /** By currency, over all such rounds that have ended and not this page alone. */
  readonly staked_minor: Readonly<Record<string, number>>;
  readonly returned_minor: Readonly<Record<string, number>>;
}

export interface HistoryStep {
  readonly did: Happening;
  readonly view: RoundView;
}

/** GET /api/rounds/{round}: the round card by card; `steps` are the views after each. */
export interface HistoryRound {
  readonly line: HistoryLine;
  readonly stakes: ReadonlyArray<Stake>;
  readonly steps: ReadonlyArray<HistoryStep>;
  readonly versions: Readonly<Record<string, string>>;
}

/** GET /api/house: where the socket is, and what the versions are. */
export interface House {
  readonly server: string;
  readonly server_date: string;
  readonly rng: string;
  readonly rng_date: string;
  readonly protocol: number;
  /** The WebSocket's address; empty: same host, `socket_port`. */
  readonly socket: string;
  readonly socket_port: number;
  readonly currencies: ReadonlyArray<CurrencyView>;
}

/** POST /api/care/limit; `most` None: no limit any more. */
export interface LimitOrder {
  readonly what: What;
  readonly period: Period;
  readonly currency: string;
  readonly most: number | null;
}

/** Bets that are never all in a player's bet at once. */
export interface Together {
  readonly bets: ReadonlyArray<string>;
  /** As the refusal calls them: `Player and Banker`. */
  readonly named: string;
}

export interface Published {
  readonly bet: string;
  readonly percent: string;
  readonly of: string;
}

/** GET /api/tables: one card of the lobby, and all a table needs before its first round. */
export interface LobbyTable {
  readonly table: string;
  readonly title: string;
  readonly game: string;
  /** One line that says what is special here. */
  readonly line: string;
  readonly live: boolean;
  /** Boxes of one player at an own table; seats at a live one, 0 where all share one deal. */
  readonly boxes: number;
  /** What is printed on the cloth: `Blackjack pays 3 to 2`, `Dealer stands on all 17s`. */
  readonly cloth: ReadonlyArray<string>;
  readonly limits: ReadonlyArray<CurrencyLimits>;
  /** Which bets aren't taken together, in sentences; then as data, to refuse a chip before it is sent. */
  readonly restrictions: ReadonlyArray<string>;
  readonly never_together: ReadonlyArray<Together>;
  /** None: all outcomes may be covered. */
  readonly covering: Covering | null;
  /** What a bet or an outcome is called here, where it isn't as in the game, by its name. */
  readonly called: Readonly<Record<string, string>>;
  readonly published: ReadonlyArray<Published>;
}

/** GET /api/me, and POST /api/guest, which makes a guest of a stranger. */
export interface Me {
  readonly player: string;
  readonly name: string;
}

/** A line of GET /api/tables/{table}/results?n=: the last rounds, oldest first; at an own table his. */
export interface PastResult {
  readonly result: string;
  readonly number: string;
  /** The same for all rounds dealt from one shoe; empty where no round shares one with another. */
  readonly shoe: string;
  readonly round: string;
}

/** Any refusal over HTTP. */
export interface Problem {
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** GET /api/tables/{table}/rules: made from the table's rules object; `html` is safe. */
export interface RulesPage {
  readonly table: string;
  readonly title: string;
  readonly html: string;
}

/** GET /api/statement?before=: every movement of the player's money, newest first. `seq` orders them; the next page is what comes `before` the last one's. */
export interface StatementLine {
  readonly seq: number;
  readonly at_ms: number;
  readonly what: "deposit" | "grant" | "return" | "stake" | "taken_back" | "void" | "withdrawal";
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
export interface PayLine {
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
  readonly pays: ReadonlyArray<PayLine>;
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
  readonly covering: Covering | null;
  readonly published: ReadonlyArray<PublishedReturn>;
  /** Empty where the player decides nothing, or nothing is known exactly. */
  readonly exact_strategies: ReadonlyArray<StrategyReturn>;
  readonly exact_bets: ReadonlyArray<BetReturn>;
}
