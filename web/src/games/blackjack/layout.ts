import { across, clamp, handHeight, handWidth, rowsOf } from '../../table/card_sizes';

/**
 * Layout of the cloth: the largest cards at which all hands fit, computed from the cloth's size alone. Lengths
 * are CSS pixels.
 */
export interface Cloth {
  readonly width: number;
  readonly height: number;
  /** Boxes of the table, played or not. */
  readonly boxes: number;
  /** For each box in play: the number of cards in each of its hands. */
  readonly hands: readonly (readonly number[])[];
  readonly dealerCards: number;
  /** Lines of insurance and side bets under the box that has most. */
  readonly lines: number;
  /** Bets that a box takes: the main one and its side bets. */
  readonly bets: number;
  /** Characters of the longest amount beside a total. */
  readonly figures: number;
  /** The room that the status line takes in its corner. */
  readonly status: number;
}

export interface Layout {
  /** Dealer beside the boxes instead of above: for low, wide cloths. */
  readonly beside: boolean;
  /** Empty boxes keep their place. */
  readonly empties: boolean;
  /** Before the deal the places of the first cards are printed. */
  readonly places: boolean;
  readonly card: number;
  readonly dealerCard: number;
  /** Hands in a row of boxes. */
  readonly columns: number;
  /** More than fits even so: the boxes scroll. */
  readonly scrolls: boolean;
  /** Cards side by side before a hand starts its next row. */
  readonly across: number;
  readonly dealerAcross: number;
  /** Diameter of a betting spot. */
  readonly spot: number;
  /** No room for spots: a hand's stake is shown next to its total. */
  readonly flat: boolean;
  /** Total and stake of a flat hand don't fit side by side: the stake goes below. */
  readonly stacked: boolean;
  /** The room of one hand from side to side. */
  readonly cell: number;
  /** The status line has a row of its own, for there is no corner for it. */
  readonly statusRow: boolean;
  /** How far the outer boxes are raised into an arc. */
  readonly lift: number;
  /** The width left for the print between raised boxes. */
  readonly print: number;
}

const LARGEST = 104;
const SMALLEST = 36;
/** Larger cards leave room for a third beside them: only smaller ones are folded into rows of two. */
const GOOD = 56;
const PADDING = 12;
const HAND_GAP = 24;
const FLAT_GAP = 12;
/** Below the cards: frame, total, room for the figures under a spot. */
const FOOT = 65;
const FLAT_FOOT = 43;
/** The widest total, a figure of the stake beside it, and the line it takes below. */
const TOTAL_WIDTH = 62;
const FIGURE = 8;
const STAKE_LINE = 22;
const PILL = 34;
const CAPTION = 18;
const LINE = 34;
/** Width of a side bet with its result. */
const LINE_WIDTH = 158;
const PRINT = 104;
const DEALER_SIDE = 0.3;
const ROW_GAP = 10;
/**
 * Maximum spread of the boxes; padding of a hand; arc heights below and beside the print; minimum width of the
 * print.
 */
const MOST_ACROSS = 1240;
const HAND_PADDING = 18;
const SHALLOW = 44;
const DEEP = 0.3;
const LEAST_PRINT = 430;
/** How much higher the print is at its sides than in its middle. */
const BOW = 30;
const STATUS = 38;
/** Between the upper corners. */
const DEALER_WIDTH = 200;
const LEAST_SPOT = 46;
const MOST_SPOT = 92;
export const SPOTS_ACROSS = 3;
const SPOT_GAP = 10;
/** Below the spots of a box. */
const SPOTS_FOOT = 19 + CAPTION;

const spotOf = (card: number) => clamp(48, card * 0.88, MOST_SPOT);
/** A side bet's spot beside the main one's, as Ring.svelte draws it. */
export const sideSpot = (spot: number) => Math.max(44, spot * 0.68);

const handsIn = (box: readonly number[]) => box.length;

interface Style {
  readonly empties: boolean;
  readonly beside: boolean;
  readonly print: boolean;
  readonly flat: boolean;
}

interface Try extends Style {
  readonly cloth: Cloth;
  readonly hands: readonly (readonly number[])[];
  readonly dealerCard: number;
}

const hasCorner = ({ width, status }: Cloth) => width >= 2 * status + DEALER_WIDTH;

function dealerHeight({ cloth, dealerCard }: Try): number {
  const status = hasCorner(cloth) ? 0 : STATUS;
  return (
    handHeight(cloth.dealerCards, dealerCard, across(cloth.width - 2 * PADDING, dealerCard)) + PILL + status
  );
}

const roomFor = ({ cloth, beside }: Try) => cloth.width * (beside ? 1 - DEALER_SIDE : 1) - 2 * PADDING;
const gapOf = ({ flat }: Style) => (flat ? FLAT_GAP : HAND_GAP);

const cellOf = (tried: Try, columns: number) => roomFor(tried) / columns - gapOf(tried);

