import { Refusal, type Args } from '../state/refusal';
import { refusalBrief, refusalWords } from '../state/refusal_words';
import type {
  CurrencyLimits,
  CurrencyView,
  JurisdictionProfile,
  LobbyTable,
  RoundEvent,
  Settings,
  Stake,
} from '../wire';
import * as betting from './betting';
import { NO_BETS, type Allowed, type Bets, type Move, type Notice, type Spot, type Wanted } from './betting';
import { dearestCovered } from './denominations';
import { keepUnsent, unsentAt } from './unsent_bets';
import type { AnyView, Played } from './rounds';
import type { Reveal } from './reveal.svelte';
import { noticeBrief, noticeSentence, type Named, type SpeechContext } from './speech';

/** Properties of every table. */
export interface TableContext {
  table: LobbyTable;
  limits: CurrencyLimits;
  balanceMinor: number;
  /** The operator’s wallet hasn’t told the balance yet. */
  balanceUnknown: boolean;
  currency: CurrencyView;
  connected: boolean;
  nowMs: () => number;
  settings: Settings;
  /** The active table of the window: it takes the keys and speaks. */
  active: boolean;
  profile: JurisdictionProfile;
  openLimits: () => void;
  dismissHints: () => void;
}

/** Something to be read beside the control, and spoken. */
export interface Message {
  readonly text: string;
  /** Short enough for a spot. */
  readonly brief: string;
  readonly spot: Spot | null;
  /** Too long for its spot: shown below the cloth as well. */
  readonly whole: boolean;
}

const MESSAGE_MS = 3000;

/**
 * The player's local state at any table: the chosen chip and the placed chips. Server data is read from the
 * props and never changed here. `V` is the view of the table's game.
 */
export abstract class PlayerTable<V extends AnyView = AnyView> {
  message = $state.raw<Message | null>(null);
  /** Called with texts for the assertive live region. */
  onMessage: (text: string) => void = () => {};
  protected context: () => TableContext;
  #chosen = $state.raw(0);
  #clearing: ReturnType<typeof setTimeout> | undefined;

  constructor(context: () => TableContext) {
    this.context = context;
    this.#chosen = this.unsent().chip ?? 0;
  }

  protected unsent = () => unsentAt(this.context().table.table, this.context().limits.currency);
  protected saveUnsent = (part: Parameters<typeof keepUnsent>[2]): void =>
    keepUnsent(this.context().table.table, this.context().limits.currency, part);

  abstract readonly bets: Bets;
  /** The player's own part of the round. */
  abstract readonly round: Played<V> | null;
  /** The player's view on the cloth; null while bets are placed. */
  abstract readonly view: V | null;
  abstract readonly lastStakes: readonly Stake[];
  /** Why no bet may be placed or changed; empty: they may. */
  abstract readonly closed: string;
  protected abstract readonly named: Named;
  /** The maximum total on the cloth, including chips already there. */
  protected abstract readonly fundsMinor: number;
  protected abstract put(bets: Bets): void;
  abstract isPending(spot: Spot): boolean;
  /** Make the cloth ready for chips; false: not possible now. */
  protected abstract ready(): boolean;

