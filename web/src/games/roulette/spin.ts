/**
 * Motion of wheel and ball. Angles are degrees clockwise, 0 on top; the wheel stops with the winning pocket on
 * top. `lift` is the ball's distance from the centre: 1 on the track, 0 in its pocket.
 */
export interface Pose {
  readonly wheel: number;
  readonly ball: number;
  readonly lift: number;
}

export const SPIN_MS = 3800;
/** One turn of wheel and ball while nothing has come up yet. */
export const WHEEL_TURN_MS = 3600;
export const BALL_TURN_MS = 1100;

const FRAMES = 72;
/** Fractions of the time at which the ball leaves the track and settles in its pocket. */
const LEAVES = 0.58;
const LIES = 0.8;
const HOPS = 2;
/** Minimum turns, in degrees. The ball goes round the track three times before it leaves it. */
const WHEEL_LEAST = 200;
const ON_TRACK_LEAST = 3 * 360;
/** The ball slows down by this power of the time left. */
const SLOWING = 1.7;
const BALL_LEAST = ON_TRACK_LEAST / (1 - (1 - LEAVES / LIES) ** SLOWING);

/** The min angle of at min `min` that ends `to` modulo a turn. */
const turnTo = (to: number, min: number) => min + ((((to - min) % 360) + 360) % 360);

/** The wheel's angle when the pocket at `place` of so many is on top. */
export const restOf = (place: number, pockets: number): number => (-360 * place) / pockets;

/** Out of the track it falls and hops lower each time. */
function liftAt(time: number): number {
  if (time <= LEAVES) return 1;
  const falling = Math.min(1, (time - LEAVES) / (LIES - LEAVES));
  const hop = Math.abs(Math.cos(falling * Math.PI * (HOPS - 0.5)));
  return hop * (1 - falling) ** 1.5;
}

/** Poses at equal intervals from now to rest in `SPIN_MS`. The ball runs against the wheel. */
export function landing(now: Pick<Pose, 'wheel' | 'ball'>, rest: number): readonly Pose[] {
  const wheelWay = turnTo(rest - now.wheel, WHEEL_LEAST);
  const end = now.wheel + wheelWay;
  const wheelAt = (time: number) => end - wheelWay * (1 - time) ** 2;
  // Once in its pocket, the ball turns with the wheel until both stop.
  const caught = wheelAt(LIES) - end;
  const ballWay = turnTo(now.ball - caught, BALL_LEAST);
  const ballAt = (time: number) =>
    time >= LIES ? wheelAt(time) - end : caught + ballWay * (1 - time / LIES) ** SLOWING;
  return Array.from({ length: FRAMES + 1 }, (_, frame) => {
    const time = frame / FRAMES;
    return { wheel: wheelAt(time), ball: ballAt(time), lift: liftAt(time) };
  });
}
