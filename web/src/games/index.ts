/** The games' client folders, found by their file names. Code outside a folder doesn't name its game. */
import type { Drawing, Marks } from './drawing';

const MARKS = import.meta.glob<{ marks: Marks }>('./*/mark.ts', { eager: true });
const DRAWINGS = import.meta.glob<{ drawing: Drawing }>('./*/index.ts');

const PLAIN: Marks = {
  mark: (result) => ({ text: result, tone: 'plain', spoken: result }),
  sample: [],
  colours: ['#4a5d69', '#1b262d'],
};

/** A game's result marks for the lobby; without a folder, the plain result words. */
export const marksOf = (game: string): Marks => MARKS[`./${game}/mark.ts`]?.marks ?? PLAIN;

/** Fetches a game's drawing; one without a folder is a coup drawn plainly. */
export async function gameOf(name: string): Promise<Drawing> {
  const found = DRAWINGS[`./${name}/index.ts`];
  return (await (found ? found() : import('../kits/coup/plain'))).drawing;
}
