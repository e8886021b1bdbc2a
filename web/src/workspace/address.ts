/** The address names the open tables, `/table/classic+infinite`, so that a reload restores them. */
export const TABLES_MAX = 4;
const BETWEEN = '+';

/** The tables an address names, each once. */
export function tablesIn(id: string): readonly string[] {
  return [...new Set(id.split(BETWEEN).filter(Boolean))];
}

export function addressOf(tables: readonly string[]): string {
  return tables.length ? `/table/${tables.map(encodeURIComponent).join(BETWEEN)}` : '/';
}

/** The address with one table more; the same one isn't opened twice. */
export function beside(tables: readonly string[], table: string): string {
  return addressOf([...new Set([...tables, table])]);
}

/** The address with one table in place of another. */
export function replaced(tables: readonly string[], old: string, table: string): string {
  const others = tables.map((one) => (one === old ? table : one));
  return addressOf(tables.includes(old) ? others : [...tables, table]);
}

export function without(tables: readonly string[], table: string): string {
  return addressOf(tables.filter((other) => other !== table));
}

/** After a table was left, its neighbour is the active one. */
export function neighbour(tables: readonly string[], table: string): string {
  const at = tables.indexOf(table);
  return tables[at + 1] ?? tables[at - 1] ?? '';
}
