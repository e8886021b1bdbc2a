/** Addresses of a game's history and of a round. */
export const historyOf = (table: string): string =>
  table ? `/history/game/${encodeURIComponent(table)}` : '/history';
export const roundAt = (round: string): string => `/history/${encodeURIComponent(round)}`;