function isStacked({ flat, cloth: { figures } }: Try, cell: number): boolean {
  return flat && cell < TOTAL_WIDTH + figures * FIGURE;
}

/** Height of everything below the cards of a hand. */
function footHeight(tried: Try, card: number, cell: number): number {
  const { cloth, flat } = tried;
  const caption = cloth.boxes > 1 ? CAPTION : 0;
  const stake = isStacked(tried, cell) ? STAKE_LINE : 0;
  const rows = Math.ceil(cloth.lines / Math.max(1, Math.floor(cell / LINE_WIDTH)));
  return (flat ? FLAT_FOOT + stake : FOOT + spotOf(card)) + caption + rows * LINE + ROW_GAP;
}

/** Return how many cards of this width fit side by side in so many columns, or 0 if the hands don't fit. */
function fit(tried: Try, card: number, columns: number): number {
  const cell = cellOf(tried, columns);
  const perRow = across(cell, card);
  const narrow = tried.flat && cell < Math.max(TOTAL_WIDTH, tried.cloth.figures * FIGURE);
  if (narrow || perRow < (card > GOOD ? 3 : 2)) return 0;
  const rows = rowsOf(tried.hands, handsIn, columns).map((row) =>
    Math.max(...row.flat().map((cards) => handHeight(cards, card, perRow))),
  );
  const height = rows.reduce((sum, row) => sum + row + footHeight(tried, card, cell), 0);
  const above = tried.beside ? 0 : dealerHeight(tried) + (tried.print ? PRINT : 0);
  return height + above + 2 * PADDING <= tried.cloth.height ? perRow : 0;
}

interface Found {
  readonly card: number;
  readonly across: number;
  readonly columns: number;
}

const widestBox = ({ hands }: Try) => Math.max(...hands.map(handsIn));

function largest(tried: Try): Found | null {
  const all = tried.hands.flat().length;
  for (let card = LARGEST; card >= SMALLEST; card -= 2)
    for (let columns = all; columns >= widestBox(tried); columns -= 1) {
      const perRow = fit(tried, card, columns);
      if (perRow) return { card, across: perRow, columns };
    }
  return null;
}

function dealerCardOf({ width, height }: Cloth, beside: boolean): number {
  return beside
    ? clamp(44, Math.min((width * DEALER_SIDE) / 2.4, height * 0.3), 84)
    : clamp(50, Math.min(width * 0.17, height * 0.145), 88);
}

type Arc = Pick<Layout, 'lift' | 'print'>;

/** Choose a shallow arc below the print, or a deeper one whose ends flank the print if that fits. */
function arcOf(tried: Try, found: Found): Arc {
  const { cloth, hands } = tried;
  const flat = { lift: 0, print: cloth.width };
  if (tried.beside || cloth.boxes < 3 || rowsOf(hands, handsIn, found.columns).length > 1) return flat;
  const tallest = Math.max(...hands.flat().map((cards) => handHeight(cards, found.card, found.across)));
  const used = tallest + footHeight(tried, found.card, cellOf(tried, found.columns)) + 3 * PADDING;
  const left = cloth.height - used - dealerHeight(tried);
  const shallow = clamp(0, left - PRINT * 2, SHALLOW);
  const deep = Math.min(cloth.height * DEEP, cloth.height - used - STATUS);
  const print = besidePrint(tried, found, left - PRINT + BOW, deep);
  return deep > shallow && print >= LEAST_PRINT ? { lift: deep, print } : { ...flat, lift: shallow };
}

/** Twice the way from the middle to the innermost hand that an arc so deep lifts above what is free. */
function besidePrint({ cloth, hands }: Try, found: Found, free: number, deep: number): number {
  const cell = Math.min(cloth.width - 2 * PADDING, MOST_ACROSS) / found.columns;
  const wide = (cards: number) => handWidth(cards, found.card, found.across) + HAND_PADDING;
  let at = (-cell * found.columns) / 2;
  const inner = hands.flatMap((box, place) => {
    const middle = at + (box.length * cell) / 2;
    at += box.length * cell;
    const rises = deep * risen(place, hands.length) > free;
    return rises ? [Math.abs(middle) - (box.length * wide(Math.max(...box))) / 2] : [];
  });
  return Math.min(cloth.width, ...inner.map((from) => 2 * from));
}

/** Share of the arc's height by which a box is raised: 0 in the middle, 1 at the ends. */
export function risen(place: number, boxes: number): number {
  const middle = (boxes - 1) / 2;
  return middle ? ((place - middle) / middle) ** 2 : 0;
}

interface Choice {
  readonly tried: Try;
  readonly found: Found | null;
}

function attempt(cloth: Cloth, style: Style): Choice {
  const missing = Array.from({ length: style.empties ? cloth.boxes - cloth.hands.length : 0 }, () => [2]);
  const hands = [...cloth.hands, ...missing];
  const dealerCard = dealerCardOf(cloth, style.beside);
  const tried = { cloth, hands: hands.length ? hands : [[2]], dealerCard, ...style };
  return { tried, found: largest(tried) };
}

