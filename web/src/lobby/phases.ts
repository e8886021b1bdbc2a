import type { Phase } from '../wire';

/** Short phase names for lobby cards and tabs. */
export const PHASES: Readonly<Record<Phase, string>> = {
  closed: 'Closed',
  shuffling: 'Shuffling',
  opening: 'Next round',
  betting: 'Bets open',
  warning: 'Last bets',
  no_more_bets: 'No more bets',
  dealing: 'Dealing',
  offer: 'Offer',
  decisions: 'Players decide',
  dealer: 'Dealer plays',
  settlement: 'Results',
  pause: 'Results',
};

export const phaseWords = (phase: Phase, paused: string) => (paused ? 'Paused' : PHASES[phase]);
