import type { FootballStudioView } from './wire';
import type { HighCards } from '../../kits/two_hands/high_card';

const WON = { home: 'first', away: 'second', draw: 'tie' } as const;

export const highCards = ({ home, away, winner }: FootballStudioView): HighCards => ({
  first: home,
  second: away,
  won: winner && WON[winner],
});
