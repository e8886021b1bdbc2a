import { insideOf } from './bets';

/**
 * Position of each bet on the layout. The unit is a number's cell; x runs along the twelve streets, y down over
 * the three columns, with the zeros at x < 0. On a phone the layout is upright, see `upright`.
 */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Area {
  readonly x: Span;
  readonly y: Span;
}

/** From the zeros to the column bets, from the third column to the even chances. */
export const EXTENT: Area = { x: { from: -1, to: 13 }, y: { from: 0, to: 4.6 } };

const ROWS = 3;
const DOZENS: Span = { from: 3, to: 3.8 };
const CHANCES: Span = { from: DOZENS.to, to: EXTENT.y.to };
const CHANCES_IN_ORDER = ['low', 'even', 'red', 'black', 'odd', 'high'];

const span = (from: number, length: number): Span => ({ from, to: from + length });

function zeros(pockets: readonly string[]): (readonly [string, Area])[] {
  const found = pockets.filter((pocket) => Number(pocket) === 0).sort();
  const high = ROWS / found.length;
  return found.map((zero, up) => [zero, { x: span(-1, 1), y: span(ROWS - high * (up + 1), high) }]);
}

const cell = (number: number): Area => ({
  x: span(Math.ceil(number / ROWS) - 1, 1),
  y: span((ROWS - (number % ROWS)) % ROWS, 1),
});

/** The cell of each pocket. */
export function cells(pockets: readonly string[]): ReadonlyMap<string, Area> {
  const numbers = pockets.filter((pocket) => Number(pocket) > 0);
  return new Map([...numbers.map((number) => [number, cell(Number(number))] as const), ...zeros(pockets)]);
}

const common = (spans: readonly Span[]): Span => ({
  from: Math.max(...spans.map(({ from }) => from)),
  to: Math.min(...spans.map(({ to }) => to)),
});

/** If the cells have no common point, the bet is on the line that closes them off. */
const EDGE: Span = { from: ROWS, to: ROWS };

/** An inside bet is placed where the cells of its pockets meet: the cell, an edge or a corner. */
function inside(areas: readonly Area[]): Area {
  const y = common(areas.map((area) => area.y));
  return { x: common(areas.map((area) => area.x)), y: y.from > y.to ? EDGE : y };
}

function outside(bet: string): Area | null {
  const [kind, place] = bet.split('_');
  if (kind === 'column') return { x: span(12, 1), y: span(ROWS - Number(place), 1) };
  if (kind === 'dozen') return { x: span(4 * (Number(place) - 1), 4), y: DOZENS };
  const chance = CHANCES_IN_ORDER.indexOf(bet);
  return chance < 0 ? null : { x: span(2 * chance, 2), y: CHANCES };
}

/** A bet's area; null for a name not on this layout. */
export function areaOf(bet: string, at: ReadonlyMap<string, Area>): Area | null {
  const pockets = insideOf(bet);
  if (!pockets) return outside(bet);
  const areas = pockets.map((pocket) => at.get(pocket));
  return areas.every((area) => area !== undefined) ? inside(areas) : null;
}

const turned = ({ from, to }: Span): Span => ({ from: ROWS - to, to: ROWS - from });

/** The layout a quarter turned: zeros on top, the dozens to the left of the numbers. */
export const upright = ({ x, y }: Area): Area => ({ x: turned(y), y: x });

const share = (value: number, { from, to }: Span) => ((value - from) / (to - from)) * 100;
/** On an edge a bet's target reaches over it on both sides. */
const start = (at: Span, extent: Span, edge: string) =>
  at.from < at.to ? `${share(at.from, extent)}%` : `calc(${share(at.from, extent)}% - ${edge})`;
const length = (at: Span, extent: Span, edge: string) =>
  at.from < at.to ? `${share(at.to, extent) - share(at.from, extent)}%` : `calc(2 * ${edge})`;

/** CSS position inside a box of the layout's size; `--edge-x` and `--edge-y` are half the width of an edge's target. */
export function placed(area: Area, extent: Area): string {
  const position = `left:${start(area.x, extent.x, 'var(--edge-x)')};top:${start(area.y, extent.y, 'var(--edge-y)')}`;
  const size = `width:${length(area.x, extent.x, 'var(--edge-x)')};height:${length(area.y, extent.y, 'var(--edge-y)')}`;
  return `${position};${size}`;
}

/** Stacking order of targets: edges above cells, corners on top. */
export const layer = ({ x, y }: Area): number => 1 + Number(x.from === x.to) + Number(y.from === y.to);
