import type { BetLimits } from '../../wire';

/** The parts of the layout in order: bet kind, and how many fit side by side on a phone. */
const SECTIONS = [
  { kind: 'even_chance', title: 'Even chances', across: 4 },
  { kind: 'double', title: 'Doubles', across: 6 },
  { kind: 'any_triple', title: 'Any triple', across: 1 },
  { kind: 'triple', title: 'Triples', across: 6 },
  { kind: 'total', title: 'Totals', across: 7 },
  { kind: 'combination', title: 'Two dice', across: 5 },
  { kind: 'single', title: 'One die', across: 6 },
] as const;

export interface Section {
  readonly kind: (typeof SECTIONS)[number]['kind'];
  readonly title: string;
  readonly across: number;
  readonly bets: readonly BetLimits[];
}

export const sectionsOf = (bets: readonly BetLimits[]): readonly Section[] =>
  SECTIONS.map((section) => ({ ...section, bets: bets.filter(({ kind }) => kind === section.kind) }));

/** The dice that a spot shows: as many of each face as the bet is about. */
const SHOWN: Readonly<Record<string, (faces: readonly number[]) => readonly number[]>> = {
  double: ([face]) => [face!, face!],
  triple: ([face]) => [face!, face!, face!],
  pair: (faces) => faces,
  single: (faces) => faces,
};

export function diceOf(bet: string): readonly number[] {
  const [kind, ...faces] = bet.split('_');
  return SHOWN[kind!]?.(faces.map(Number)) ?? [];
}

const ODDS = /\d+:\d+/;

/** The odds of a bet, or the first and the last of several: `8:1`, `1:1–3:1`. */
export function oddsOf({ pays }: BetLimits): string {
  const odds = pays.map((line) => ODDS.exec(line)?.[0] ?? '');
  return [...new Set([odds[0], odds.at(-1)])].join('–');
}

/** Label of a spot next to its dice. */
const PRINTED: Readonly<Record<string, string>> = {
  small: 'Small',
  big: 'Big',
  odd: 'Odd',
  even: 'Even',
  any_triple: 'Any triple',
};

export const printed = ({ bet }: BetLimits): string =>
  PRINTED[bet] ?? (bet.startsWith('total_') ? bet.slice('total_'.length) : '');

/** The totals of an even chance that is about them. */
export const RANGES: Readonly<Record<string, string>> = { small: '4–10', big: '11–17' };
