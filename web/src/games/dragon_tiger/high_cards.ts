import type { DragonTigerView } from './wire';
import type { HighCards } from '../../kits/two_hands/high_card';

const WON = { dragon: 'first', tiger: 'second', tie: 'tie' } as const;

export const highCards = ({ dragon, tiger, winner }: DragonTigerView): HighCards => ({
  first: dragon,
  second: tiger,
  won: winner && WON[winner],
});
