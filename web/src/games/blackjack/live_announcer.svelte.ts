import type { LivePlayerTable } from '../../live/live_player_table.svelte';
import { LiveAnnouncer } from '../../live/live_announcer.svelte';
import type { LiveSlot } from '../../state/reduce';
import type { SoundCue, Sound } from '../../table/sound';
import type { RoundEvent } from '../../wire';
import type { BlackjackView } from './wire';
import { soundCuesOf } from './sound_cues';
import type { LiveDecisions } from './live_decisions.svelte';
import { handAt, type BlackjackRound } from './view_queries';
import { decidedForYou, describe, eventSentences, resultSentence, turnSentence, whose } from './speech';

/** Announcements of a live table: cards, decisions, and decisions the table made for the player. */
export class BlackjackLiveAnnouncer extends LiveAnnouncer<BlackjackView> {
  #asked = '';
  #warned = '';
  #decisions: LiveDecisions;

  constructor(playerTable: LivePlayerTable<BlackjackView>, decisions: LiveDecisions, sound: Sound) {
    super(playerTable, sound);
    this.#decisions = decisions;
  }

  protected describe(round: BlackjackRound): string {
    return describe(round, this.playerTable.speech);
  }

  protected cameUp(did: readonly RoundEvent[], before: BlackjackView | null): string[] {
    const { round, speech } = this.playerTable;
    const spoken = news(did, this.playerTable.state.round, before).filter((one) => this.#isSpoken(one));
    return [...this.#ofOthers(did), ...(round ? eventSentences(round, spoken, speech) : [])];
  }

  protected soundCues(
    did: readonly RoundEvent[],
    after: BlackjackView | null,
    before: BlackjackView | null,
  ): readonly SoundCue[] {
    return after ? soundCuesOf(after, news(did, after, before)) : [];
  }

  protected override result(round: BlackjackRound): string {
    return resultSentence(round, this.playerTable.speech);
  }

  /** Reading seven hands aloud would take longer than a decision, so for other players only actions are announced. */
  #isSpoken({ what, box, hand }: RoundEvent): boolean {
    if (what === 'ended' || what === 'decided') return false;
    if (box < 0) return true;
    // The first of two cards is not announced.
    return this.#isOwn(box) && cardsAt(this.playerTable.state.round, box, hand) > 1;
  }

  #isOwn(box: number): boolean {
    return this.playerTable.shared || this.playerTable.mine.stakes.some((stake) => stake.box === box);
  }

  #ofOthers(did: readonly RoundEvent[]): string[] {
    const { round } = this.playerTable.state;
    if (!round || this.playerTable.shared) return [];
    return did
      .filter(({ what, box }) => what === 'decided' && !this.#isOwn(box))
      .map((one) => `${whose(round, one, this.playerTable.speech.table)}: ${one.action}.`);
  }

  protected override taken({ mine }: LiveSlot, before: LiveSlot): string[] {
    const known = mine.made.length >= before.mine.made.length ? before.mine.made.length : 0;
    const lines = mine.made
      .slice(known)
      .map((made) => decidedForYou(made, this.playerTable.speech.table))
      .filter(Boolean);
    if (lines.length) this.playerTable.say(lines.join(' '));
    return lines;
  }

  protected override asked(): string {
    const { question, ahead, open } = this.#decisions;
    const { round, speech, countdown } = this.playerTable;
    if (question === this.#asked) return '';
    this.#asked = question;
    if (!question || !round || ahead) return '';
    return `${turnSentence({ ...round, view: { ...round.view, turns: open } }, speech)} ${countdown.seconds} seconds.`;
  }

  /** Warn five seconds before the player's own decision expires. */
  override count(seconds: number): void {
    const { question, ahead } = this.#decisions;
    if (seconds !== 5 || !question || ahead || this.#warned === question) return;
    this.#warned = question;
    this.urgent.say('5 seconds.');
  }
}

/** At a shared deal, skip cards that belong to other players' paths. */
function news(
  did: readonly RoundEvent[],
  after: BlackjackView | null,
  before: BlackjackView | null,
): readonly RoundEvent[] {
  return did.filter(
    ({ what, box, hand }) =>
      (what !== 'card' && what !== 'face_down') || cardsAt(after, box, hand) !== cardsAt(before, box, hand),
  );
}

const cardsAt = (view: BlackjackView | null, box: number, hand: number) => {
  if (!view) return 0;
  if (box < 0) return view.dealer.cards.length + Number(view.dealer.face_down);
  return handAt(view, { box, hand })?.cards.length ?? 0;
};
