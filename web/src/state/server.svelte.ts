/** The only store: the server's data, the connection, and the clock. Components only read it. */
import type {
  ActiveBreak,
  Balance,
  CurrencyView,
  LobbyTable,
  Me,
  Message,
  PlayerBonus,
  ResumedTable,
  ServerInfo,
  Settings,
  Stake,
} from '../wire';
import { api } from './api';
import { missedEvents } from './missed_events';
import { Refusal } from './refusal';
import {
  NO_DATA,
  withoutEvents,
  forgetTable,
  reduce,
  type LiveSlot,
  type TableSlot,
  type ServerData,
} from './reduce';
import { withPlayStart } from './time_played';
import { Connection, type Link, type SocketLike } from './connection';
import { toasts } from './toasts.svelte';
import { before, type Unseen } from './unseen';
import { changesTable } from './table_change';
import { refusalOf } from './refusal_words';

export interface Decision {
  readonly round: string;
  /** The version of the round shown on screen. */
  readonly turn: number;
  readonly box: number;
  readonly hand: number;
  readonly action: string;
  readonly stake_minor?: number;
}

const DEFAULTS: Settings = {
  sound: true,
  effects_volume: 80,
  voice: true,
  voice_volume: 80,
  four_colours: false,
  cloth: 'green',
  reminder_minutes: 0,
  shortcuts: true,
  hide_chat: false,
  video_quality: 'auto',
  currency: 'GC',
  hints: true,
  advice: false,
  trainer: false,
  amounts: 'auto',
};
const UNKNOWN: CurrencyView = { code: 'GC', name: 'Gold Coins', decimals: 0, symbol: 'GC', play_money: true };

