/** All data from the server as one value, changed only by the pure function `reduce`. */
import type {
  Balance,
  CameraUpdate,
  ChatLine,
  LiveSnapshot,
  LiveState,
  LiveUpdate,
  Message,
  No,
  PlayerBonus,
  PlayerState,
  Pulse,
  RoundEvent,
  Settings,
  TableState,
  Welcome,
} from '../wire';
import { turnsIn } from '../table/rounds';

export interface TableSlot {
  readonly v: number;
  readonly state: TableState;
  /** Events of the last message, for motion and speech; empty after a snapshot. */
  readonly did: readonly RoundEvent[];
}

/** A live table: the shared state on the player's path, the player's own part, and the chat, oldest first. */
export interface LiveSlot {
  readonly v: number;
  readonly state: LiveState;
  readonly did: readonly RoundEvent[];
  /** The state came by a snapshot: earlier events are unknown. */
  readonly resumed: boolean;
  readonly mine: PlayerState;
  readonly chat: readonly ChatLine[];
}

export interface ServerData {
  readonly welcome: Welcome | null;
  readonly balances: Readonly<Record<string, Balance>>;
  /** The player's active bonuses, by currency. */
  readonly bonuses: Readonly<Record<string, PlayerBonus>>;
  readonly settings: Settings | null;
  readonly tables: Readonly<Record<string, TableSlot>>;
  readonly live: Readonly<Record<string, LiveSlot>>;
  /** The cameras of the live tables that have one. */
  readonly cameras: Readonly<Record<string, CameraUpdate>>;
  /** Tables with a round that waits for this player, here or from before. */
  readonly unfinished: readonly string[];
  /** Tables that missed an event: Hello has to be sent again. */
  readonly gaps: readonly string[];
  readonly takenOver: readonly string[];
  readonly upgrade: boolean;
  /** The server is waiting for its database. */
  readonly waiting: boolean;
  /** Open live tables that the server can't reach. */
  readonly unavailable: readonly string[];
  /** When the first bet of this session was made; 0: none yet. */
  readonly playedFromMs: number;
  /** When the last reality check of this session was answered; 0: none yet. */
  readonly remindedMs: number;
  /** The server refuses bets until a reality check is answered. */
  readonly reminderDue: boolean;
  /** The server has refused a bet until the player accepts documents. */
  readonly documentsDue: boolean;
  /** Tables the server refused to keep open after a reconnect, and why. */
  readonly closedTables: Readonly<Record<string, No>>;
  /** Why the session ended; null: it is active. */
  readonly sessionEnd: No | null;
}

export const NO_DATA: ServerData = {
  welcome: null,
  balances: {},
  bonuses: {},
  settings: null,
  tables: {},
  live: {},
  cameras: {},
  unfinished: [],
  gaps: [],
  takenOver: [],
  upgrade: false,
  waiting: false,
  unavailable: [],
  playedFromMs: 0,
  remindedMs: 0,
  reminderDue: false,
  documentsDue: false,
  closedTables: {},
  sessionEnd: null,
};

const withoutName = (names: readonly string[], name: string) => names.filter((other) => other !== name);
const withName = (names: readonly string[], name: string) =>
  names.includes(name) ? names : [...names, name];
function withoutKey<T>(of: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  const { [name]: _omitted, ...rest } = of;
  return rest;
}
const inPlay = (state: TableState) => state.round !== null && !state.round.view.ended;

export function reduce(data: ServerData, message: Message): ServerData {
  switch (message.t) {
    case 'welcome':
      return applyWelcome(data, message);
    case 'snapshot':
      return replaceTable(data, message.table, { v: message.v, state: message.state, did: [] });
    case 'event':
      return applyEvent(data, message.table, message.v, message);
    case 'live_snapshot':
      return applyLiveSnapshot(data, message);
    case 'live':
      return applyLiveEvent(data, message);
    case 'mine':
      return applyPlayerState(data, message.table, message.mine);
    case 'pulse':
      return applyPulse(data, message);
    case 'chat':
      return addChatLine(data, message.table, message.line);
    case 'chat_gone':
      return removeChatLines(data, message.table, message.lines);
    case 'camera':
      return { ...data, cameras: { ...data.cameras, [message.table]: message } };
    case 'balance':
      return { ...data, balances: { ...data.balances, [message.balance.currency]: message.balance } };
    case 'bonus':
      return applyBonus(data, message.bonus);
    case 'settings':
      return { ...data, settings: message.settings };
    case 'taken_over':
      return { ...data, takenOver: withName(data.takenOver, message.table) };
    case 'reminded':
      return { ...data, remindedMs: message.at_ms, reminderDue: false };
    case 'database':
      return { ...data, waiting: message.waiting };
    case 'availability':
      return {
        ...data,
        unavailable: (message.available ? withoutName : withName)(data.unavailable, message.table),
      };
    case 'upgrade':
      return { ...data, upgrade: true };
    case 'no':
      return applyRefusal(data, message);
    case 'ok':
    case 'pong':
      return data;
    default:
      return ignoreUnknown(data, message);
  }
}

