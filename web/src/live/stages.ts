import type { LiveClock, Phase } from '../wire';

/** The player's stage: placing chips, playing a hand, or seeing the result. */
export type Stage = 'betting' | 'playing' | 'ended';

const STAGES: Readonly<Record<Phase, Stage>> = {
  closed: 'betting',
  shuffling: 'betting',
  opening: 'betting',
  betting: 'betting',
  warning: 'betting',
  no_more_bets: 'playing',
  dealing: 'playing',
  offer: 'playing',
  decisions: 'playing',
  dealer: 'playing',
  // The ball is coming to rest, or the last card may still be corrected.
  settlement: 'playing',
  pause: 'ended',
};

export const stageOf = ({ phase }: Pick<LiveClock, 'phase'>): Stage => STAGES[phase];

/** The phases whose end the player waits for, and may see the seconds of. */
const COUNTED: readonly Phase[] = ['betting', 'warning', 'offer', 'decisions', 'pause'];

export const isCounted = ({ phase }: Pick<LiveClock, 'phase'>): boolean => COUNTED.includes(phase);
