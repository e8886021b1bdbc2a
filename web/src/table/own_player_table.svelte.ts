import type { Settled } from '../state/unseen';
import type { RoundEvent, Stake, TableState } from '../wire';
import * as betting from './betting';
import { NO_BETS, type Bets } from './betting';
import type { Decision } from '../state/server.svelte';
import { PlayerTable, type TableContext } from './player_table.svelte';
import { phaseOf } from './phases';
import { isWon, type AnyView, type Played } from './rounds';
import { OFFLINE } from '../ui/because';
import { Reveal, type Motion } from './reveal.svelte';
import { PendingRequest } from './pending_request.svelte';

/** What the page around gives a player's own table. */
export interface TableProps extends TableContext {
  state: TableState | null;
  deal: (stakes: Stake[]) => Promise<void>;
  decide: (decision: Decision) => Promise<void>;
  did: readonly RoundEvent[];
  /** Keeps figures elsewhere from telling what hasn't been seen here; null: all has been. */
  hold: (unseen: Settled | null) => void;
}

interface OwnMessage {
  readonly state: TableState | null;
  readonly did: readonly RoundEvent[];
}

/** At its tables the house deals no other game than theirs. */
const dealtIn = <V>({ state }: OwnMessage) => (state?.round ?? null) as Played<V> | null;

/** At a player's own table: his chips stay in the browser until Deal. */
export class OwnPlayerTable<V extends AnyView = AnyView> extends PlayerTable<V> {
  bets = $state.raw<Bets>(NO_BETS);
  #putAway = $state.raw('');
  /** After the round that lies there. */
  #dealt = new PendingRequest();
  #now = $state.raw(0);
  #props: () => TableProps;
  #motion: Motion<V>;
  readonly reveal: Reveal<OwnMessage>;

  constructor(props: () => TableProps, motion: Motion<V>) {
    super(props);
    this.#props = props;
    this.#motion = motion;
    this.#now = props().nowMs();
    const { state, did } = props();
    this.reveal = new Reveal({ state, did });
    const { bets = NO_BETS, putAway = '' } = this.unsent();
    this.bets = bets;
    this.#putAway = putAway;
  }

  /** To be called with all that the house tells, before it is drawn. */
  update(): void {
    const { state, did } = this.#props();
    const view = dealtIn<V>({ state, did })?.view;
    this.reveal.update({ state, did }, () => (view ? this.#motion.moments(view, did) : []));
  }

  /** What was dealt last, seen or not. */
  #dealtNow = $derived.by(() => dealtIn<V>(this.reveal.newest));
  /** As far as it has been seen: null also while the first cards are on their way. */
  round = $derived.by(() => {
    const seen = dealtIn<V>(this.reveal.shown);
    return seen?.id === this.#dealtNow?.id ? seen : null;
  });
  phase = $derived.by(() => (this.reveal.moving ? 'playing' : phaseOf(this.round, this.#putAway)));
  view = $derived(this.phase === 'betting' ? null : (this.round?.view ?? null));
  /** What lies on the cloth, with what is on its way. */
  cloth = $derived.by(() => {
    const view = this.#dealtNow?.view;
    if (!view || this.phase === 'betting') return null;
    return this.#motion.drawn(view, this.round?.view ?? null, this.reveal.newest.did, this.reveal.passedMs);
  });
  /** Settled already, and not seen yet; null: all has been. */
  unseen = $derived.by(() => (this.reveal.moving && this.#dealtNow?.view.ended ? this.#dealtNow.view : null));
  won = $derived.by(() => this.phase === 'ended' && isWon(this.round?.view));
  waits = $derived.by(() => this.reveal.moving);
  lastStakes = $derived.by(() => this.#props().state?.last_stakes ?? []);
  waitSeconds = $derived.by(() =>
    Math.max(0, Math.ceil(((this.#props().state?.next_deal_ms ?? 0) - this.#now) / 1000)),
  );
  dealing = $derived.by(() => this.#dealt.isUnderWay(this.#dealtNow?.id ?? ''));
  closed = $derived.by(() => {
    if (this.held) return OFFLINE;
    if (this.#props().state === null) return 'The table is opening';
    return this.dealing || this.phase === 'playing' ? 'Bets are closed until this round ends' : '';
  });
  /** Why no round can start; empty: one can. */
  notReady = $derived.by(() => {
    if (this.nothingPlaced) return this.nothingPlaced;
    return this.waitSeconds ? `The next round can start in ${this.waitSeconds} s` : '';
  });
  protected named = $derived.by(() => this.#props().table);
  protected fundsMinor = $derived.by(() => this.#props().balanceMinor);

  protected put(bets: Bets): void {
    this.saveUnsent({ bets: (this.bets = bets) });
  }

  isPending(): boolean {
    return this.dealing;
  }

  protected ready(): boolean {
    if (this.mayBet && this.phase === 'ended') this.newBet();
    return this.mayBet;
  }

  /** Counts down to the next deal. */
  tick(): (() => void) | undefined {
    if ((this.#props().state?.next_deal_ms ?? 0) <= this.#props().nowMs()) return;
    const timer = setInterval(() => (this.#now = this.#props().nowMs()), 200);
    return () => clearInterval(timer);
  }

  /** The last round leaves the cloth, and its bets with it. */
  newBet(): void {
    if (this.phase === 'playing' || this.dealing) return;
    this.saveUnsent({ putAway: (this.#putAway = this.round?.id ?? '') });
    this.put(NO_BETS);
  }

  async rebet(): Promise<void> {
    if (this.waitSeconds === 0 && this.repeat()) await this.deal();
  }

  async deal(): Promise<void> {
    if (!this.mayBet || this.phase !== 'betting' || this.waitSeconds) return;
    const objection = betting.objection(this.bets, this.allowed);
    if (objection) return this.notice(objection);
    const stakes = betting.stakes(this.bets);
    try {
      await this.#dealt.send(this.#dealtNow?.id ?? '', () => this.#props().deal(stakes));
    } catch (error) {
      this.refused(error);
    }
  }
}
