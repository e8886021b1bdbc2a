import { api } from '../../state/api';
import type { CurrencyView } from '../../wire';

/** Finds the server's currencies by code, also those that it had before. */
export async function currencyFinder(): Promise<(code: string) => CurrencyView> {
  const { currencies, former_currencies: former } = await api.serverInfo();
  const known = new Map([...former, ...currencies].map((currency) => [currency.code, currency]));
  return (code) => known.get(code) ?? { code, name: code, decimals: 0, symbol: code, play_money: true };
}
