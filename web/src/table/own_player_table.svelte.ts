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

/** Properties of a player's own table. */
export interface TableProps extends TableContext {
  state: TableState | null;
  deal: (stakes: Stake[]) => Promise<void>;
  decide: (decision: Decision) => Promise<void>;
  did: readonly RoundEvent[];
  /** Hold back figures elsewhere that would reveal an unseen result; null: all is seen. */
  hold: (unseen: Settled | null) => void;
}

interface OwnMessage {
  readonly state: TableState | null;
  readonly did: readonly RoundEvent[];
}

/** The server sends a table only rounds of its own game. */
const dealtIn = <V>({ state }: OwnMessage) => (state?.round ?? null) as Played<V> | null;

/** The player's state at an own table: chips stay in the browser until Deal. */
export class OwnPlayerTable<V extends AnyView = AnyView> extends PlayerTable<V> {
  bets = $state.raw<Bets>(NO_BETS);
  #putAway = $state.raw('');
  /** The deal requested after the current round. */
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

  /** Call with every message, before it is drawn. */
  update(): void {
    const { state, did } = this.#props();
    const view = dealtIn<V>({ state, did })?.view;
    this.reveal.update({ state, did }, () => (view ? this.#motion.moments(view, did) : []));
  }

  /** The last round dealt, shown or not. */
  #dealtNow = $derived.by(() => dealtIn<V>(this.reveal.newest));
  /** The round as far as shown; null while the first cards are moving. */
  round = $derived.by(() => {
    const seen = dealtIn<V>(this.reveal.shown);
    return seen?.id === this.#dealtNow?.id ? seen : null;
  });
  phase = $derived.by(() => (this.reveal.moving ? 'playing' : phaseOf(this.round, this.#putAway)));
  view = $derived(this.phase === 'betting' ? null : (this.round?.view ?? null));
  /** Everything on the cloth, including moving cards. */
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

  /** Clear the last round and its bets from the cloth. */
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
