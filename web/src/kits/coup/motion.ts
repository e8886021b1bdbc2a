import type { AnyCoupDrawing, CoupView } from '../../games/drawing';
import type { Motion } from '../../table/reveal.svelte';

/** A coup moves as a whole: its result is shown after the scene. */
export const coupMotion = ({ motionMs }: AnyCoupDrawing): Motion<CoupView> => ({
  moments: (view, did) => [motionMs(view, did)],
  drawn: (view) => view,
});
