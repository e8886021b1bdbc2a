import type { BaccaratView } from './wire';
import { coup } from '../../coup';
import { dealMs } from '../sides/deal';
import Board from './Board.svelte';
import Layout from './Layout.svelte';
import Scene from './Scene.svelte';
import { cameUp } from './cameup';

export const drawing = coup<BaccaratView>({
  Layout,
  Scene,
  Board,
  arrange: 'stacked',
  playing: 'Cards are dealt',
  motionMs: ({ player, banker }, did) => dealMs(player.cards.length, banker.cards.length, did),
  cameUp,
});
