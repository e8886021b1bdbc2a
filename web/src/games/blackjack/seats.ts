import type { PlayerState } from '../../wire';
import type { BlackjackView, BoxView } from './wire';
import type { LiveOf } from '../../table/rounds';

/** A seat at a table of seats, for the cloth and the strip. */
export interface Seat {
  readonly seat: number;
  /** The occupant's name; empty: free. */
  readonly name: string;
  readonly own: boolean;
  /** It is this seat's turn to decide. */
  readonly turn: boolean;
  /** Its hands, since the bets were closed. */
  readonly box: BoxView | null;
}

export function seatsOf(state: LiveOf<BlackjackView>, mine: PlayerState, count: number): Seat[] {
  return Array.from({ length: count }, (_, seat) => ({
    seat,
    name: state.seats.find((one) => one.seat === seat)?.name ?? '',
    own: mine.seats.includes(seat),
    turn: state.round?.turns.some(({ box }) => box === seat) ?? false,
    box: state.round?.boxes.find(({ box }) => box === seat) ?? null,
  }));
}
