import type { DragonTigerView } from './wire';
import type { Met } from '../../kits/two_hands/high_card';

const WON = { dragon: 'first', tiger: 'second', tie: 'tie' } as const;

export const met = ({ dragon, tiger, winner }: DragonTigerView): Met => ({
  first: dragon,
  second: tiger,
  won: winner && WON[winner],
});
