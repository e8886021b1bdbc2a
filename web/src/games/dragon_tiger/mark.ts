import type { Marks } from '../drawing';
import { markOf, ranksMet } from '../../kits/two_hands/labels';
import { PARTIES } from './labels';

/** `DK7`: Dragon won, a king against a seven. */
export const marks: Marks = {
  mark: markOf(PARTIES, (won, ranks) => ({
    text: PARTIES[won].letter,
    spoken: `${PARTIES[won].title}, ${ranksMet(ranks)}`,
  })),
  cards: ['KH 7S', '3D JC'],
  colours: ['#a3611d', '#3d1f08'],
  sample: ['DK7', 'T3J', 'DT9', 'D84', '=66', 'TAQ', 'T59'],
};
