import { server } from '../state/server.svelte';
import { calls } from './turns';

/** Whether an open table waits for the player. */
export const waits = (table: string): boolean => calls(server.slot(table), server.live(table));
