import type { Marks, Tone } from '../drawing';
import Art from './Art.svelte';
import { facesOf, spoken, sumOf, type Sum } from './dice';

const TONES: Readonly<Record<Sum['size'], Tone>> = { small: 'blue', big: 'red', triple: 'green' };

/** A roll is marked by its total. */
export const marks: Marks = {
  mark: (result) => {
    const dice = facesOf(result);
    const { total, size } = sumOf(dice);
    return { text: String(total), tone: TONES[size], spoken: spoken(dice) };
  },
  art: Art,
  colours: ['#68409a', '#25143f'],
  sample: ['1-3-6', '4-5-5', '2-2-2', '1-2-4', '3-6-6', '1-4-6'],
};
