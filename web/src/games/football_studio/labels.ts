import type { Labels } from '../../kits/two_hands/labels';

export const LABELS: Labels = {
  first: { title: 'Home', letter: 'H', tone: 'red' },
  second: { title: 'Away', letter: 'A', tone: 'blue' },
  tie: { title: 'Draw', letter: '=', tone: 'green' },
};
