import type { Marks } from '../drawing';
import { colourOf } from './bets';

export const marks: Marks = {
  mark: (pocket) => {
    const tone = colourOf(pocket);
    return { text: pocket, tone, spoken: `${pocket} ${tone}` };
  },
  sample: ['17', '32', '0', '8', '21', '36'],
};
