import { house } from '../state/house.svelte';
import { calls } from './calls';

/** Whether an open table waits for the player. */
export const waits = (table: string): boolean => calls(house.slot(table), house.live(table));
