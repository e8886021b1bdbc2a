/** One side of a pair of bets, and how often it won. */
export interface Share {
  readonly name: string;
  readonly percent: number;
  readonly colour: string;
}
export type Pair = readonly [left: Share, right: Share];

/** Percentage of items that match; 0 for none. */
export const percent = <T>(all: readonly T[], isSo: (one: T) => boolean): number =>
  Math.round((100 * all.filter(isSo).length) / Math.max(1, all.length));
