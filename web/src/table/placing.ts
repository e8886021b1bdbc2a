import type { Spot, Wanted } from './betting';

/** Placing chips, heard and told as it is done. */
export interface Placing {
  readonly one: (spot: Spot) => void;
  /** Several at once, all or nothing. */
  readonly all: (wanted: readonly Wanted[]) => void;
}
