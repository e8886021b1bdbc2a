import type { Mark, Marks } from '../drawing';

/** The dealer's final result: `18`, `blackjack`, `bust`. */
const SIGNS: Readonly<Record<string, Pick<Mark, 'text' | 'tone'>>> = {
  blackjack: { text: 'BJ', tone: 'gold' },
  bust: { text: '✕', tone: 'red' },
};

export const marks: Marks = {
  mark: (result) => ({ text: result, tone: 'plain', ...SIGNS[result], spoken: `dealer ${result}` }),
  colours: ['#1f7a5c', '#0a2e24'],
  sample: [],
  cards: ['AS KD', 'QC AD', 'TH AC', '9S 9D', 'AH JS', 'KH AS'],
  keys: [
    ['H', 'hit'],
    ['S', 'stand'],
    ['D', 'double'],
    ['P', 'split'],
    ['I / N', 'insurance: yes / no'],
    ['E', 'even money'],
    ['B', 'advice, where it is switched on'],
  ],
};
