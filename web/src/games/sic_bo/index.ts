import type { SicBoView } from './wire';
import { coup } from '../../kits/coup';
import Layout from './Layout.svelte';
import Scene from './Scene.svelte';
import { ROLL_MS } from './roll';
import { cameUp, rolled } from './view';

export const drawing = coup<SicBoView>({
  Layout,
  Scene,
  Board: () => import('./Board.svelte'),
  arrange: 'beside',
  playing: 'The dice are rolled',
  motionMs: (view, did) => (view.dice.length && rolled(did) ? ROLL_MS : 0),
  cameUp,
});