const NOT_OF_A_TABLE = ['not_signed_in', 'malformed'];

const TABLE_REFUSALS = ['too_many_tables', 'not_for_multi_play'];

const SESSION_ENDS = ['session_ended', 'barred', 'signed_out', 'account_closed'];

/** A refusal without a request: a table that is open here is no longer available. */
function applyRefusal(data: ServerData, no: No): ServerData {
  if (no.code === 'reminder_due') return { ...data, reminderDue: true };
  if (no.code === 'documents_not_accepted') return { ...data, documentsDue: true };
  if (!no.req && TABLE_REFUSALS.includes(no.code)) return closeTable(data, no);
  if (no.req || NOT_OF_A_TABLE.includes(no.code)) return data;
  return SESSION_ENDS.includes(no.code) ? { ...data, sessionEnd: no } : { ...data, upgrade: true };
}

/** The player went on at other tables, in another browser, while this one was cut off. */
function closeTable(data: ServerData, no: No): ServerData {
  const table = String(no.args['table']);
  return { ...forgetTable(data, table), closedTables: { ...data.closedTables, [table]: no } };
}

function applyWelcome(data: ServerData, welcome: Welcome): ServerData {
  const balances = Object.fromEntries(welcome.balances.map((balance) => [balance.currency, balance]));
  return {
    ...data,
    welcome,
    balances,
    bonuses: Object.fromEntries(welcome.bonuses.map((bonus) => [bonus.currency, bonus])),
    settings: welcome.settings,
    playedFromMs: welcome.played_from_ms,
    remindedMs: welcome.reminded_ms,
    reminderDue: false,
    waiting: false,
    unavailable: [],
    unfinished: welcome.open_tables,
    gaps: [],
  };
}

/** An ended bonus is no longer listed, unless the next one has replaced it. */
function applyBonus(data: ServerData, bonus: PlayerBonus): ServerData {
  const { currency, status } = bonus;
  if (status === 'active') return { ...data, bonuses: { ...data.bonuses, [currency]: bonus } };
  if (data.bonuses[currency]?.bonus !== bonus.bonus) return data;
  return { ...data, bonuses: withoutKey(data.bonuses, currency) };
}

/** An event of a version already seen changes nothing; one too far ahead only shows the gap. */
function applyEvent(
  data: ServerData,
  table: string,
  v: number,
  { state, did }: { state: TableState; did: readonly RoundEvent[] },
): ServerData {
  const seen = data.tables[table]?.v ?? 0;
  if (v <= seen) return data;
  if (v > seen + 1) return { ...data, gaps: withName(data.gaps, table) };
  return replaceTable(data, table, { v, state, did });
}

function replaceTable(data: ServerData, table: string, slot: TableSlot): ServerData {
  const unfinished = (inPlay(slot.state) ? withName : withoutName)(data.unfinished, table);
  return {
    ...data,
    tables: { ...data.tables, [table]: slot },
    unfinished,
    gaps: withoutName(data.gaps, table),
    takenOver: withoutName(data.takenOver, table),
    closedTables: withoutKey(data.closedTables, table),
  };
}

/** Lines of chat that are kept to be read again. */
const CHAT_LINES_MAX = 200;

function applyLiveSnapshot(data: ServerData, { table, v, state, mine, chat }: LiveSnapshot): ServerData {
  return {
    ...data,
    live: { ...data.live, [table]: { v, state, did: [], resumed: true, mine, chat } },
    balances: withLiveBalance(data, mine),
    gaps: withoutName(data.gaps, table),
    takenOver: withoutName(data.takenOver, table),
    closedTables: withoutKey(data.closedTables, table),
  };
}

