/** The tables that all games of coups have in common; what is drawn on them is the game's own drawing. */
import type { AnyCoupDrawing, CoupDrawing, CoupView, Drawing, Drawn } from '../../games/drawing';
import Dealt from './CoupDealt.svelte';
import Own from './OwnCoupTable.svelte';
import Replay from './CoupReplay.svelte';
import Live from './LiveCoupTable.svelte';

const TABLES: Drawn<AnyCoupDrawing> = { Own, Live, Replay, Dealt };

/** A game's drawing on these tables, which come with it. */
export const coup = <V extends CoupView>(drawing: CoupDrawing<V>): Drawing & CoupDrawing<V> => ({
  tables: TABLES,
  ...drawing,
});
