import type { DragonTigerView } from './wire';
import { coup } from '../../kits/coup';
import { cameUp, motionMs } from '../../kits/two_hands/high_card';
import Layout from './Layout.svelte';
import Scene from './Scene.svelte';
import { highCards } from './high_cards';
import { LABELS } from './labels';

export const drawing = coup<DragonTigerView>({
  Layout,
  Scene,
  Board: () => import('./Board.svelte'),
  arrange: 'stacked',
  playing: 'Cards are dealt',
  motionMs: (view, did) => motionMs(highCards(view), did),
  cameUp: (view) => cameUp(highCards(view), LABELS),
});
