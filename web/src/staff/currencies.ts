import { api } from '../state/api';
import { server } from '../state/server.svelte';

/** Fetch what the players' components need to show amounts and rounds; staff have no player's connection. */
export async function fetchServerInfo(): Promise<void> {
  [server.info, server.tables] = await Promise.all([api.serverInfo(), api.tables()]);
}
