import type { CurrencyLimits, CurrencyView, LobbyTable } from '../wire';

const LIST = new Intl.ListFormat('en-GB');
const titles = (tables: readonly LobbyTable[]) => LIST.format(tables.map(({ title }) => title));

export const takes = ({ limits }: LobbyTable, code: string): boolean =>
  limits.some(({ currency }) => currency === code);

/** A table's limits in the chosen currency, or else in the first that it takes. */
export const limitsIn = ({ limits }: LobbyTable, chosen: string): CurrencyLimits | undefined =>
  limits.find(({ currency }) => currency === chosen) ?? limits[0];

/** Describe which tables take a currency, naming the shorter list: those that do or those that don't. */
export function whereTaken(tables: readonly LobbyTable[], { code, name }: CurrencyView): string {
  const taking = tables.filter((table) => takes(table, code));
  const others = tables.filter((table) => !takes(table, code));
  if (!others.length) return `Every table takes ${name}.`;
  if (!taking.length) return `No table takes ${name}. Tables are played in a currency they take.`;
  if (taking.length > others.length)
    return `Every table takes ${name} except ${titles(others)}. You play there in another currency.`;
  return `${titles(taking)} ${taking.length > 1 ? 'take' : 'takes'} ${name}. You play at other tables in another currency.`;
}
