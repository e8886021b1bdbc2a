import type { Marks } from '../drawing';
import { markOf, ranksCompared } from '../../kits/two_hands/labels';
import { LABELS } from './labels';

/** `DK7`: Dragon won, a king against a seven. */
export const marks: Marks = {
  mark: markOf(LABELS, (won, ranks) => ({
    text: LABELS[won].letter,
    spoken: `${LABELS[won].title}, ${ranksCompared(ranks)}`,
  })),
  cards: ['KH 7S', '3D JC'],
  colours: ['#a3611d', '#3d1f08'],
  sample: ['DK7', 'T3J', 'DT9', 'D84', '=66', 'TAQ', 'T59'],
};
