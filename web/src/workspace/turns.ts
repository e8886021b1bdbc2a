/** Which tables wait for the player. */
import type { LiveSlot, TableSlot } from '../state/reduce';
import { turnsIn } from '../table/rounds';
import type { Phase } from '../wire';

const WINDOWS: readonly Phase[] = ['offer', 'decisions'];

export function ownTableWaits({ state: { round } }: TableSlot): boolean {
  return round !== null && !round.view.ended && turnsIn(round.view).length > 0;
}

/** Whether a decision on one of the player's hands is open and not made yet, not even in advance. */
export function liveTableWaits({ state: { clock, round }, mine }: LiveSlot): boolean {
  if (!round || clock.paused || !WINDOWS.includes(clock.phase)) return false;
  const own = turnsIn(round).filter(({ box }) => mine.stakes.some((stake) => stake.box === box));
  return own.some(
    ({ box, hand }) => !mine.made.some((one) => one.waiting && one.box === box && one.hand === hand),
  );
}

/** Whether an own or live table waits for the player. */
export const tableWaits = (own: TableSlot | undefined, live: LiveSlot | undefined): boolean =>
  (own !== undefined && ownTableWaits(own)) || (live !== undefined && liveTableWaits(live));

/** Whole seconds until a moment of the server's clock; null: nothing is counted down. */
export function secondsLeft(deadlineMs: number | null, nowMs: number): number | null {
  return deadlineMs === null ? null : Math.max(0, Math.ceil((deadlineMs - nowMs) / 1000));
}
