/** The server's clock as seen from here: the offset of the fastest of the last ten answers. */
export interface Sample {
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly serverMs: number;
}

const SAMPLES_MAX = 10;
const roundTripMs = (sample: Sample) => sample.receivedMs - sample.sentMs;

export function keepSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...samples, sample].slice(-SAMPLES_MAX);
}

/** Milliseconds to add to this computer's clock; 0 before the first answer. */
export function offsetMs(samples: readonly Sample[]): number {
  const [first, ...rest] = samples;
  if (!first) return 0;
  const fastest = rest.reduce(
    (fastest, sample) => (roundTripMs(sample) < roundTripMs(fastest) ? sample : fastest),
    first,
  );
  return fastest.serverMs - (fastest.sentMs + fastest.receivedMs) / 2;
}