/** As with own tables: ignore known versions, record gaps. */
function applyLiveEvent(data: ServerData, { table, v, state, did }: LiveUpdate): ServerData {
  const slot = data.live[table];
  if (slot && v <= slot.v) return data;
  if (!slot || v > slot.v + 1) return { ...data, gaps: withName(data.gaps, table) };
  return changeLiveTable(data, table, {
    v,
    state,
    did,
    resumed: false,
    mine: markAnswered(slot, { state, did }),
  });
}

const CARDS = new Set<RoundEvent['what']>(['card', 'face_down', 'peeked', 'turned']);

/** When a window closes, decisions made in it no longer wait; those made in advance do. */
function markAnswered(
  { mine, state: before }: LiveSlot,
  now: Pick<LiveUpdate, 'state' | 'did'>,
): PlayerState {
  const closed = now.state.clock.phase !== before.clock.phase || now.did.some(({ what }) => CARDS.has(what));
  const same = (a: { box: number; hand: number }) => (b: typeof a) => a.box === b.box && a.hand === b.hand;
  // At a table of seats, a decision made is no longer offered while its window is still open.
  const wasOpen = (made: PlayerState['made'][number]) =>
    made.by !== 'ahead' || turnsIn(before.round).some(same(made));
  const used = (made: PlayerState['made'][number]) =>
    (closed && wasOpen(made)) ||
    now.did.some((one) => one.what === 'decided' && one.by === 'ahead' && same(made)(one));
  if (!mine.made.some((made) => made.waiting && used(made))) return mine;
  return { ...mine, made: mine.made.map((made) => (used(made) ? { ...made, waiting: false } : made)) };
}

function changeLiveTable(data: ServerData, table: string, part: Partial<LiveSlot>): ServerData {
  const slot = data.live[table];
  return slot ? { ...data, live: { ...data.live, [table]: { ...slot, ...part } } } : data;
}

function applyPlayerState(data: ServerData, table: string, mine: PlayerState): ServerData {
  return { ...changeLiveTable(data, table, { mine }), balances: withLiveBalance(data, mine) };
}

/** Every update of the player's part at a live table includes the balance and the amount in play. */
function withLiveBalance(
  data: ServerData,
  { currency, balance_minor, in_play_minor, unknown }: PlayerState,
): ServerData['balances'] {
  const before = data.balances[currency];
  if (!before) return data.balances;
  // The owner of the table may not know a balance that this server knows.
  if (unknown) return { ...data.balances, [currency]: { ...before, in_play_minor } };
  const { unknown: _until, ...known } = before;
  return { ...data.balances, [currency]: { ...known, balance_minor, in_play_minor } };
}

/** Between events only the number of players and their choices change. */
function applyPulse(data: ServerData, { table, round, players, statistics }: Pulse): ServerData {
  const state = data.live[table]?.state;
  if (state?.clock.round !== round) return data;
  return changeLiveTable(data, table, { state: { ...state, players, statistics } });
}

function addChatLine(data: ServerData, table: string, line: ChatLine): ServerData {
  const chat = data.live[table]?.chat ?? [];
  if (chat.some((other) => other.line === line.line)) return data;
  return changeLiveTable(data, table, { chat: [...chat, line].slice(-CHAT_LINES_MAX) });
}

function removeChatLines(data: ServerData, table: string, lines: readonly number[]): ServerData {
  const chat = data.live[table]?.chat ?? [];
  return changeLiveTable(data, table, { chat: chat.filter(({ line }) => !lines.includes(line)) });
}

/** The server may add messages within one protocol number; ignore unknown ones. */
function ignoreUnknown(data: ServerData, _message: never): ServerData {
  return data;
}

/** Clear the last events of a table, so that nothing is animated or announced again. */
export function withoutEvents(data: ServerData, table: string): ServerData {
  const own = data.tables[table];
  if (!own) return changeLiveTable(data, table, { did: [], resumed: true });
  return { ...data, tables: { ...data.tables, [table]: { ...own, did: [] } } };
}

/** Remove a table that was left. */
export function forgetTable(data: ServerData, table: string): ServerData {
  return {
    ...data,
    tables: withoutKey(data.tables, table),
    live: withoutKey(data.live, table),
    cameras: withoutKey(data.cameras, table),
    gaps: withoutName(data.gaps, table),
    takenOver: withoutName(data.takenOver, table),
    unavailable: withoutName(data.unavailable, table),
    closedTables: withoutKey(data.closedTables, table),
  };
}

/** Won or lost since the session began, over the rounds that have ended. */
export function sessionNet(balance: Balance): number {
  return balance.session_returned_minor - balance.session_staked_minor;
}
