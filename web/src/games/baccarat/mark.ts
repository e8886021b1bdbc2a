import type { Marks } from '../drawing';
import { markOf, pairsOf } from '../../kits/two_hands/labels';
import { LABELS } from './labels';

/** `P8`: Player won with 8. `P8b`: and the banker had a pair. */
export const marks: Marks = {
  mark: markOf(LABELS, (won, [points, ...pairs]) => ({
    text: LABELS[won].letter + points,
    spoken: [
      won === 'tie' ? `Tie at ${points}` : `${LABELS[won].title} with ${points}`,
      ...pairsOf(LABELS, pairs.join('')).map((side) => `${LABELS[side].title} pair`),
    ].join(', '),
  })),
  cards: ['9S KD', '4H 3C'],
  colours: ['#2f55a4', '#101f45'],
  sample: ['B7', 'P8', 'P9', 'B5', 'T6', 'B9', 'P6'],
};
