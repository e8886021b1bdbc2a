import type { Labels } from '../../kits/two_hands/labels';

export const LABELS: Labels = {
  first: { title: 'Player', letter: 'P', tone: 'blue' },
  second: { title: 'Banker', letter: 'B', tone: 'red' },
  tie: { title: 'Tie', letter: 'T', tone: 'green' },
};
