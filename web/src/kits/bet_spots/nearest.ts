/** Choose the spot that an arrow key moves to, by position. Lengths are CSS pixels. */
export interface Rect {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Direction {
  readonly upright: boolean;
  readonly sign: 1 | -1;
}

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowRight: { upright: false, sign: 1 },
  ArrowLeft: { upright: false, sign: -1 },
  ArrowDown: { upright: true, sign: 1 },
  ArrowUp: { upright: true, sign: -1 },
};

type Interval = readonly [from: number, to: number];

const along = (spot: Rect, upright: boolean): Interval =>
  upright ? [spot.top, spot.bottom] : [spot.left, spot.right];
const middle = ([from, to]: Interval) => (from + to) / 2;
const outside = (value: number, [from, to]: Interval) => Math.max(0, from - value, value - to);

/** Beside a spot is better than further on: a step to the side costs as much as three ahead. */
const ASIDE = 3;
/** Of two equally distant spots, prefer the one whose middle is nearer. */
const BIAS = 0.01;
const DISTANCE_MIN = 1;

/** Distance from `from` to `to` in that direction; infinite if it is elsewhere. */
function distance(from: Rect, to: Rect, { upright, sign }: Direction): number {
  const ahead = sign * (middle(along(to, upright)) - middle(along(from, upright)));
  if (ahead < DISTANCE_MIN) return Infinity;
  const [here, there] = [along(from, !upright), along(to, !upright)];
  const gap = Math.min(outside(middle(here), there), outside(middle(there), here));
  return ahead + ASIDE * gap + BIAS * Math.abs(middle(here) - middle(there));
}

/** The place among `spots` that `key` leads to from `from`; -1 for none, or a key that is no arrow. */
export function nearest(from: Rect, spots: readonly Rect[], key: string): number {
  const direction = DIRECTIONS[key];
  if (!direction) return -1;
  const far = spots.map((spot) => distance(from, spot, direction));
  const min = Math.min(...far);
  return Number.isFinite(min) ? far.indexOf(min) : -1;
}
