import { rankName } from '../../state/event_words';
import type { Mark, Tone } from '../../games/drawing';
import type { Side, Winner } from '../roads/roads';

/** One of the three that may come up: what it is called, how a result word that it won begins, its colour. */
export interface Label {
  readonly title: string;
  readonly letter: string;
  readonly tone: Tone;
}

export type Labels = Readonly<Record<Winner, Label>>;

/** The winner in a result word such as `P8` or `=77`. */
export function winnerOf(labels: Labels, result: string): Winner {
  const found = (['first', 'second', 'tie'] as const).find((won) => result.startsWith(labels[won].letter));
  if (!found) throw new RangeError(`${result} is no result of this game`);
  return found;
}

/** Hands whose first two cards were a pair, if the game reports it: the small letters at the end of `T6pb`. */
export function pairsOf(labels: Labels, result: string): readonly Side[] {
  const letters = /[a-z]*$/.exec(result)![0];
  return (['first', 'second'] as const).filter((side) => letters.includes(labels[side].letter.toLowerCase()));
}

/** `words` describes the rest of the result word: `with 8`, `king against seven`. */
export const markOf =
  (labels: Labels, words: (won: Winner, rest: string) => { text: string; spoken: string }) =>
  (result: string): Mark => {
    const won = winnerOf(labels, result);
    return { ...words(won, result.slice(labels[won].letter.length)), tone: labels[won].tone };
  };

/** The two cards that met, by the ranks that a result word ends with: `king against seven`. */
export const ranksCompared = (ranks: string): string => [...ranks].map(rankName).join(' against ');
