import type { Spot } from '../../table/betting';

/** Arrow keys over the betting spots: left and right to another box, up and down to another bet of it. */
type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

const STEPS: Readonly<Record<string, { box: number; bet: number }>> = {
  ArrowLeft: { box: -1, bet: 0 },
  ArrowRight: { box: 1, bet: 0 },
  ArrowUp: { box: 0, bet: -1 },
  ArrowDown: { box: 0, bet: 1 },
} satisfies Partial<Record<Arrow, { box: number; bet: number }>>;

const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));

/** The spot a key leads to; null for a key that leads nowhere. */
export function moved(from: Spot, key: string, boxes: number, bets: readonly string[]): Spot | null {
  const first = bets[0] ?? from.bet;
  if (key === 'Home') return { box: 0, bet: first };
  if (key === 'End') return { box: boxes - 1, bet: first };
  const step = STEPS[key];
  if (!step) return null;
  // With a single box, left and right move over its bets.
  const over = boxes === 1 ? step.bet + step.box : step.bet;
  const bet = bets[within(bets.indexOf(from.bet) + over, bets.length)] ?? from.bet;
  return { box: within(from.box + step.box, boxes), bet };
}

/** The same where only some boxes can be walked over. */
export function movedAmong(
  places: readonly number[],
  from: Spot,
  key: string,
  bets: readonly string[],
): Spot | null {
  const next = moved({ ...from, box: places.indexOf(from.box) }, key, places.length, bets);
  return next && { ...next, box: places[next.box] ?? from.box };
}
