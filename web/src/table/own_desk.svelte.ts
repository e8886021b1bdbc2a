import type { Unseen } from '../state/unseen';
import type { Happening, Stake, TableState } from '../wire';
import * as betting from './betting';
import { NO_BETS, type Bets } from './betting';
import type { Decision } from '../state/house.svelte';
import { Desk, type Around } from './desk.svelte';
import { phaseOf } from './phases';
import type { AnyView, Played } from './rounds';
import { OFFLINE } from '../ui/because';
import { Sent } from './sent.svelte';

/** What the page around gives a player's own table. */
export interface TableProps extends Around {
  state: TableState | null;
  deal: (stakes: Stake[]) => Promise<void>;
  decide: (decision: Decision) => Promise<void>;
  did: readonly Happening[];
  /** Keeps figures elsewhere from telling what hasn't been seen here; null: all has been. */
  hold: (unseen: Omit<Unseen, 'currency'> | null) => void;
}

/** At a player's own table: his chips stay in the browser until Deal. */
export class OwnDesk<V extends AnyView = AnyView> extends Desk<V> {
  bets = $state.raw<Bets>(NO_BETS);
  #putAway = $state.raw('');
  /** After the round that lies there. */
  #dealt = new Sent();
  #now = $state.raw(0);
  #props: () => TableProps;

  constructor(props: () => TableProps) {
    super(props);
    this.#props = props;
    this.#now = props().nowMs();
    const { bets = NO_BETS, putAway = '' } = this.laid();
    this.bets = bets;
    this.#putAway = putAway;
  }

  /** At its tables the house deals no other game than theirs. */
  round = $derived.by(() => (this.#props().state?.round ?? null) as Played<V> | null);
  phase = $derived.by(() => (this.isMoving() ? 'playing' : phaseOf(this.round, this.#putAway)));
  view = $derived(this.phase === 'betting' ? null : (this.round?.view ?? null));
  lastStakes = $derived.by(() => this.#props().state?.last_stakes ?? []);
  waitSeconds = $derived.by(() =>
    Math.max(0, Math.ceil(((this.#props().state?.next_deal_ms ?? 0) - this.#now) / 1000)),
  );
  dealing = $derived.by(() => this.#dealt.isUnderWay(this.round?.id ?? ''));
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

  /** What came up is still on its way to be seen: the round isn't over for the player. */
  isMoving(): boolean {
    return false;
  }

  protected put(bets: Bets): void {
    this.lay({ bets: (this.bets = bets) });
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
    this.lay({ putAway: (this.#putAway = this.round?.id ?? '') });
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
      await this.#dealt.send(this.round?.id ?? '', () => this.#props().deal(stakes));
    } catch (error) {
      this.refused(error);
    }
  }
}
