import type { Labels } from '../../kits/two_hands/labels';

export const LABELS: Labels = {
  first: { title: 'Dragon', letter: 'D', tone: 'red' },
  second: { title: 'Tiger', letter: 'T', tone: 'gold' },
  tie: { title: 'Tie', letter: '=', tone: 'green' },
};
