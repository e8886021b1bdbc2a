import { whose } from '../state/whose';

/** Addresses of a table's history, of a game's, and of a round. */
export const historyOf = (table: string): string =>
  table ? `/history/game/${encodeURIComponent(table)}` : '/history';
/** The history of all tables of a game. */
export const historyOfGame = (game: string): string => `/history/games/${encodeURIComponent(game)}`;
export const roundAt = (round: string): string => `${whose.rounds}/${encodeURIComponent(round)}`;
/** The address of a shared replay, for anybody. */
export const replayAt = (token: string): string => `${location.origin}/replay/${token}`;
