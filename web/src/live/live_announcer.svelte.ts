import type { LiveSlot } from '../state/reduce';
import { money } from '../state/money';
import { happened, reasonWords } from '../state/event_words';
import { endOf, type AnyView, type Played } from '../table/rounds';
import type { SoundCue, Sound } from '../table/sound';
import { accounted, verdict } from '../table/speech';
import { Announcer } from '../table/announcer.svelte';
import type { PlayerResult, RoundEvent } from '../wire';
import type { LivePlayerTable } from './live_player_table.svelte';

/** A notice for everybody at the table. */
export interface Bulletin {
  readonly what: RoundEvent['what'];
  readonly round: string;
  readonly title: string;
  readonly text: string;
}

const BULLETIN_TITLES: Readonly<Partial<Record<RoundEvent['what'], string>>> = {
  paused: 'The table is paused',
  voided: 'The round was cancelled',
  restarted: 'The server was restarted',
  corrected: 'A dealing mistake was corrected',
};

const SAID = new Set<RoundEvent['what']>([
  'seat_taken',
  'seat_left',
  'shuffling',
  'closed',
  'resumed',
  'limits',
  'no_more_bets',
  'no_spin',
  'burned',
]);

/** Announcements of a live table of any game: timed events and the player's money. */
export abstract class LiveAnnouncer<V extends AnyView = AnyView> extends Announcer {
  bulletin = $state.raw<Bulletin | null>(null);
  /** Cards, spins and rolls on their way to be seen, also at a table that isn't heard. */
  cues = $state.raw<readonly SoundCue[]>([]);
  /** What the dealer calls: the newest events in words. */
  call = $state.raw('');
  #before: LiveSlot | null = null;
  #started: LiveSlot | null = null;
  protected playerTable: LivePlayerTable<V>;

  constructor(playerTable: LivePlayerTable<V>, sound: Sound) {
    super(sound);
    this.playerTable = playerTable;
  }

  /** Describe the whole table. */
  protected abstract describe(round: Played<V>): string;
  /** Results in order; `before` is the shared view before them. */
  protected abstract cameUp(did: readonly RoundEvent[], before: V | null): string[];
  /** Sounds of what is on its way to be seen. */
  protected abstract soundCues(
    did: readonly RoundEvent[],
    after: V | null,
    before: V | null,
  ): readonly SoundCue[];

  protected result(round: Played<V>): string {
    return `${verdict(round, this.playerTable.speech)}. ${accounted(round, this.playerTable.speech)}`;
  }

  /** Decisions the table made for the player. */
  protected taken(_slot: LiveSlot, _before: LiveSlot): string[] {
    return [];
  }

  /** The player's current question, once. */
  protected asked(): string {
    return '';
  }

  /** Called every second of the clock. */
  count(_seconds: number): void {}

  describeTable(): string {
    const { round, view } = this.playerTable;
    return round && view ? this.describe(round) : '';
  }

  /** Call with every message when it starts to be shown. */
  playSounds(slot: LiveSlot, speak: boolean): void {
    const before = this.#started;
    this.#started = slot;
    if (!before || slot.did === before.did) return;
    this.cues = this.soundCues(slot.did, viewOf<V>(slot), viewOf<V>(before));
    if (!speak) return;
    for (const { effect, delayMs } of this.cues) this.sound.play(effect, delayMs);
  }

  /** Call with every message once shown; repeated calls are ignored. */
  announce(slot: LiveSlot, speak: boolean): void {
    const before = this.#before;
    this.#before = slot;
    this.#makeWay(slot);
    if (!before) return this.write(this.#opening(), '', speak);
    const moved = slot.v !== before.v || slot.did !== before.did;
    const events = moved ? this.#events(slot, before) : [];
    if (events.length) this.call = events.join(' ');
    const lines = [...events, ...this.taken(slot, before), ...this.#result(slot, before)];
    if (speak) this.#sounds(slot, before, moved);
    this.write(lines, this.#asks(slot, moved), speak);
  }

  #opening(): string[] {
    const there = this.describeTable();
    this.asked();
    return there ? [there] : [];
  }

  #events({ did, state }: LiveSlot, before: LiveSlot): string[] {
    const { seconds } = this.playerTable.countdown;
    // Corrections before the first card of a round concern no hand: show no notice over the bets.
    const small = ({ what }: RoundEvent) => SAID.has(what) || (what === 'corrected' && !state.round);
    this.#bulletins(did.filter((one) => !small(one)));
    const opened = did.some(({ what }) => what === 'opened') ? [`Place your bets, ${seconds} seconds.`] : [];
    const brief = did.filter(small).map((one) => happened(one));
    return [...brief, ...opened, ...this.cameUp(did, viewOf<V>(before))];
  }

  /** A notice is of its round, and that of a pause of the pause: it stays to be read in words. */
  #makeWay({ state: { clock } }: LiveSlot): void {
    const there = this.bulletin;
    const over = there && (there.what === 'paused' ? !clock.paused : there.round !== clock.round);
    if (over) this.bulletin = null;
  }

  #bulletins(did: readonly RoundEvent[]): void {
    for (const { what, reason } of did) {
      const title = BULLETIN_TITLES[what];
      if (!title) continue;
      const text = [sentence(reasonWords(reason)), WHAT_NOW[what]].filter(Boolean).join(' ');
      this.bulletin = { what, round: this.playerTable.clock.round, title, text };
      this.write([], `${title}. ${text}`, true);
    }
  }

  #result({ mine: { result }, resumed }: LiveSlot, before: LiveSlot): string[] {
    if (!result || result.round === before.mine.result?.round) return [];
    const { round } = this.playerTable;
    if (!resumed && round?.view.ended && !result.void) return [this.result(round)];
    return [this.#missed(result)];
  }

  #missed({ number, void: cancelled, staked_minor, returned_minor }: PlayerResult): string {
    const { currency } = this.playerTable.speech;
    if (cancelled)
      return `Round ${number} was cancelled. Your ${money(staked_minor, currency)} was returned.`;
    return `Round ${number} ended: staked ${money(staked_minor, currency)}, returned ${money(returned_minor, currency)}.`;
  }

  #asks({ did }: LiveSlot, moved: boolean): string {
    const last =
      moved && did.some(({ what }) => what === 'last_seconds') && this.playerTable.places.length > 0;
    return [last ? `Last ${this.playerTable.countdown.seconds} seconds to bet.` : '', this.asked()]
      .filter(Boolean)
      .join(' ');
  }

  #sounds({ did, mine: { result } }: LiveSlot, before: LiveSlot, moved: boolean): void {
    if (moved && did.some(({ what }) => what === 'last_seconds')) this.sound.play('button');
    if (!result || result.round === before.mine.result?.round) return;
    this.sound.play(endOf(result));
  }
}

/** The server sends a table only rounds of its own game. */
const viewOf = <V>(slot: LiveSlot) => slot.state.round as V | null;

const WHAT_NOW: Readonly<Partial<Record<RoundEvent['what'], string>>> = {
  paused: 'Bets and cards stay as they are, and the clock is stopped.',
  voided: 'Every stake of this round is returned.',
  restarted: 'A round that was open was cancelled and its stakes were returned.',
};

const sentence = (text: string) =>
  text && `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[.]$/, '')}.`;
