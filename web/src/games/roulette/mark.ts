import type { Marks } from '../drawing';
import Art from './Art.svelte';
import { colourOf } from './bets';

export const marks: Marks = {
  mark: (pocket) => {
    const tone = colourOf(pocket);
    return { text: pocket, tone, spoken: `${pocket} ${tone}` };
  },
  art: Art,
  colours: ['#9a2a38', '#3a1018'],
  sample: ['17', '32', '0', '8', '21', '36'],
};
