import type { LiveState, PlayedRound, RoundView } from '../wire';

/** The fields common to the views of all games. */
export type AnyView = Pick<RoundView, 'ended' | 'staked_minor' | 'returned_minor'>;

export const netOf = (view: Paid): number => view.returned_minor - view.staked_minor;

/** How strongly a win is highlighted: 0 if the return isn't more than the stake, 3 from 10 to 1. */
export type Gain = 0 | 1 | 2 | 3;
export function gainOf(stakeMinor: number, returnedMinor: number): Gain {
  const odds = (returnedMinor - stakeMinor) / stakeMinor;
  if (!(odds > 0)) return 0;
  return odds < 3 ? 1 : odds < 10 ? 2 : 3;
}

type Paid = Omit<AnyView, 'ended'>;

/** Whether the round returned more than it cost; only then are wins highlighted. */
export const isWon = (view: AnyView | null | undefined): boolean => !!view?.ended && netOf(view) > 0;

/** The sound of a round's end. */
export const endOf = ({ staked_minor, returned_minor }: Paid) =>
  (['end', 'win', 'win', 'big win'] as const)[gainOf(staked_minor, returned_minor)];

/** A round of a game whose view is known. */
export type Played<V> = Omit<PlayedRound, 'view'> & { readonly view: V };

/** A live table of a game whose view is known. */
export type LiveOf<V> = Omit<LiveState, 'round'> & { readonly round: V | null };

/** A decision that is open: of which hand. What may be decided is the game's affair. */
export interface Turn {
  readonly box: number;
  readonly hand: number;
}

/** The open decisions: none in a game without decisions. */
export const turnsIn = (view: RoundView | null): readonly Turn[] =>
  view && 'turns' in view ? (view.turns as readonly Turn[]) : [];
