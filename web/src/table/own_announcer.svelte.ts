import type { RoundEvent, RoundView, TableState } from '../wire';
import type { OwnPlayerTable } from './own_player_table.svelte';
import { endOf, type AnyView, type Played } from './rounds';
import type { SoundCue, Sound } from './sound';
import { VOIDED } from './speech';
import { Announcer } from './announcer.svelte';

/** Announcements common to all games at a player's own table. */
export abstract class OwnAnnouncer<V extends AnyView = AnyView> extends Announcer {
  #seen: TableState | null = null;
  protected playerTable: OwnPlayerTable<V>;

  constructor(playerTable: OwnPlayerTable<V>, sound: Sound) {
    super(sound);
    this.playerTable = playerTable;
  }

  /** Describe the whole table. */
  protected abstract describe(round: Played<V>): string;
  /** Sentences for the events. */
  protected abstract eventSentences(round: Played<V>, did: readonly RoundEvent[]): string[];
  /** The current question; empty: none. */
  protected abstract asked(round: Played<V>): string;
  /** Sounds of what is on its way to be seen. */
  protected abstract soundCues(view: V, did: readonly RoundEvent[]): readonly SoundCue[];

  describeTable(): string {
    const { round, view } = this.playerTable;
    return round && view ? this.describe(round) : '';
  }

  /** Call with every message when it starts to be shown. */
  playSounds({ round }: TableState, did: readonly RoundEvent[]): void {
    if (!round) return;
    for (const { effect, delayMs } of this.soundCues(round.view as RoundView & V, did))
      this.sound.play(effect, delayMs);
  }

  /** Call with every state once shown; repeated calls are ignored. */
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
