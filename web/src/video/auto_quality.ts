/** The choice of a layer by what arrives, in steps of STEP_MS. The media server doesn't choose for its viewers. */
import type { PictureLayer } from '../wire';

export type Layer = PictureLayer;
export const STEP_MS = 2_000;
/** Lowest first. */
const LAYERS: readonly Layer[] = ['low', 'medium', 'high'];
const LOST_MAX = 0.05;
/** Growth of the jitter buffer from one step to the next that shows a queue in the network. */
const BUFFER_GROWTH_MS_MAX = 150;
/** Steps without trouble before the next layer is tried; doubled whenever that fails. */
const QUIET_STEPS = 10;
const QUIET_STEPS_MAX = 80;
/** A step down within so many steps means that the layer tried was too high. */
const TRIAL_STEPS = 5;

/** What has arrived since the last step. */
export interface Arrived {
  readonly freezes: number;
  readonly lost: number;
  readonly received: number;
  /** Mean time in the jitter buffer. */
  readonly bufferMs: number;
}

export class AutoQuality {
  layer: Layer;
  #quiet = 0;
  #wanted = QUIET_STEPS;
  #bufferMs = 0;
  #sinceUp = TRIAL_STEPS + 1;

  constructor(first: Layer) {
    this.layer = first;
  }

  /** Return the layer to receive from now on; `max` is the highest that is useful. */
  step(arrived: Arrived, max: Layer): Layer {
    const at = LAYERS.indexOf(this.layer);
    const most = LAYERS.indexOf(max);
    this.#sinceUp += 1;
    if (this.#isBad(arrived)) return this.#down(at);
    this.#quiet += 1;
    if (at > most) return this.limit(max);
    if (this.#quiet >= this.#wanted && at < most) this.#up(at);
    return this.layer;
  }

  /** Return the layer, not above `max`. */
  limit(max: Layer): Layer {
    if (LAYERS.indexOf(this.layer) > LAYERS.indexOf(max)) this.layer = max;
    return this.layer;
  }

  #isBad({ freezes, lost, received, bufferMs }: Arrived): boolean {
    const grown = this.#bufferMs > 0 && bufferMs - this.#bufferMs > BUFFER_GROWTH_MS_MAX;
    this.#bufferMs = bufferMs;
    return freezes > 0 || grown || lost > LOST_MAX * (lost + received);
  }

  #down(at: number): Layer {
    if (this.#sinceUp <= TRIAL_STEPS) this.#wanted = Math.min(2 * this.#wanted, QUIET_STEPS_MAX);
    this.#quiet = 0;
    this.#bufferMs = 0;
    return (this.layer = LAYERS[Math.max(0, at - 1)]!);
  }

  #up(at: number): void {
    this.#quiet = 0;
    this.#bufferMs = 0;
    this.#sinceUp = 0;
    this.layer = LAYERS[at + 1]!;
  }
}

/** The highest layer of use for a picture of this height, in device pixels. */
export const layerFor = (height: number): Layer => (height > 400 ? 'high' : height > 220 ? 'medium' : 'low');
