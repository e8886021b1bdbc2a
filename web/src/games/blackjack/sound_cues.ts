import { still } from '../../table/motion';
import type { Beat } from '../../table/sound';
import type { RoundEvent } from '../../wire';
import { moves } from './card_motion';
import type { BlackjackView } from './wire';

/** Each card sounds as it leaves the shoe or turns; those that lie there at once sound once together. */
export function beatsOf(view: BlackjackView, did: readonly RoundEvent[]): readonly Beat[] {
  const all = [...moves(view, did).values()].map(({ fromMs, turns }): Beat => {
    return { effect: turns ? 'turn' : 'card', delayMs: fromMs };
  });
  return still() ? all.slice(0, 1) : all;
}
