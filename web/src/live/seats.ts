import type { OccupiedSeat } from '../wire';

/** `You` for the player's only seat; the name for several own seats and for others. */
export function seatName(seats: readonly OccupiedSeat[], own: readonly number[], box: number): string {
  if (own.includes(box)) return own.length > 1 ? `Your seat ${box + 1}` : 'You';
  return seats.find(({ seat }) => seat === box)?.name ?? `Seat ${box + 1}`;
}
