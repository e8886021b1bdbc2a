import type { AnyCoupDrawing, CoupView } from '../../games/drawing';
import type { LivePlayerTable } from '../../live/live_player_table.svelte';
import { LiveAnnouncer } from '../../live/live_announcer.svelte';
import { OwnAnnouncer } from '../../table/own_announcer.svelte';
import type { Played } from '../../table/rounds';
import type { Effect } from '../../table/effects';
import type { SoundCue, Sound } from '../../table/sound';
import { accounted, verdict } from '../../table/speech';
import type { RoundEvent } from '../../wire';
import type { OwnPlayerTable } from '../../table/own_player_table.svelte';

const SOUNDS: Readonly<Partial<Record<RoundEvent['what'], Effect>>> = {
  card: 'card',
  spun: 'spin',
  rolled: 'dice',
};
const BETWEEN_MS = 90;
const soundCues = (did: readonly RoundEvent[]): SoundCue[] =>
  did.flatMap(({ what }) => SOUNDS[what] ?? []).map((effect, at) => ({ effect, delayMs: at * BETWEEN_MS }));

/** Announcements of a player's own coup table, made after the scene. */
export class CoupAnnouncer extends OwnAnnouncer<CoupView> {
  #drawing: AnyCoupDrawing;

  constructor(playerTable: OwnPlayerTable<CoupView>, drawing: AnyCoupDrawing, sound: Sound) {
    super(playerTable, sound);
    this.#drawing = drawing;
  }

  protected describe({ view }: Played<CoupView>): string {
    return this.#drawing.cameUp(view);
  }

  protected eventSentences(round: Played<CoupView>): string[] {
    const came = this.#drawing.cameUp(round.view);
    return round.view.ended
      ? [came, `${verdict(round, this.playerTable.speech)}. ${accounted(round, this.playerTable.speech)}`]
      : [came];
  }

  protected asked(): string {
    return '';
  }

  protected soundCues(_view: CoupView, did: readonly RoundEvent[]): readonly SoundCue[] {
    return this.playerTable.reveal.moving ? soundCues(did) : [];
  }
}

/** Announcements of a live coup table: results are announced when the coup has ended. */
export class LiveCoupAnnouncer extends LiveAnnouncer<CoupView> {
  /** The round whose outcome was announced. */
  #announcedRound = '';
  #drawing: AnyCoupDrawing;

  constructor(playerTable: LivePlayerTable<CoupView>, drawing: AnyCoupDrawing, sound: Sound) {
    super(playerTable, sound);
    this.#drawing = drawing;
  }

  protected describe({ view }: Played<CoupView>): string {
    return this.#drawing.cameUp(view);
  }

  protected cameUp(): string[] {
    const { view, stage, clock } = this.playerTable;
    if (!view || stage !== 'ended' || clock.round === this.#announcedRound) return [];
    this.#announcedRound = clock.round;
    return [this.#drawing.cameUp(view)];
  }

  protected soundCues(did: readonly RoundEvent[]): readonly SoundCue[] {
    return soundCues(did);
  }
}
