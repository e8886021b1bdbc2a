import { OwnAnnouncer } from '../../table/own_announcer.svelte';
import type { RoundEvent } from '../../wire';
import type { BlackjackView } from './wire';
import type { SoundCue } from '../../table/sound';
import { soundCuesOf } from './sound_cues';
import type { BlackjackRound } from './view_queries';
import { decidedForYou, describe, eventSentences, turnSentence } from './speech';

/** Announcements of a player's own table. */
export class BlackjackAnnouncer extends OwnAnnouncer<BlackjackView> {
  protected describe(round: BlackjackRound): string {
    return describe(round, this.playerTable.speech);
  }

  protected eventSentences(round: BlackjackRound, did: readonly RoundEvent[]): string[] {
    const { speech } = this.playerTable;
    const forYou = did.map((one) => decidedForYou(one, speech.table)).filter(Boolean);
    if (forYou.length) this.playerTable.say(forYou.join(' '));
    return eventSentences(round, did, speech);
  }

  protected asked(round: BlackjackRound): string {
    return turnSentence(round, this.playerTable.speech);
  }

  protected soundCues(view: BlackjackView, did: readonly RoundEvent[]): readonly SoundCue[] {
    const decided = did.some(({ what }) => what === 'decided');
    return [...(decided ? [{ effect: 'button' as const, delayMs: 0 }] : []), ...soundCuesOf(view, did)];
  }
}
