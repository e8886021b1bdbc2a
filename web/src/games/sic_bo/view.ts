import type { RoundEvent } from '../../wire';
import type { SicBoView } from './wire';
import { spoken } from './dice';

/** The dice have just fallen. */
export const rolled = (did: readonly RoundEvent[]): boolean => did.some(({ what }) => what === 'rolled');

/** `1, 3 and 6, total 10, small, even`; empty before the dice have fallen. */
export const cameUp = ({ dice }: SicBoView): string => (dice.length ? spoken(dice) : '');
