import { OwnTeller } from '../../table/own_teller.svelte';
import type { Happening } from '../../wire';
import type { BlackjackView } from './wire';
import { delays, restMs } from './director';
import type { BlackjackRound } from './reading';
import { decidedForYou, describe, happenings, turnSentence } from './speech';

/** At a player's own table. */
export class BlackjackTeller extends OwnTeller<BlackjackView> {
  protected describe(round: BlackjackRound): string {
    return describe(round, this.desk.told);
  }

  protected happenings(round: BlackjackRound, did: readonly Happening[]): string[] {
    const { told } = this.desk;
    const forYou = did.map((one) => decidedForYou(one, told.table)).filter(Boolean);
    if (forYou.length) this.desk.say(forYou.join(' '));
    return happenings(round, did, told);
  }

  protected asked(round: BlackjackRound): string {
    return turnSentence(round, this.desk.told);
  }

  protected sounds(view: BlackjackView, did: readonly Happening[]): void {
    const at = delays(view, did);
    if (did.some(({ what }) => what === 'decided')) this.sound.play('button');
    for (const delay of at.values()) this.sound.play('card', delay);
    this.end(view, restMs(at, did));
  }
}
