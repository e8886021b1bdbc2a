import { OwnTeller } from '../../table/own_teller.svelte';
import type { Happening } from '../../wire';
import type { BlackjackView } from './wire';
import { delays, restMs } from './director';
import type { BlackjackRound } from './reading';
import { describe, happenings, turnSentence } from './speech';

/** At a player's own table. */
export class BlackjackTeller extends OwnTeller<BlackjackView> {
  protected describe(round: BlackjackRound): string {
    return describe(round, this.desk.told);
  }

  protected happenings(round: BlackjackRound, did: readonly Happening[]): string[] {
    return happenings(round, did, this.desk.told);
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
