import { covered, straight } from './bets';

/** Bets named by a part of the wheel. Each is so many chips on each of its bets. */
export interface Chips {
  readonly bet: string;
  readonly chips: number;
}

export interface Call {
  readonly name: string;
  readonly title: string;
  readonly bets: readonly Chips[];
}

const one = (...bets: string[]): readonly Chips[] => bets.map((bet) => ({ bet, chips: 1 }));
const two = (...bets: string[]): readonly Chips[] => bets.map((bet) => ({ bet, chips: 2 }));

const CALLS: readonly Call[] = [
  {
    name: 'voisins',
    title: 'Voisins',
    bets: [
      ...two('street_0_2_3'),
      ...one('split_4_7', 'split_12_15', 'split_18_21', 'split_19_22'),
      ...two('corner_25_26_28_29'),
      ...one('split_32_35'),
    ],
  },
  {
    name: 'orphelins',
    title: 'Orphelins',
    bets: one('straight_1', 'split_6_9', 'split_14_17', 'split_17_20', 'split_31_34'),
  },
  {
    name: 'tiers',
    title: 'Tiers',
    bets: one('split_5_8', 'split_10_11', 'split_13_16', 'split_23_24', 'split_27_30', 'split_33_36'),
  },
  { name: 'zero', title: 'Zero', bets: one('split_0_3', 'split_12_15', 'straight_26', 'split_32_35') },
];

/** The calls of a table: all of them where it has every bet that they are made of, else none. */
export function callsOf(bets: readonly { readonly bet: string }[]): readonly Call[] {
  const offered = new Set(bets.map(({ bet }) => bet));
  return CALLS.every((call) => call.bets.every(({ bet }) => offered.has(bet))) ? CALLS : [];
}

/** The pockets that a call covers. */
export const coveredBy = (call: Call, wheel: readonly string[]): ReadonlySet<string> =>
  new Set(call.bets.flatMap(({ bet }) => covered(bet, wheel)));

/** Total number of chips of a call. */
export const chipsOf = ({ bets }: Pick<Call, 'bets'>): number =>
  bets.reduce((sum, { chips }) => sum + chips, 0);

export const NEIGHBOURS_MAX = 9;

/** A pocket with `each` pockets on both sides of it, clockwise. */
export function neighbours(pocket: string, each: number, wheel: readonly string[]): readonly string[] {
  const at = wheel.indexOf(pocket) + wheel.length;
  return Array.from({ length: 2 * each + 1 }, (_, step) => wheel[(at - each + step) % wheel.length]!);
}

/** One chip on each of them, straight up. */
export const neighbourBets = (pocket: string, each: number, wheel: readonly string[]): readonly Chips[] =>
  one(...neighbours(pocket, each, wheel).map(straight));
