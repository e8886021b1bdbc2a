import { expect, it } from 'vitest';
import type { BetLimits } from '../wire';
import { groups } from './limits';

const bet = (name: string, kind: string, max_minor = 100, main = true): BetLimits => ({
  bet: name,
  title: `The ${name}`,
  kind,
  main,
  min_minor: 5,
  max_minor,
  pays: ['Win 1:1'],
});
const BETS = [bet('split_1_2', 'split'), bet('split_1_4', 'split'), bet('red', 'even_chance', 900)];

it('puts together what is alike, under the name of its kind', () =>
  expect(groups(BETS).map(({ title, count }) => [title, count])).toEqual([
    ['Split', 2],
    ['The red', 1],
  ]));

it('keeps apart what has other limits, and what is of no kind', () => {
  expect(groups([...BETS, bet('split_2_5', 'split', 50)])).toHaveLength(3);
  expect(groups([bet('main', ''), bet('pairs', '')]).map(({ title }) => title)).toEqual([
    'The main',
    'The pairs',
  ]);
});
