import type { RoundEvent } from '../../wire';
import type { RouletteView } from './wire';
import { traits } from './bets';

/** The ball has just come to rest. */
export const spun = (did: readonly RoundEvent[]): boolean => did.some(({ what }) => what === 'spun');

const ZEROS: Readonly<Record<string, string>> = { '0': 'zero', '00': 'double zero' };

/** `17, black, odd, low`, or `zero`; empty before the ball has come to rest. */
export const cameUp = ({ pocket }: RouletteView): string =>
  pocket && [ZEROS[pocket] ?? pocket, ...traits(pocket)].join(', ');
