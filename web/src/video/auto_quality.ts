/** The choice of a layer by what arrives, in steps of STEP_MS. The media server doesn't choose for its viewers. */
import type { PictureLayer } from '../wire';

export type Layer = PictureLayer;
export const STEP_MS = 2_000;
/** Lowest first. */
const LAYERS: readonly Layer[] = ['low', 'medium', 'high'];
const LOST_MAX = 0.05;
/** Growth of the jitter buffer from one step to the next that shows a queue in the network. */
const BUFFER_GROWTH_MS_MAX = 150;
/** Below this share of the frames that the dealer sends, the network or the decoder can't keep up. */
const FRAMES_MIN = 0.5;
/** Steps with too few frames before it counts: the dealer's camera may only have stopped for a moment. */
const SLOW_STEPS = 2;
/** From step to step, a rate of frames that no longer arrives is forgotten: a camera sends fewer in the dark. */
const FRAMES_KEPT = 0.9;
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
  /** Frames decoded a second. */
  readonly framesPerS: number;
  readonly bitsPerS: number;
  /** The browser's estimate of what the network carries; 0: it has none. */
  readonly availableBitsPerS: number;
}

export interface Auto {
  readonly layer: Layer;
  /** Steps without trouble, and how many of them the next layer takes. */
  readonly quiet: number;
  readonly wanted: number;
  readonly sinceUp: number;
  /** Of the last step; 0: unknown. */
  readonly bufferMs: number;
  /** Estimate of the frames that the dealer sends a second. */
  readonly sentPerS: number;
  /** Steps in a row with too few frames. */
  readonly slow: number;
}

export const autoFrom = (layer: Layer): Auto => ({
  layer,
  quiet: 0,
  wanted: QUIET_STEPS,
  sinceUp: TRIAL_STEPS,
  bufferMs: 0,
  sentPerS: 0,
  slow: 0,
});

/** Return the choice after a step; `max` is the highest layer that is of use. */
export function step(before: Auto, arrived: Arrived, max: Layer): Auto {
  // The dealer sends nothing, or the connection is dead: that isn't the layer's fault.
  if (!arrived.received) return before;
  const auto = observe(before, arrived);
  const at = LAYERS.indexOf(auto.layer);
  if (isBad(before, arrived) || auto.slow === SLOW_STEPS) return down(auto, at);
  if (auto.quiet >= auto.wanted && at < LAYERS.indexOf(max))
    return { ...auto, layer: LAYERS[at + 1]!, quiet: 0, bufferMs: 0, sinceUp: 0 };
  return limit(auto, max);
}

/** Return the choice with a layer not above `max`. */
export const limit = (auto: Auto, max: Layer): Auto =>
  LAYERS.indexOf(auto.layer) > LAYERS.indexOf(max) ? { ...auto, layer: max } : auto;

function observe(before: Auto, { bufferMs, framesPerS }: Arrived): Auto {
  const sentPerS = Math.max(framesPerS, FRAMES_KEPT * before.sentPerS);
  const isSlow = framesPerS < FRAMES_MIN * sentPerS;
  return {
    ...before,
    quiet: before.quiet + 1,
    sinceUp: before.sinceUp + 1,
    bufferMs,
    sentPerS,
    slow: isSlow ? before.slow + 1 : 0,
  };
}

function isBad(before: Auto, { freezes, lost, received, bufferMs, bitsPerS, availableBitsPerS }: Arrived) {
  const grown = before.bufferMs > 0 && bufferMs - before.bufferMs > BUFFER_GROWTH_MS_MAX;
  // The estimate is never much above what arrives, so it can't tell whether a higher layer would.
  const congested = availableBitsPerS > 0 && availableBitsPerS < bitsPerS;
  return freezes > 0 || grown || congested || lost > LOST_MAX * (lost + received);
}

/** One layer down. If it has as few frames, the dealer sends no more: so the rate is learned anew. */
const down = (auto: Auto, at: number): Auto => ({
  ...auto,
  layer: LAYERS[Math.max(0, at - 1)]!,
  wanted: auto.sinceUp <= TRIAL_STEPS ? Math.min(2 * auto.wanted, QUIET_STEPS_MAX) : auto.wanted,
  quiet: 0,
  bufferMs: 0,
  sentPerS: auto.slow === SLOW_STEPS ? 0 : auto.sentPerS,
  slow: 0,
});

/** The highest layer of use for a picture of this height, in device pixels. */
export const layerFor = (height: number): Layer => (height > 400 ? 'high' : height > 220 ? 'medium' : 'low');
