/** The roads in words, for those who don't see them. */
import type { Labels } from '../two_hands/labels';
import { predicted, bigRoad, type Derived, type Side, type Winner } from './roads';

const NEWEST = 12;

export const ROADS: readonly { readonly road: Derived; readonly title: string }[] = [
  { road: 'bigEye', title: 'Big eye boy' },
  { road: 'small', title: 'Small road' },
  { road: 'cockroach', title: 'Cockroach pig' },
];

export type Tally = Readonly<Record<Winner, number>>;

export function tally(won: readonly Winner[]): Tally {
  const count = (one: Winner) => won.filter((other) => other === one).length;
  return { first: count('first'), second: count('second'), tie: count('tie') };
}

/** A shoe's; where each coup has a fresh one, the player's own. */
const coupsOf = (shoe: string) => (shoe ? 'of this shoe' : 'at this table');

/** Describe the results so far: tally, current streak, newest results; `pairs` of all coups. */
export function roadsInWords(
  won: readonly Winner[],
  shoe: string,
  labels: Labels,
  pairs: readonly Side[] = [],
): string {
  if (!won.length) return 'No results yet.';
  const { first, second, tie } = tally(won);
  const counted = `${labels.first.title} ${first}, ${labels.second.title} ${second}, ${labels.tie.title} ${tie}`;
  const newest = won.slice(-NEWEST).reverse();
  return [
    `${won.length} ${won.length === 1 ? 'coup' : 'coups'} ${coupsOf(shoe)}: ${counted}.`,
    streakInWords(won, labels),
    `Newest first: ${newest.map((one) => labels[one].title).join(', ')}.`,
    pairsInWords(pairs, labels),
  ]
    .filter(Boolean)
    .join(' ');
}

function pairsInWords(pairs: readonly Side[], labels: Labels): string {
  const { first, second } = tally(pairs);
  return pairs.length ? `Pairs: ${labels.first.title} ${first}, ${labels.second.title} ${second}.` : '';
}

function streakInWords(won: readonly Winner[], labels: Labels): string {
  const streak = bigRoad(won).at(-1) ?? [];
  const side = streak.at(-1)?.side;
  return side && streak.length > 1 ? `${labels[side].title} ${streak.length} in a row.` : '';
}

/** Describe the derived roads' next marks if `side` won. */
export function askedInWords(won: readonly Winner[], side: Side, labels: Labels): string {
  const next = predicted(won, side);
  const roadWords = ROADS.map(({ road, title }) => `${title.toLowerCase()} ${next[road] ?? 'nothing yet'}`);
  return `If ${labels[side].title} won next: ${roadWords.join(', ')}.`;
}
