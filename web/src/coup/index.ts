/** The tables that all games of coups have in common; what is drawn on them is the game's own drawing. */
import Dealt from './CoupDealt.svelte';
import Own from './CoupTable.svelte';
import Replay from './CoupReplay.svelte';
import Live from './LiveCoup.svelte';

export const TABLES = { Own, Live, Replay, Dealt };
