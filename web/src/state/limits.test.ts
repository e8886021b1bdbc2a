import { expect, test } from 'vitest';
import type { CurrencyLimits } from '../wire';
import { playableLimits } from './limits';

const of = (...codes: string[]): CurrencyLimits[] =>
  codes.map((currency) => ({ currency, chips_minor: [], table_max_minor: null, bets: [] }));
const HELD = [{ code: 'GC' }, { code: 'EUR' }];

test('limits are told in the chosen currency, or else in one that a player can hold', () => {
  expect(playableLimits(of('GC', 'EUR'), 'EUR', HELD)?.currency).toBe('EUR');
  expect(playableLimits(of('USD', 'EUR'), 'GC', HELD)?.currency).toBe('EUR');
  expect(playableLimits(of('USD'), 'GC', HELD)).toBeUndefined();
});
