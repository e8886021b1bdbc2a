/** The games' client folders, found by their files: nothing outside a folder knows its game by name. */
import type { Component } from 'svelte';
import type { AnyCoupDrawing, Drawing, Marks, Tables } from './drawing';

const MARKS = import.meta.glob<{ marks: Marks }>('./*/mark.ts', { eager: true });
const DRAWINGS = import.meta.glob<{ drawing: Drawing }>('./*/index.ts');

const PLAIN: Marks = {
  mark: (result) => ({ text: result, tone: 'plain', spoken: result }),
  sample: [],
  colours: ['#4a5d69', '#1b262d'],
};

/** How the lobby writes a game's results; a game without a folder has its result words. */
export const marksOf = (game: string): Marks => MARKS[`./${game}/mark.ts`]?.marks ?? PLAIN;

/** What a table of a game is made of: `drawing` is handed on to each of the components. */
export interface Game {
  readonly drawing: Drawing;
  readonly tables: { readonly [Name in keyof Tables]: Drawn<Tables[Name]> };
}
type Drawn<C> = C extends Component<infer Props> ? Component<Props & { drawing: Drawing }> : never;

/** Fetches a game; one without a folder is a coup drawn plainly. */
export async function gameOf(name: string): Promise<Game> {
  const found = DRAWINGS[`./${name}/index.ts`];
  const drawing = found ? (await found()).drawing : (await import('../coup/plain')).drawing;
  return drawing.kind === 'tables' ? { drawing, tables: drawing } : coupOf(drawing);
}

async function coupOf(drawing: AnyCoupDrawing): Promise<Game> {
  const { TABLES } = await import('../coup');
  // They are only ever given a coup's drawing: this one.
  return { drawing, tables: TABLES as unknown as Game['tables'] };
}
