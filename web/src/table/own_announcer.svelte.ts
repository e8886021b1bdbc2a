import type { RoundEvent, RoundView, TableState } from '../wire';
import type { OwnPlayerTable } from './own_player_table.svelte';
import { endOf, type AnyView, type Played } from './rounds';
import type { SoundCue, Sound } from './sound';
import { VOIDED } from './speech';
import { Announcer } from './announcer.svelte';

/** At a player's own table: what is common to the games of what is told there. */
export abstract class OwnAnnouncer<V extends AnyView = AnyView> extends Announcer {
  #seen: TableState | null = null;
  protected playerTable: OwnPlayerTable<V>;

  constructor(playerTable: OwnPlayerTable<V>, sound: Sound) {
    super(sound);
    this.playerTable = playerTable;
  }

  /** What lies on the table, whole. */
  protected abstract describe(round: Played<V>): string;
  /** What an event brought. */
  protected abstract eventSentences(round: Played<V>, did: readonly RoundEvent[]): string[];
  /** What is asked now; empty: nothing. */
  protected abstract asked(round: Played<V>): string;
  /** Sounds of what is on its way to be seen. */
  protected abstract soundCues(view: V, did: readonly RoundEvent[]): readonly SoundCue[];

  describeTable(): string {
    const { round, view } = this.playerTable;
    return round && view ? this.describe(round) : '';
  }

  /** To be called with all that is told, as it begins to be seen. */
  playSounds({ round }: TableState, did: readonly RoundEvent[]): void {
    if (!round) return;
    for (const { effect, delayMs } of this.soundCues(round.view as RoundView & V, did))
      this.sound.play(effect, delayMs);
  }

  /** To be called with every state that has been seen; the same one again says nothing. */
  announce(state: TableState | null, did: readonly RoundEvent[], speak: boolean): void {
    if (!state || state === this.#seen) return;
    const first = this.#seen === null;
    this.#seen = state;
    const { round } = this.playerTable;
    if (did.some(({ what }) => what === 'voided')) this.write([VOIDED], '', speak);
    else if (round && did.length) this.#announce(round, did, speak);
    else if (first && round && !round.view.ended) this.write([this.describe(round)], '', speak);
  }

  #announce(round: Played<V>, did: readonly RoundEvent[], speak: boolean): void {
    this.write(this.eventSentences(round, did), this.asked(round), speak);
    if (speak && round.view.ended) this.sound.play(endOf(round.view));
  }
}
