/** The chat window's position: docked to a side of the tables or floating above them. Lengths are CSS pixels. */
export const DOCKS = [
  { dock: 'left', label: 'On the left' },
  { dock: 'right', label: 'On the right' },
  { dock: 'bottom', label: 'Below' },
  { dock: 'float', label: 'Floating' },
] as const;
export type Dock = (typeof DOCKS)[number]['dock'];

export interface Place {
  readonly dock: Dock;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Floating, it begins at the right edge: a place outside is moved in. */
export const DEFAULT_PLACE: Place = { dock: 'right', x: 10_000, y: 60, width: 300, height: 380 };
const SIZE_MIN: Size = { width: 240, height: 190 };
/** The tables keep at least half of the window. */
const MOST_SHARE = 0.5;

const within = (value: number, min: number, max: number) => Math.max(Math.min(Math.round(value), max), min);

/** The same place, inside a window that may have become smaller. */
export function inside(place: Place, room: Size): Place {
  const share = place.dock === 'float' ? 1 : MOST_SHARE;
  const width = within(place.width, SIZE_MIN.width, Math.max(SIZE_MIN.width, room.width * share));
  const height = within(place.height, SIZE_MIN.height, Math.max(SIZE_MIN.height, room.height * share));
  return {
    ...place,
    width,
    height,
    x: within(place.x, 0, Math.max(0, room.width - width)),
    y: within(place.y, 0, Math.max(0, room.height - height)),
  };
}

/** The size left to the tables next to the chat. */
export function remainingSize({ dock, width, height }: Place, room: Size): Size {
  if (dock === 'float') return room;
  return dock === 'bottom'
    ? { ...room, height: room.height - height }
    : { ...room, width: room.width - width };
}

export function moved(place: Place, dx: number, dy: number, room: Size): Place {
  return inside({ ...place, x: place.x + dx, y: place.y + dy }, room);
}

/** Drags the edge that looks at the tables: a docked window has one, a floating one its lower right corner. */
export function resized(place: Place, dx: number, dy: number, room: Size): Place {
  const [wider, higher] = GROWS[place.dock];
  const { width, height } = place;
  return inside({ ...place, width: width + wider * dx, height: height + higher * dy }, room);
}

const GROWS: Readonly<Record<Dock, readonly [wider: number, higher: number]>> = {
  left: [1, 0],
  right: [-1, 0],
  bottom: [0, -1],
  float: [1, 1],
};

const STEP = 16;
const ARROWS: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** The drag that an arrow key stands for; null for all other keys. */
export const step = (key: string) => ARROWS[key] ?? null;

/** The place saved by an earlier visit, or the default. */
export function savedPlace(text: string | null): Place {
  try {
    const saved = JSON.parse(text ?? '') as Place;
    const known = DOCKS.some(({ dock }) => dock === saved.dock);
    const whole = [saved.x, saved.y, saved.width, saved.height].every(Number.isFinite);
    return known && whole ? saved : DEFAULT_PLACE;
  } catch {
    return DEFAULT_PLACE;
  }
}
