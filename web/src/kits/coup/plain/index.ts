import { coup } from '..';
import type { CoupView } from '../../../games/drawing';
import Layout from './PlainLayout.svelte';
import Scene from './PlainScene.svelte';

/** A game without a folder of its own: its bets by kind, and what came up in words. */
export const drawing = coup<CoupView>({
  Layout,
  Scene,
  Board: null,
  arrange: 'stacked',
  playing: 'Bets are closed',
  motionMs: () => 0,
  cameUp: ({ ended, result }) => (ended ? `Result: ${result}.` : 'Nothing has come up yet.'),
});
