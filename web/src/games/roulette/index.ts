import type { RouletteView } from './wire';
import { coup } from '../../kits/coup';
import Layout from './Layout.svelte';
import Scene from './Scene.svelte';
import { SPIN_MS } from './spin';
import { cameUp, spun } from './view';

export const drawing = coup<RouletteView>({
  Layout,
  Scene,
  Board: () => import('./Board.svelte'),
  arrange: 'beside',
  playing: 'The wheel spins',
  motionMs: (view, did) => (view.pocket && spun(did) ? SPIN_MS : 0),
  cameUp,
  equipment: { title: 'Wheel', phases: ['warning', 'no_more_bets', 'dealing', 'settlement'] },
});