  allowed = $derived.by<Allowed>(() => ({
    bets: this.context().limits.bets,
    tableMaxMinor: this.context().limits.table_max_minor,
    balanceMinor: this.fundsMinor,
    balanceUnknown: this.context().balanceUnknown,
    restricted: this.context().table,
  }));
  speech = $derived.by<SpeechContext>(() => ({
    table: this.named,
    currency: this.context().currency,
    bets: this.context().limits.bets,
  }));
  total = $derived.by(() => betting.total(this.bets));
  left = $derived.by(() => betting.left(this.bets, this.allowed));
  chips = $derived.by(() => this.context().limits.chips_minor);
  chip = $derived.by(() => this.#chosen || this.#opening());
  lastMinor = $derived.by(() => this.lastStakes.reduce((sum, { stake_minor }) => sum + stake_minor, 0));
  balanceMinor = $derived.by(() => this.context().balanceMinor);
  /** What decisions may cost: the wallet decides while the balance is unknown. */
  payableMinor = $derived.by(() =>
    this.context().balanceUnknown ? Number.MAX_SAFE_INTEGER : this.balanceMinor,
  );
  mayBet = $derived.by(() => this.closed === '');
  /** Why there is nothing to undo, clear or double; empty: there is. */
  nothingPlaced = $derived.by(() => this.closed || (this.total ? '' : 'Place a bet first'));
  #firstRound = '';
  /** Hints are shown: nothing was played here before. */
  hints = $derived.by(() => {
    const round = this.round?.id ?? '';
    this.#firstRound ||= round;
    return this.context().settings.hints && round === this.#firstRound;
  });
  /** The line is down: nothing may be pressed. */
  held = $derived.by(() => !this.context().connected);
  /** Nothing is decided while one's own cards are on their way. */
  abstract readonly waits: boolean;
  /** The messages being revealed. */
  abstract readonly reveal: Reveal<{ readonly did: readonly RoundEvent[] }>;

  #opening(): number {
    const main = this.context().limits.bets.find((bet) => bet.main);
    return dearestCovered(
      Math.max(main?.min_minor ?? 0, this.chips[0] ?? 0),
      this.chips,
      this.allowed.balanceMinor,
    );
  }

  say(text: string, spot: Spot | null = null, brief = text, whole = spot === null): void {
    clearTimeout(this.#clearing);
    this.message = { text, brief, spot, whole };
    this.onMessage(text);
    this.#clearing = setTimeout(() => (this.message = null), MESSAGE_MS);
  }

  close(): void {
    this.reveal.close();
    clearTimeout(this.#clearing);
  }

  notice(notice: Notice | Refusal | null): void {
    if (notice instanceof Refusal) this.refused(notice);
    else if (notice)
      this.say(noticeSentence(notice, this.speech), notice.spot, noticeBrief(notice, this.speech));
  }

  /** Show the sentence for a refusal; rethrow any other error. */
  refused(error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    const { code, args } = error;
    const { currency } = this.context();
    this.say(
      refusalWords(code, args, currency),
      this.#spotOf(args),
      refusalBrief(code, args, currency),
      true,
    );
  }

  /** The spot of a refusal about a bet; otherwise the one placed last, if that caused it. */
  #spotOf({ bet, box, rule }: Args): Spot | null {
    if (typeof bet === 'string') return { box: Number(box ?? 0), bet };
    return rule === undefined ? null : (this.bets.steps.at(-1)?.at(-1) ?? null);
  }

  #take({ bets, notice }: Move): boolean {
    const changed = bets !== this.bets;
    if (changed) this.put(bets);
    this.notice(notice);
    return changed;
  }

  dismissHints(): void {
    this.context().dismissHints();
  }

  choose(chipMinor: number): void {
    if (chipMinor > this.left)
      this.notice({ code: betting.uncovered(this.allowed), spot: null, minor: chipMinor });
    else this.saveUnsent({ chip: (this.#chosen = chipMinor) });
  }

  place(spot: Spot): boolean {
    return this.ready() && this.#take(betting.place(this.bets, spot, this.chip, this.allowed));
  }

  /** Place the given numbers of chips on several spots: all or none. */
  placeAll(wanted: readonly Wanted[]): boolean {
    return this.ready() && this.#take(betting.placeAll(this.bets, wanted, this.chip, this.allowed));
  }

  takeBack(spot: Spot): void {
    if (this.mayBet) this.put(betting.takeBack(this.bets, spot));
  }

  undo(): void {
    if (this.mayBet) this.put(betting.undo(this.bets));
  }

  clear(): void {
    if (this.mayBet) this.put(NO_BETS);
  }

  double(): boolean {
    return this.mayBet && this.#take(betting.double(this.bets, this.allowed));
  }

  allSides(): boolean {
    return this.mayBet && this.#take(betting.allSides(this.bets, this.chip, this.allowed));
  }

  /** Place the last round's bets without dealing. */
  repeat(): boolean {
    return this.ready() && this.#take(betting.repeat(this.lastStakes, this.allowed));
  }

  /** Repeats, then doubles. */
  space(): boolean {
    return this.view === null && this.total > 0 ? this.double() : this.repeat();
  }
}
