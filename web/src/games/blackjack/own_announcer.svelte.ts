import { OwnTeller } from '../../table/own_announcer.svelte';
import type { RoundEvent } from '../../wire';
import type { BlackjackView } from './wire';
import type { Beat } from '../../table/sound';
import { beatsOf } from './sound_cues';
import type { BlackjackRound } from './view_queries';
import { decidedForYou, describe, happenings, turnSentence } from './speech';

/** At a player's own table. */
export class BlackjackTeller extends OwnTeller<BlackjackView> {
  protected describe(round: BlackjackRound): string {
    return describe(round, this.desk.told);
  }

  protected happenings(round: BlackjackRound, did: readonly RoundEvent[]): string[] {
    const { told } = this.desk;
    const forYou = did.map((one) => decidedForYou(one, told.table)).filter(Boolean);
    if (forYou.length) this.desk.say(forYou.join(' '));
    return happenings(round, did, told);
  }

  protected asked(round: BlackjackRound): string {
    return turnSentence(round, this.desk.told);
  }

  protected beats(view: BlackjackView, did: readonly RoundEvent[]): readonly Beat[] {
    const decided = did.some(({ what }) => what === 'decided');
    return [...(decided ? [{ effect: 'button' as const, delayMs: 0 }] : []), ...beatsOf(view, did)];
  }
}
