import type { AnyView, Played } from './rounds';

/** The phase of a player's own table. */
export type Phase = 'betting' | 'playing' | 'ended';

/** A round that has ended stays in view until it is put away by New bet or the first chip. */
export function phaseOf(round: Played<AnyView> | null, putAway: string): Phase {
  if (!round) return 'betting';
  if (!round.view.ended) return 'playing';
  return round.id === putAway ? 'betting' : 'ended';
}
