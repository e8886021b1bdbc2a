import { money } from '../state/money';
import type { LiveSlot } from '../state/reduce';
import type { Settled } from '../state/unseen';
import type { Decision } from '../state/server.svelte';
import type { PlayerState, Stake } from '../wire';
import * as betting from '../table/betting';
import { NO_BETS, type Bets, type Spot } from '../table/betting';
import { PlayerTable, type TableContext } from '../table/player_table.svelte';
import { Reveal, type Motion } from '../table/reveal.svelte';
import { CONFIRMED_WITHIN_MS } from '../table/pending_request.svelte';
import { isWon, type AnyView, type LiveOf, type Played } from '../table/rounds';
import { betTitle } from '../table/speech';
import { OFFLINE } from '../ui/because';
import { Countdown } from './countdown.svelte';
import { seatName } from './seats';
import { BetSender } from './bet_sender';
import { stageOf } from './stages';
import { legal, repeatable, sameStakes, totalOf } from './wagers';

/** The player's commands at a live table; each rejects with its Refusal. */
export interface LiveActions {
  readonly bet: (round: string, stakes: readonly Stake[]) => Promise<void>;
  readonly undo: (round: string) => Promise<void>;
  readonly decide: (decision: Decision) => Promise<void>;
  readonly sit: (seat: number) => Promise<void>;
  readonly standUp: (seat: number) => Promise<void>;
}

export interface LiveProps extends TableContext {
  slot: LiveSlot;
  actions: LiveActions;
  /** Hold back figures elsewhere that would reveal an unseen result; null: all is seen. */
  hold: (unseen: Settled | null) => void;
}

const SEND_AFTER_MS = 150;

interface UnsentBets {
  readonly round: string;
  readonly bets: Bets;
}

/** The server sends a table only rounds of its own game. */
const viewOf = <V>(slot: LiveSlot) => slot.state.round as V | null;

/** The player's own part of a round that others play too; null: no round. */
export type OwnViewOf<V> = (state: LiveOf<V>, mine: PlayerState, balanceMinor: number) => V | null;

/**
 * The player's state at a live table: chips are sent to the server as they are placed, and the server confirms
 * them.
 */
export class LivePlayerTable<V extends AnyView = AnyView> extends PlayerTable<V> {
  #unsent = $state.raw<UnsentBets | null>(null);
  #waiting = $state.raw(false);
  #props: () => LiveProps;
  #own: (slot: LiveSlot) => V | null;
  #motion: Motion<V>;
  readonly reveal: Reveal<LiveSlot>;
  #betSender: BetSender;
  #wasOpen = false;
  readonly countdown: Countdown;
  #forgetting: ReturnType<typeof setTimeout> | undefined;

