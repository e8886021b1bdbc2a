/** The racetrack: the wheel's pockets in their order round a ring with straight sides, and its sections inside. */
export interface Shape {
  /** From end to end, and from side to side. */
  readonly width: number;
  readonly height: number;
  /** Width of the ring. */
  readonly ring: number;
  /** A quarter turned: the first pocket is on top. */
  readonly upright: boolean;
}

/** The box around the whole track. */
export const sizeOf = ({ width, height, upright }: Shape) =>
  upright ? { width: height, height: width } : { width, height };

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A part of the track as a polygon: the box around it and, within that, its outline, all in percent. */
export interface Part {
  readonly box: string;
  readonly outline: string;
  /** The same as an SVG path in the shape's own units. */
  readonly path: string;
  /** Position of the label, in percent of the box. */
  readonly middle: Point;
}

interface Leg {
  readonly long: number;
  readonly at: (gone: number, inset: number) => Point;
}

/** The four legs clockwise, from the middle of the right end; lengths are those of the ring's middle line. */
function legs({ width, height, ring }: Shape): readonly Leg[] {
  const outer = height / 2;
  const radius = outer - ring / 2;
  const side = width - height;
  const turn = (centre: number, start: number) => (gone: number, inset: number) => ({
    x: centre + (outer - inset) * Math.cos(start + gone / radius),
    y: outer + (outer - inset) * Math.sin(start + gone / radius),
  });
  const quarter = (Math.PI * radius) / 2;
  return [
    { long: quarter, at: turn(width - outer, 0) },
    { long: side, at: (gone, inset) => ({ x: width - outer - gone, y: height - inset }) },
    { long: 2 * quarter, at: turn(outer, Math.PI / 2) },
    { long: side, at: (gone, inset) => ({ x: outer + gone, y: inset }) },
    { long: quarter, at: turn(width - outer, 1.5 * Math.PI) },
  ];
}

/** A point of the ring: `part` of the way round it, `inset` from its outer edge. */
export function pointAt(shape: Shape, part: number, inset: number): Point {
  const all = legs(shape);
  let gone = (((part % 1) + 1) % 1) * all.reduce((sum, { long }) => sum + long, 0);
  for (const { long, at } of all) {
    if (gone <= long) return at(gone, inset);
    gone -= long;
  }
  return all[0]!.at(0, inset);
}

/** Points from one part of the way to another, near enough for an end to look round. */
const STEPS = 6;
const line = (shape: Shape, from: number, to: number, inset: number): readonly Point[] =>
  Array.from({ length: STEPS + 1 }, (_, step) => pointAt(shape, from + ((to - from) * step) / STEPS, inset));

const percent = (value: number) => `${Math.round(value * 1000) / 10}%`;

function part(shape: Shape, outline: readonly Point[], centre: Point): Part {
  const turned = ({ x, y }: Point) => (shape.upright ? { x: y, y: shape.width - x } : { x, y });
  const [points, middle, size] = [outline.map(turned), turned(centre), sizeOf(shape)];
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const within = ({ x, y }: Point) => ({ x: (x - left) / wide, y: (y - top) / high });
  const corner = (point: Point) => `${percent(within(point).x)} ${percent(within(point).y)}`;
  return {
    box: [
      `left:${percent(left / size.width)};top:${percent(top / size.height)}`,
      `width:${percent(wide / size.width)};height:${percent(high / size.height)}`,
    ].join(';'),
    outline: `polygon(${points.map(corner).join(',')})`,
    path: `M${points.map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`).join('L')}Z`,
    middle: { x: within(middle).x * 100, y: within(middle).y * 100 },
  };
}

/** Start of the pocket at `place` as a fraction of the ring; the first pocket is centred on the right end. */
const start = (place: number, pockets: number) => (place - 0.5) / pockets;

/** The pocket at `place` of so many. */
export function pocketPart(shape: Shape, place: number, pockets: number): Part {
  const [from, to] = [start(place, pockets), start(place + 1, pockets)];
  const points = [...line(shape, from, to, 0), ...line(shape, to, from, shape.ring)];
  return part(shape, points, pointAt(shape, (from + to) / 2, shape.ring / 2));
}

/** The runs of neighbouring places among those chosen of a ring; a run may go through its beginning. */
export function runs(chosen: readonly boolean[]): readonly (readonly [from: number, to: number])[] {
  const { length } = chosen;
  const starts = chosen.flatMap((is, place) => (is && !chosen.at(place - 1) ? [place] : []));
  return starts.map((from) => {
    let to = from;
    while (chosen[(to + 1) % length] && to - from < length) to += 1;
    return [from, to];
  });
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The area inside the ring next to the chosen pockets. */
export function sectionPart(shape: Shape, chosen: readonly boolean[]): Part {
  const points = runs(chosen).flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, step) => from + step).flatMap((place) =>
      line(shape, start(place, chosen.length), start(place + 1, chosen.length), shape.ring),
    ),
  );
  return part(shape, points, { x: mean(points.map(({ x }) => x)), y: shape.height / 2 });
}
