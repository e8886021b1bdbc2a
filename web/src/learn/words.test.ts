import { describe, expect, test } from 'vitest';
import type { DecisionReview, JurisdictionProfile } from '../wire';
import { mayLearn } from './allowed';
import { adviceWords, cost, judgedWords, totalWords, worth } from './words';

const OPTIONS = [
  { action: 'hit', worth: -0.534676 },
  { action: 'stand', worth: -0.540954 },
  { action: 'double', worth: -1.069351 },
];
const WHERE = { round: 'r', turn: 5, box: 0, hand: 0 };
const TOTAL = { decisions: 12, mistakes: 1, cost: 0.13 };
const JUDGED: DecisionReview = {
  ...WHERE,
  action: 'stand',
  best: 'hit',
  cost: 0.006278,
  advised: false,
  options: OPTIONS,
  total: TOTAL,
};
const allowing = (advice: JurisdictionProfile['advice']) => ({ advice }) as JurisdictionProfile;

describe('learning in words', () => {
  test('advice names the best option first, and what each is worth', () => {
    const advice = { ...WHERE, best: 'hit', options: OPTIONS };
    expect(adviceWords(advice)).toBe('Best is hit −0.535. Others: stand −0.541, double −1.069.');
    expect(adviceWords(advice, 'Box 2: ')).toMatch(/^Box 2: Best is hit/);
  });

  test('a mistake is shown with its cost, a good decision as good', () => {
    expect(judgedWords(JUDGED)).toBe('Better: hit (−0.535). Stand (−0.541) cost 0.006.');
    expect(judgedWords({ ...JUDGED, action: 'hit', cost: 0 })).toBe('Hit was the best decision (−0.535).');
  });

  test('small costs are not called nothing, and zero has no sign', () => {
    expect(cost(0.0002)).toBe('less than 0.001');
    expect(worth(-0.0001)).toBe('0.000');
    expect(worth(0.19)).toBe('+0.190');
  });

  test('one mistake is one, and twelve are many', () => {
    expect(totalWords(TOTAL)).toBe('12 decisions, 1 mistake, 0.130 lost');
  });

  test('the profile says where', () => {
    expect(mayLearn(allowing('none'), true)).toBe(false);
    expect(mayLearn(allowing('play_money'), true)).toBe(true);
    expect(mayLearn(allowing('play_money'), false)).toBe(false);
    expect(mayLearn(allowing('own_tables'), false)).toBe(true);
  });
});
