/** Motion of dice. Times in milliseconds. */
export const ROLL_MS = 1700;
/** Delay of each die's rest after the one before. */
const AFTER_MS = 160;
const FIRST_MS = ROLL_MS - 2 * AFTER_MS;

/** Rotation about two axes, different for each die so that no two tumble alike. */
const TURNS = [
  [900, -540],
  [-720, 900],
  [540, 1080],
] as const;
/** Starting point of each die, in die edges. */
const FROM = [
  [-2.2, -1.6],
  [0.3, -2.4],
  [2.2, -1.4],
] as const;

const FRAMES = 28;

/** Heights of two hops, the second lower. */
const hop = (time: number) => Math.abs(Math.cos(time * Math.PI * 2.5)) * (1 - time) ** 2;

export interface Tumble {
  readonly duration: number;
  readonly frames: readonly { readonly transform: string }[];
}

/** Keyframes of the die at `place` until it rests. */
export function tumble(place: number): Tumble {
  const [turnX, turnY] = TURNS[place % TURNS.length]!;
  const [fromX, fromY] = FROM[place % FROM.length]!;
  const at = (time: number) => {
    const left = (1 - time) ** 2;
    const move = `translate(calc(var(--die) * ${(fromX * left).toFixed(3)}), calc(var(--die) * ${(fromY * left - hop(time)).toFixed(3)}))`;
    return {
      transform: `${move} rotateX(${(turnX * left).toFixed(1)}deg) rotateY(${(turnY * left).toFixed(1)}deg)`,
    };
  };
  return {
    duration: FIRST_MS + place * AFTER_MS,
    frames: Array.from({ length: FRAMES + 1 }, (_, frame) => at(frame / FRAMES)),
  };
}
