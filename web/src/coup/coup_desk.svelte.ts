import type { AnyCoupDrawing, CoupView } from '../games/drawing';
import { still } from '../table/motion';
import { OwnDesk, type TableProps } from '../table/own_desk.svelte';

/** Longer than this nobody waits for a scene, whatever its drawing says. */
export const SCENE_MS_MAX = 4000;

/** How long what `did` brought moves; nothing moves where the player wants no motion, or isn't looking. */
export function sceneMs(
  { motionMs }: AnyCoupDrawing,
  view: CoupView | null,
  did: Parameters<AnyCoupDrawing['motionMs']>[1],
): number {
  return !view || !did.length || still() ? 0 : Math.min(SCENE_MS_MAX, motionMs(view, did));
}

/** A player's own table of coups: the whole coup comes at once, and is over when its scene has been seen. */
export class CoupDesk extends OwnDesk<CoupView> {
  #seen = $state.raw('');
  #ms: () => number;

  constructor(props: () => TableProps, drawing: AnyCoupDrawing) {
    super(props);
    this.#ms = () => sceneMs(drawing, this.round?.view ?? null, props().did);
  }

  #moving = $derived.by(() => this.round !== null && this.round.id !== this.#seen && this.#ms() > 0);

  override isMoving(): boolean {
    return this.#moving;
  }

  /** The scene has been seen, or the player wants to see no more of it. */
  readonly skip = (): void => {
    this.#seen = this.round?.id ?? '';
  };

  /** Lets the scene end. */
  play(): (() => void) | undefined {
    if (!this.#moving) return;
    const timer = setTimeout(this.skip, this.#ms());
    return () => clearTimeout(timer);
  }
}
