import type { Marks } from '../drawing';
import { markOf, ranksCompared } from '../../kits/two_hands/labels';
import { LABELS } from './labels';

/** `HK7`: Home won, a king against a seven. */
export const marks: Marks = {
  mark: markOf(LABELS, (won, ranks) => ({
    text: LABELS[won].letter,
    spoken: `${LABELS[won].title}, ${ranksCompared(ranks)}`,
  })),
  cards: ['AS JD', '8C QH'],
  colours: ['#5c8a2f', '#1d3210'],
  sample: ['HK7', 'A3J', 'HT9', 'A8Q', '=66', 'HA4', 'A59'],
};
