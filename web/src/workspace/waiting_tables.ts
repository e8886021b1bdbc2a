import { server } from '../state/server.svelte';
import { tableWaits } from './turns';

/** Whether an open table waits for the player. */
export const waitsForPlayer = (table: string): boolean => tableWaits(server.slot(table), server.live(table));
