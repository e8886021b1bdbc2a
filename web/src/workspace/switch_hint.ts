/**
 * Explain what choosing a table in the lobby does while others are open. `room`: how many more; `max`: the
 * maximum.
 */
export function switchWords(title: string, room: number, max: number): string {
  return `You’re still at your tables. Choose a table to switch to it from ${title}.${addWords(room, max)}`;
}

function addWords(room: number, max: number): string {
  if (room) return ' “+ Table” opens it beside your other tables.';
  return max > 1 ? ' Leave one to open another beside the rest.' : '';
}