const ROOMY: Style = { empties: true, beside: false, print: true, flat: false };
const STYLES: readonly Style[] = [
  { ...ROOMY, empties: false },
  { empties: false, beside: true, print: false, flat: false },
  { empties: false, beside: false, print: false, flat: false },
  { empties: false, beside: false, print: false, flat: true },
  { empties: false, beside: true, print: false, flat: true },
];

/** Beside the dealer there must be room for more than a hand. */
const wide = ({ width, height }: Cloth) => width > 520 && width > height;

/** Spots are given up, and a row added, only for cards that would be too small without. */
function worth({ tried, found }: Choice): number {
  if (!found) return 0;
  const rows = rowsOf(tried.hands, handsIn, found.columns).length;
  return Math.min(found.card, tried.flat ? GOOD : 72) - 4 * (rows - 1);
}

/** The style with the largest cards, the earlier one where two are as good. */
export function layout(cloth: Cloth): Layout {
  const roomy = attempt(cloth, ROOMY);
  const best =
    roomy.found && roomy.found.card >= 64
      ? roomy
      : STYLES.filter(({ beside }) => !beside || wide(cloth))
          .map((style) => attempt(cloth, style))
          .reduce((a, b) => (worth(b) > worth(a) ? b : a));
  const placement = best.found ? described(best.tried, best.found) : scrolled(cloth);
  if (cloth.hands.length) return placement;
  return { ...placement, empties: true, ...opened(cloth, best, best === roomy) };
}

/** When nothing fits, the boxes scroll below a fixed dealer, with cards of readable size. */
function scrolled(cloth: Cloth): Layout {
  const { tried } = attempt(cloth, {
    ...ROOMY,
    empties: false,
    flat: true,
    beside: wide(cloth),
  });
  const cell = GOOD * 1.6 + FLAT_GAP;
  const columns = Math.max(...tried.hands.map(handsIn), Math.floor(roomFor(tried) / cell));
  const perRow = Math.max(2, across(roomFor(tried) / columns - FLAT_GAP, GOOD));
  return { ...described(tried, { card: GOOD, across: perRow, columns }), scrolls: true };
}

const spots = () => Array.from({ length: MOST_SPOT - LEAST_SPOT + 1 }, (_, less) => MOST_SPOT - less);

/** From side to side of a box's spots. */
function blockWidth(spot: number, bets: number): number {
  const sides = Math.min(bets, SPOTS_ACROSS) - 1;
  return spot + sides * (sideSpot(spot) + SPOT_GAP) + (sides ? 8 : 12);
}

/** Before the deal there are only spots: in one row where a finger can still hit each, else in two. */
function opened(
  cloth: Cloth,
  { tried }: Choice,
  roomy: boolean,
): Pick<Layout, 'places' | 'spot'> & Partial<Arc> {
  const height = tried.beside ? cloth.height * 0.5 : cloth.height * 0.16;
  const fits = (perRow: number) => (spot: number) => blockWidth(spot, cloth.bets) * perRow <= roomFor(tried);
  const row = spots().find(fits(cloth.boxes));
  if (row) return { places: roomy, spot: clamp(LEAST_SPOT, Math.min(row, height), MOST_SPOT) };
  return { places: false, spot: inRows(tried), lift: 0, print: cloth.width };
}

/** The largest spot with which all boxes fit, in as many rows as it takes. */
function inRows(tried: Try): number {
  const { cloth } = tried;
  const room = cloth.height - 2 * PADDING - (tried.beside ? 0 : dealerHeight(tried));
  const tall = (spot: number) => Math.ceil(cloth.bets / SPOTS_ACROSS) * (spot + SPOT_GAP) + SPOTS_FOOT;
  const perRow = (spot: number) => Math.max(1, Math.floor(roomFor(tried) / blockWidth(spot, cloth.bets)));
  const fits = (spot: number) => Math.ceil(cloth.boxes / perRow(spot)) * tall(spot) <= room;
  return spots().find(fits) ?? LEAST_SPOT;
}

function described(tried: Try, found: Found): Layout {
  const { cloth, beside } = tried;
  const dealerCard = beside ? Math.min(tried.dealerCard, Math.max(found.card, 48)) : tried.dealerCard;
  const cell = cellOf(tried, found.columns);
  const dealerRoom = (beside ? cloth.width * DEALER_SIDE : cloth.width) - 2 * PADDING;
  return {
    beside,
    empties: tried.empties,
    places: false,
    flat: tried.flat,
    stacked: isStacked(tried, cell),
    cell,
    card: found.card,
    dealerCard,
    columns: found.columns,
    scrolls: false,
    across: found.across,
    dealerAcross: across(dealerRoom, dealerCard),
    spot: spotOf(found.card),
    statusRow: beside || !hasCorner(cloth),
    ...arcOf(tried, found),
  };
}
