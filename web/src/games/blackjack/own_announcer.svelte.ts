import { OwnAnnouncer } from '../../table/own_announcer.svelte';
import type { RoundEvent } from '../../wire';
import type { BlackjackView } from './wire';
import type { SoundCue } from '../../table/sound';
import { soundCuesOf } from './sound_cues';
import type { BlackjackRound } from './view_queries';
import { decidedForYou, describe, happenings, turnSentence } from './speech';

/** At a player's own table. */
export class BlackjackAnnouncer extends OwnAnnouncer<BlackjackView> {
  protected describe(round: BlackjackRound): string {
    return describe(round, this.playerTable.told);
  }

  protected happenings(round: BlackjackRound, did: readonly RoundEvent[]): string[] {
    const { told } = this.playerTable;
    const forYou = did.map((one) => decidedForYou(one, told.table)).filter(Boolean);
    if (forYou.length) this.playerTable.say(forYou.join(' '));
    return happenings(round, did, told);
  }

  protected asked(round: BlackjackRound): string {
    return turnSentence(round, this.playerTable.told);
  }

  protected beats(view: BlackjackView, did: readonly RoundEvent[]): readonly SoundCue[] {
    const decided = did.some(({ what }) => what === 'decided');
    return [...(decided ? [{ effect: 'button' as const, delayMs: 0 }] : []), ...soundCuesOf(view, did)];
  }
}
