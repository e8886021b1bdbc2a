import type { Parties } from '../sides/parties';

export const PARTIES: Parties = {
  first: { title: 'Home', letter: 'H', tone: 'red' },
  second: { title: 'Away', letter: 'A', tone: 'blue' },
  tie: { title: 'Draw', letter: '=', tone: 'green' },
};
