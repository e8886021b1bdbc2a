import type { Spot, Wanted } from './betting';

/** Place chips, with sound and announcement. */
export interface Placing {
  readonly one: (spot: Spot) => void;
  /** Several at once, all or nothing. */
  readonly all: (wanted: readonly Wanted[]) => void;
}
