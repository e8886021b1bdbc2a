import { expect, it } from 'vitest';
import type { LobbyTable } from '../wire';
import { limitsIn, whereTaken } from './currencies';

const table = (title: string, ...codes: string[]) =>
  ({ title, limits: codes.map((currency) => ({ currency })) }) as unknown as LobbyTable;
const TABLES = [table('Roulette', 'GC', 'EUR'), table('Classic', 'GC'), table('Infinite', 'EUR', 'GC')];
const money = (code: string, name: string) => ({ code, name, decimals: 2, symbol: code, play_money: true });

it.each([
  ['GC', 'Gold Coins', 'Every table takes Gold Coins.'],
  ['EUR', 'Euro', 'Every table takes Euro except Classic. You play there in another currency.'],
  ['USD', 'US dollar', 'No table takes US dollar. Tables are played in a currency they take.'],
])('says which tables take %s', (code, name, words) => {
  expect(whereTaken(TABLES, money(code, name))).toBe(words);
});

it('tells limits in the chosen currency, or else in one that the table takes', () => {
  expect(limitsIn(table('Infinite', 'EUR', 'USD'), 'USD')?.currency).toBe('USD');
  expect(limitsIn(table('Infinite', 'EUR', 'USD'), 'GC')?.currency).toBe('EUR');
});

it('names the tables that take it where they are fewer', () => {
  const few = [...TABLES, table('Premium', 'SC'), table('Studio', 'SC')];
  expect(whereTaken(few, money('SC', 'Sweeps Coins'))).toBe(
    'Premium and Studio take Sweeps Coins. You play at other tables in another currency.',
  );
});
