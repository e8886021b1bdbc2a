/** Whether other tables are shown than before: one that is added beside changes none. */
export function changesTable(before: readonly string[], now: readonly string[]): boolean {
  return before.length > 0 && !now.some((table) => before.includes(table));
}
