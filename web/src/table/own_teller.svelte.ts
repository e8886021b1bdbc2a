import type { Happening, TableState } from '../wire';
import type { OwnDesk } from './own_desk.svelte';
import type { AnyView, Played } from './rounds';
import type { Sound } from './sound';
import { VOIDED } from './speech';
import { Teller } from './teller.svelte';

/** At a player's own table: what is common to the games of what is told there. */
export abstract class OwnTeller<V extends AnyView = AnyView> extends Teller {
  #seen: TableState | null = null;
  protected desk: OwnDesk<V>;

  constructor(desk: OwnDesk<V>, sound: Sound) {
    super(sound);
    this.desk = desk;
  }

  /** What lies on the table, whole. */
  protected abstract describe(round: Played<V>): string;
  /** What an event brought. */
  protected abstract happenings(round: Played<V>, did: readonly Happening[]): string[];
  /** What is asked now; empty: nothing. */
  protected abstract asked(round: Played<V>): string;
  protected abstract sounds(view: V, did: readonly Happening[]): void;

  onTheTable(): string {
    const { round, view } = this.desk;
    return round && view ? this.describe(round) : '';
  }

  /** To be called with every state; the same one again says nothing. */
  hear(state: TableState | null, did: readonly Happening[], aloud: boolean): void {
    if (!state || state === this.#seen) return;
    const first = this.#seen === null;
    this.#seen = state;
    const { round } = this.desk;
    if (did.some(({ what }) => what === 'voided')) this.write([VOIDED], '', aloud);
    else if (round && did.length) this.#announce(round, did, aloud);
    else if (first && round && !round.view.ended) this.write([this.describe(round)], '', aloud);
  }

  #announce(round: Played<V>, did: readonly Happening[], aloud: boolean): void {
    this.write(this.happenings(round, did), this.asked(round), aloud);
    if (aloud) this.sounds(round.view, did);
  }

  /** A return that isn't more than the stakes is no win, and doesn't sound like one. */
  protected end(view: V, restMs: number): void {
    if (view.ended) this.sound.play(view.returned_minor > view.staked_minor ? 'win' : 'end', restMs);
  }
}
