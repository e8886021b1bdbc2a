import type { FootballStudioView } from './wire';
import type { Met } from '../../kits/two_hands/high_card';

const WON = { home: 'first', away: 'second', draw: 'tie' } as const;

export const met = ({ home, away, winner }: FootballStudioView): Met => ({
  first: home,
  second: away,
  won: winner && WON[winner],
});
