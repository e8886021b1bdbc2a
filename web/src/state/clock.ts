/** The server's clock as seen from here: the offset of the fastest of the last ten answers. */
export interface Sample {
  readonly sentMs: number;
  readonly heardMs: number;
  readonly serverMs: number;
}

const KEPT = 10;
const trip = (sample: Sample) => sample.heardMs - sample.sentMs;

export function kept(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...samples, sample].slice(-KEPT);
}

/** Milliseconds to add to this computer's clock; 0 before the first answer. */
export function offsetMs(samples: readonly Sample[]): number {
  const [first, ...rest] = samples;
  if (!first) return 0;
  const best = rest.reduce((fastest, sample) => (trip(sample) < trip(fastest) ? sample : fastest), first);
  return best.serverMs - (best.sentMs + best.heardMs) / 2;
}