  constructor(props: () => LiveProps, ownViewOf: OwnViewOf<V>, motion: Motion<V>) {
    super(props);
    this.#props = props;
    this.#motion = motion;
    this.reveal = new Reveal(props().slot);
    this.#own = ({ state, mine }) => ownViewOf(state as LiveOf<V>, mine, this.payableMinor);
    this.countdown = new Countdown(
      () => this.clock,
      () => props().nowMs(),
    );
    this.#betSender = new BetSender(
      (stakes) => props().actions.bet(this.clock.round, stakes),
      (refusal) => this.#settled(refusal),
    );
  }

  readonly waits = false;

  /** Call with every message, before it is drawn. */
  update(): void {
    const { slot } = this.#props();
    const view = viewOf<V>(slot);
    this.reveal.update(slot, () => (view ? this.#motion.moments(view, slot.did) : []));
  }

  /** The table as far as it has been seen. */
  slot = $derived.by(() => this.reveal.shown);
  state = $derived(this.slot.state as LiveOf<V>);
  mine = $derived(this.slot.mine);
  clock = $derived(this.state.clock);
  stage = $derived(stageOf(this.clock));
  /** All players share one deal; otherwise each has a seat. */
  shared = $derived(this.state.unit_minor > 0);
  /** The boxes the player can bet on. */
  places = $derived(this.shared ? [0] : this.mine.seats);
  profile = $derived.by(() => this.#props().profile);

  // --- bets

  betsOpen = $derived.by(() => this.clock.light !== 'red' && !this.clock.paused);
  closed = $derived.by(() => {
    if (this.held) return OFFLINE;
    if (this.clock.paused) return 'The table is paused';
    if (!this.betsOpen) return 'Bets are closed';
    return this.places.length ? '' : 'Take a seat first';
  });
  lastStakes = $derived.by(() => repeatable(this.mine.last_stakes, this.places));
  protected fundsMinor = $derived.by(() => this.balanceMinor + this.mine.held_minor);
  bets = $derived.by<Bets>(() => {
    const unsent = this.#unsent;
    if (unsent?.round === this.clock.round && this.#stands(unsent.bets)) return unsent.bets;
    return this.mine.stakes.length ? { steps: [this.mine.stakes] } : NO_BETS;
  });
  #legal = $derived.by(() => legal(this.bets, this.allowed));
  /** Chips on the cloth not confirmed by the server. */
  unconfirmedMinor = $derived.by(() =>
    betting
      .stakes(this.bets)
      .reduce((sum, stake) => sum + Math.max(0, stake.stake_minor - this.#confirmed(stake)), 0),
  );
  belowMinimum = $derived.by(() => this.#legal.length < betting.stakes(this.bets).length);

  /** Unsent chips stay visible while pending, or while below the minimum. */
  #stands(bets: Bets): boolean {
    return this.#waiting || (this.betsOpen && sameStakes(legal(bets, this.allowed), this.mine.stakes));
  }

  #confirmed({ box, bet }: Spot): number {
    const found = this.mine.stakes.find((stake) => stake.box === box && stake.bet === bet);
    return found?.stake_minor ?? 0;
  }

  isPending(spot: Spot): boolean {
    return betting.stakeOn(this.bets, spot) !== this.#confirmed(spot);
  }

  protected ready(): boolean {
    return this.mayBet;
  }

  protected put(bets: Bets): void {
    const { round } = this.clock;
    this.#unsent = { round, bets };
    const wanted = legal(bets, this.allowed);
    clearTimeout(this.#forgetting);
    const speech = !this.#waiting && !this.#betSender.busy;
    if (speech && sameStakes(wanted, this.mine.stakes)) return;
    this.#waiting = true;
    const leftMs = (this.clock.bets_close_ms ?? 0) - this.#props().nowMs();
    this.#betSender.put(wanted, leftMs < 1000 ? 0 : SEND_AFTER_MS);
  }

  #settled(refusal: unknown): void {
    if (refusal) {
      // Show the refusal while the chips are still there, at the spot placed last.
      this.refused(refusal);
      return this.#forget();
    }
    this.#forgetting = setTimeout(() => (this.#waiting = false), CONFIRMED_WITHIN_MS);
  }

  /** After a reload the server still has the previous bet; otherwise undo is local. */
  override undo(): void {
    if (!this.mayBet || this.#unsent || !this.mine.can_undo) return super.undo();
    this.#props()
      .actions.undo(this.clock.round)
      .catch((error: unknown) => this.refused(error));
  }

  // --- the round

  view = $derived.by<V | null>(() => this.#own(this.slot));
  round = $derived.by<Played<V> | null>(() => {
    const { round: id, number, opened_ms: started_ms } = this.clock;
    return this.view && { id, number, started_ms, turn: this.state.turn, view: this.view };
  });
  /** Everything on the cloth, including moving cards. */
  cloth = $derived.by(() => {
    const { newest, passedMs } = this.reveal;
    const view = this.#scaledView(newest);
    const same = this.clock.round === newest.state.clock.round;
    return view && this.#motion.drawn(view, same ? this.#scaledView(this.slot) : null, newest.did, passedMs);
  });
  /** The stage drawn may be ahead of the stage announced, except for the end. */
  drawnStage = $derived.by(() => {
    const stage = stageOf(this.reveal.newest.state.clock);
    return this.reveal.moving && stage === 'ended' ? 'playing' : stage;
  });
  /** Settled already, and not seen yet; null: all has been. */
  unseen = $derived.by(() => {
    const { result } = this.reveal.newest.mine;
    return this.reveal.moving && result?.round !== this.mine.result?.round ? result : null;
  });

  #scaledView(slot: LiveSlot): V | null {
    return slot.state.unit_minor > 0 ? this.#own(slot) : viewOf<V>(slot);
  }

  won = $derived.by(() => this.stage === 'ended' && isWon(this.view));
  playing = $derived(this.mine.stakes.length > 0);

  // --- seats

  protected named = $derived.by(() => ({
    boxes: this.#props().table.boxes,
    called: this.#props().table.called,
    nameOf: (box: number) => (this.shared ? 'You' : seatName(this.state.seats, this.mine.seats, box)),
  }));

  async sit(seat: number): Promise<void> {
    await this.#props()
      .actions.sit(seat)
      .catch((error: unknown) => this.refused(error));
  }

  async standUp(seat: number): Promise<void> {
    await this.#props()
      .actions.standUp(seat)
      .catch((error: unknown) => this.refused(error));
  }

  /** Call with every message: reports unsent chips that missed the close. */
  checkUnsent(): void {
    if (this.#unsent?.round !== this.clock.round) this.#forget();
    const answered = this.#waiting && !this.#betSender.busy;
    const stopped = this.mine.at_maximum[0];
    if (answered && stopped) this.#atMaximum(stopped);
    else if (answered && sameStakes(this.#legal, this.mine.stakes)) this.#waiting = false;
    const closed = this.#wasOpen && !this.betsOpen && !this.#betSender.busy;
    this.#wasOpen = this.betsOpen;
    if (closed) this.#leftOver();
  }

  #forget(): void {
    this.#betSender.drop();
    this.#unsent = null;
    this.#waiting = false;
  }

  /** Report chips on the cloth at the close that aren't part of the bet. */
  #leftOver(): void {
    const over = this.#unsent ? betting.total(this.#unsent.bets) - totalOf(this.mine.stakes) : 0;
    const amount = money(over, this.#props().currency);
    if (over > 0) this.say(`Bets are closed. ${amount} was below the minimum and wasn’t bet.`);
  }

  #atMaximum(bet: string): void {
    const max = this.allowed.bets.find((limits) => limits.bet === bet)?.max_minor ?? 0;
    this.#forget();
    this.notice({ code: 'maximum_reached', spot: { box: this.places[0] ?? 0, bet }, minor: max });
  }

  titleOf(bet: string): string {
    return betTitle(bet, this.allowed.bets);
  }

  override close(): void {
    super.close();
    this.#betSender.drop();
    clearTimeout(this.#forgetting);
  }
}