function socketAddress({ socket, socket_port }: ServerInfo): string {
  if (socket) return socket;
  const port = socket_port ? `:${socket_port}` : location.port && `:${location.port}`;
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.hostname}${port}/ws`;
}

class ServerState {
  data = $state.raw<ServerData>(NO_DATA);
  link = $state.raw<Link>({ status: 'connecting', attempts: 0, lagMs: 0 });
  info = $state.raw<ServerInfo | null>(null);
  tables = $state.raw<readonly LobbyTable[] | null>(null);
  /** How the player signs in. */
  kind = $state.raw<Me['kind']>('guest');
  /** Name that the player signs in with; empty for a guest. */
  account = $state.raw('');
  hasPassword = $state.raw(false);
  /** A break or an exclusion at the time of the sign-in. */
  barred = $state.raw<ActiveBreak | null>(null);
  /** This computer's clock, once a second. */
  nowMs = $state.raw(Date.now());
  /** The server's clock, often enough that its seconds change in time. */
  serverClockMs = $state.raw(Date.now());
  /** Time since the first bet of this session, by the server's clock; 0: no bet yet. */
  playedMs = $state.raw(0);
  /** The tables' sounds are off in this window until the next change of table; the setting stays. */
  muted = $state.raw(false);
  /** Something essential couldn't be fetched yet: the sentence to show. */
  trouble = $state.raw('');

  /** Events missed while the connection was lost, until dismissed. */
  missed = $state.raw<readonly string[]>([]);

  #before: ServerData | null = null;
  #open = new Set<string>();
  /** The tables shown last, also before another page. */
  #shown: readonly string[] = [];
  #connection = new Connection({
    open: () => new WebSocket(socketAddress(this.info!)) as SocketLike,
    receive: (message) => this.gate(message),
    resumedTables: () => this.#resumedTables(),
    changed: (link) => this.#linkChanged(link),
    nowMs: () => performance.timeOrigin + performance.now(),
  });

  /** Takes each message, and calls `apply` at once or later, see `video/late_messages.ts`. */
  gate = (message: Message): void => this.apply(message);

  /** Setting changes being sent to the server, oldest first. */
  #changes = $state.raw<readonly Partial<Settings>[]>([]);
  #savedSettings = $derived(this.data.settings ?? DEFAULTS);
  /** The server's settings with pending changes applied; a refused change is undone. */
  settings = $derived<Settings>(
    this.#changes.length ? Object.assign({}, this.#savedSettings, ...this.#changes) : this.#savedSettings,
  );
  reminderChoices = $derived(this.data.welcome?.profile.reminder_minutes ?? []);
  /** When any own table may deal again: the required pause between rounds applies to all tables. */
  nextDealMs = $derived(
    Math.max(0, ...Object.values(this.data.tables).map((slot) => slot.state.next_deal_ms)),
  );
  /** Tables that are silent for themselves, as long as they are open. */
  mutedTables = $state.raw<readonly string[]>([]);
  /** Layer and delay of the picture received from each table, in words. */
  pictures = $state.raw<Readonly<Record<string, string>>>({});
  connected = $derived(this.link.status === 'open');
  /** The table this browser sits at, of several the active one; empty: none. */
  seat = $state.raw('');
  /** The displayed currency: the table's, which may not take the player's own. */
  code = $derived(this.currencyCodeAt(this.seat) ?? this.settings.currency);
  currency = $derived(this.currencyOf(this.code));
  /** Tables with results that haven't been seen yet. */
  #unseen = $state.raw<Readonly<Record<string, Unseen>>>({});
  /** The balances without results that the player hasn't seen yet. */
  balances = $derived.by<Readonly<Record<string, Balance>>>(() => {
    const unseen = Object.values(this.#unseen);
    const all = Object.entries(this.data.balances);
    return Object.fromEntries(all.map(([code, balance]) => [code, before(balance, unseen)]));
  });
  balance = $derived<Balance | undefined>(this.balances[this.code]);
  /** The bonuses when the first of the unseen results came. */
  #bonusesBefore = $state.raw<ServerData['bonuses']>({});
  /** The active bonuses by currency, without results that the player hasn't seen yet. */
  bonuses = $derived(Object.keys(this.#unseen).length ? this.#bonusesBefore : this.data.bonuses);
  bonus = $derived<PlayerBonus | undefined>(this.bonuses[this.code]);

  serverMs = (): number => performance.timeOrigin + performance.now() + this.#connection.offsetMs;

  currencyOf(code: string): CurrencyView {
    const known = [...(this.info?.currencies ?? []), ...(this.info?.former_currencies ?? [])];
    return known.find((currency) => currency.code === code) ?? { ...UNKNOWN, code, symbol: code };
  }

  titleOf(table: string): string {
    return this.tables?.find((one) => one.table === table)?.title ?? table;
  }

  /** Hold back a table's result until its scene has ended; null: release it. */
  hold(table: string, unseen: Omit<Unseen, 'then'> | null): void {
    const { [table]: held, ...others } = this.#unseen;
    if (!unseen && !held) return;
    if (!Object.keys(this.#unseen).length) this.#bonusesBefore = this.data.bonuses;
    const then = held?.then ?? this.data.balances[unseen?.currency ?? ''];
    this.#unseen = unseen ? { ...others, [table]: { ...unseen, then } } : others;
  }

  /** The bonus money that can be staked at a table. */
  spendableBonus(table: string, currency: string): number {
    const bonus = this.bonuses[currency];
    return bonus && !bonus.excluded.includes(table) ? bonus.balance_minor : 0;
  }

  slot(table: string): TableSlot | undefined {
    return this.data.tables[table];
  }

  live(table: string): LiveSlot | undefined {
    return this.data.live[table];
  }

  /** Note who is signed in. */
  identify({ kind, account, has_password, barred }: Me): void {
    [this.kind, this.account, this.hasPassword, this.barred] = [kind, account, has_password, barred];
  }

  /** Currency of a table that is open here. */
  currencyCodeAt(table: string): string | undefined {
    return this.data.tables[table]?.state.currency ?? this.data.live[table]?.mine.currency;
  }

  #resumedTables(): ResumedTable[] {
    const open = Object.entries({ ...this.data.tables, ...this.data.live });
    return open.map(([table, { v }]) => ({ table, v, currency: this.currencyCodeAt(table)! }));
  }

  async start(): Promise<void> {
    setInterval(() => this.#tick(), 1000);
    setInterval(() => (this.serverClockMs = this.serverMs()), 200);
    addEventListener('online', () => this.info && this.#connection.connect());
    addEventListener('offline', () => this.#connection.cut());
    await this.#loadPage();
    this.#connection.connect();
  }

  /** Retry until the server answers: the page may be opened while the server starts. */
  async #loadPage(): Promise<void> {
    for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, 4_000)) {
      try {
        const [me, info, tables] = await Promise.all([api.signIn(), api.serverInfo(), api.tables()]);
        this.identify(me);
        [this.info, this.tables] = [info, tables];
        this.trouble = '';
        return;
      } catch (error) {
        if (this.#signedOut(error)) return;
        this.trouble = refusalOf(error);
        const askedMs = error instanceof Refusal ? Number(error.args['seconds'] ?? 0) * 1000 : 0;
        await new Promise((ready) => setTimeout(ready, Math.max(waitMs, askedMs)));
      }
    }
  }

  #loadTables(): void {
    api.tables().then(
      (tables) => (this.tables = tables),
      () => {},
    );
  }

  #tick(): void {
    this.nowMs = Date.now();
    const fromMs = this.data.playedFromMs;
    this.playedMs = fromMs ? Math.max(0, this.serverMs() - fromMs) : 0;
  }

  apply(message: Message): void {
    // It was on its way when the table was left.
    if ('table' in message && !this.#open.has(message.table)) return;
    const before = this.data.gaps.length;
    this.data = withPlayStart(this.data, reduce(this.data, message), this.serverMs());
    if (this.data.gaps.length > before) this.#connection.hello();
    if (message.t === 'bonus' && message.bonus.status !== 'active')
      toasts.say(`${message.bonus.title} has ended: see the cashier.`);
    if (message.t === 'welcome') this.#tick();
    if (message.t === 'live' && message.did.some(({ what }) => what === 'limits')) this.#loadTables();
    // This pong answers a ping sent after Hello: all missed events have arrived.
    if (message.t === 'pong' && this.#before) this.#reportMissed(this.#before);
    // The session has expired: the server closes the connection, and the client reconnects with a new one.
    if (this.data.sessionEnd) this.#connection.end();
    if (message.t === 'no' && message.code === 'not_signed_in') api.signIn().catch(this.#signedOut);
  }

  /** Whether this device was signed out of its account while it was away: it must not become a guest. */
  #signedOut = (error: unknown): boolean => {
    if (!(error instanceof Refusal) || error.code !== 'signed_out') return false;
    this.data = { ...this.data, sessionEnd: { t: 'no', req: '', code: error.code, args: error.args } };
    this.#connection.end();
    return true;
  };

  #linkChanged(link: Link): void {
    if (link.status === 'lost') {
      this.#before ??= this.data;
      this.data = { ...this.data, waiting: false };
    }
    this.link = link;
  }

  #reportMissed(before: ServerData): void {
    this.#before = null;
    const missed = missedEvents(
      before,
      this.data,
      (table) => this.titleOf(table),
      (code) => this.currencyOf(code),
    );
    this.missed = [...new Set([...this.missed, ...missed])];
    if (!missed.length) toasts.say('Reconnected. Nothing was lost.');
  }

  reconnect(): void {
    this.#connection.connect();
  }

  /** Wait for a request that replaces the session. */
  replaceSession = <Answer>(request: Promise<Answer>): Promise<Answer> =>
    this.#connection.replaceSession(request);

  join = (table: string, currency: string): Promise<void> =>
    this.#connection.request({ t: 'join', table, currency });

  openTable(table: string): void {
    this.#open.add(table);
  }

  /** Whether a table is open in this window, joined or joining. */
  isOpen(table: string): boolean {
    return this.#open.has(table);
  }

  /** The tables that this window shows now: at others than before the sound is on again (003). */
  showTables(tables: readonly string[]): void {
    if (!tables.length) return;
    if (changesTable(this.#shown, tables)) this.muted = false;
    this.#shown = tables;
  }

  /** The settings that a table sounds by. A dealer who can be heard replaces the browser’s voice. */
  soundSettingsAt(table: string): Settings {
    const off = this.muted || this.mutedTables.includes(table);
    const filmed = this.data.cameras[table]?.state === 'on' && this.settings.video_quality !== 'off';
    const { sound, voice } = this.settings;
    return { ...this.settings, sound: sound && !off, voice: voice && !off && !filmed };
  }

  toggleTableMute(table: string): void {
    const others = this.mutedTables.filter((one) => one !== table);
    this.mutedTables = others.length < this.mutedTables.length ? others : [...others, table];
  }

  /** What can be heard of the tables. */
  get heard(): 'all' | 'sounds' | 'dealer' | 'none' {
    const { sound, voice } = this.settings;
    if (this.muted || !(sound || voice)) return 'none';
    return sound && voice ? 'all' : sound ? 'sounds' : 'dealer';
  }

  /** The mute button: off until the next change of table. Where the settings have all off, sounds on by that. */
  toggleMute(): void {
    const { sound, voice } = this.settings;
    if (sound || voice) this.muted = !this.muted;
    else {
      this.muted = false;
      void this.set({ sound: true });
    }
  }

  /** Restore a table that was in the background. */
  restoreTable(table: string): void {
    this.data = withoutEvents(this.data, table);
  }

  leave(table: string): void {
    this.#open.delete(table);
    this.mutedTables = this.mutedTables.filter((one) => one !== table);
    if (this.seat === table) this.seat = '';
    this.data = forgetTable(this.data, table);
    // There is nothing to do about a refusal: the table is out of sight.
    this.#connection.request({ t: 'leave', table }).catch(() => {});
  }

  /** The deal answers the state that is shown: of two clicks, one deals. */
  deal = (table: string, stakes: readonly Stake[]): Promise<void> =>
    this.#connection.request({ t: 'deal', table, stakes, after: this.data.tables[table]?.state.after ?? '' });

  decide = (table: string, decision: Decision): Promise<void> =>
    this.#connection.request({ t: 'decide', table, ...decision });

  /** The whole bet at a live table, as it is to be now. */
  bet = (table: string, round: string, stakes: readonly Stake[]): Promise<void> =>
    this.#connection.request({ t: 'bet', table, round, stakes });

  undo = (table: string, round: string): Promise<void> =>
    this.#connection.request({ t: 'undo', table, round });

  sitAt = (table: string, seat: number): Promise<void> => this.#connection.request({ t: 'sit', table, seat });

  standUp = (table: string, seat: number): Promise<void> =>
    this.#connection.request({ t: 'stand_up', table, seat });

  say = (table: string, text: string): Promise<void> => this.#connection.request({ t: 'say', table, text });

  /** Goes on after a reality check. */
  answerReminder = (): Promise<void> => this.#connection.request({ t: 'answer_reminder' });

  /** The player has accepted the documents that were due, or has postponed them. */
  documentsAnswered(): void {
    this.data = { ...this.data, documentsDue: false };
  }

  /** Leaves all tables and ends the session, on every device. */
  endSession = (): Promise<void> => this.#connection.request({ t: 'end_session' });

  report = (table: string, line: number): Promise<void> =>
    this.#connection.request({ t: 'report', table, line });

  async set(change: Partial<Settings>): Promise<void> {
    this.#changes = [...this.#changes, change];
    try {
      await this.#connection.request({ t: 'save_settings', settings: this.settings });
    } catch (error) {
      toasts.say(refusalOf(error), 'bad');
    }
    this.#changes = this.#changes.filter((one) => one !== change);
  }
}

export const server = new ServerState();
