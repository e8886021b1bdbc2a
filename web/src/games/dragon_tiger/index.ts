import type { DragonTigerView } from './wire';
import { coup } from '../../coup';
import { cameUp, motionMs } from '../sides/high_card';
import Layout from './Layout.svelte';
import Scene from './Scene.svelte';
import { met } from './met';
import { PARTIES } from './parties';

export const drawing = coup<DragonTigerView>({
  Layout,
  Scene,
  Board: () => import('./Board.svelte'),
  arrange: 'stacked',
  playing: 'Cards are dealt',
  motionMs: (view, did) => motionMs(met(view), did),
  cameUp: (view) => cameUp(met(view), PARTIES),
});
