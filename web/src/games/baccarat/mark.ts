import type { Marks } from '../drawing';
import { markOf } from '../sides/parties';
import { PARTIES } from './parties';

/** `P8`: Player won with 8. */
export const marks: Marks = {
  mark: markOf(PARTIES, (won, points) => ({
    text: PARTIES[won].letter + points,
    spoken: won === 'tie' ? `Tie at ${points}` : `${PARTIES[won].title} with ${points}`,
  })),
  cards: ['9S KD', '4H 3C'],
  sample: ['B7', 'P8', 'P9', 'B5', 'T6', 'B9', 'P6'],
};
