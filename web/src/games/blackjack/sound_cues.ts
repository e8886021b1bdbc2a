import { still } from '../../table/motion';
import type { SoundCue } from '../../table/sound';
import type { RoundEvent } from '../../wire';
import { moves } from './card_motion';
import type { BlackjackView } from './wire';

/** Each card has a sound when it leaves the shoe or turns; cards shown at once share one sound. */
export function soundCuesOf(view: BlackjackView, did: readonly RoundEvent[]): readonly SoundCue[] {
  const all = [...moves(view, did).values()].map(({ fromMs, turns }): SoundCue => {
    return { effect: turns ? 'turn' : 'card', delayMs: fromMs };
  });
  return still() ? all.slice(0, 1) : all;
}
