import type { Parties } from '../../kits/two_hands/labels';

export const PARTIES: Parties = {
  first: { title: 'Dragon', letter: 'D', tone: 'red' },
  second: { title: 'Tiger', letter: 'T', tone: 'gold' },
  tie: { title: 'Tie', letter: '=', tone: 'green' },
};
