/** Whether the window shows different tables; adding one to the others is no change. */
export function changesTable(before: readonly string[], now: readonly string[]): boolean {
  return before.length > 0 && !now.some((table) => before.includes(table));
}
