import type { BaccaratView } from './wire';
import { coup } from '../../kits/coup';
import { dealMs } from '../../kits/two_hands/deal';
import Layout from './Layout.svelte';
import Scene from './Scene.svelte';
import { cameUp } from './came_up';

export const drawing = coup<BaccaratView>({
  Layout,
  Scene,
  Board: () => import('./Board.svelte'),
  arrange: 'stacked',
  playing: 'Cards are dealt',
  motionMs: ({ player, banker }, did) => dealMs(player.cards.length, banker.cards.length, did),
  cameUp,
});
