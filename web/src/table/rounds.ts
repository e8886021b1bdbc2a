import type { LiveState, PlayedRound, RoundView } from '../wire';

/** What the view of a round tells whatever the game. */
export type AnyView = Pick<RoundView, 'ended' | 'staked_minor' | 'returned_minor'>;

export const netOf = (view: Paid): number => view.returned_minor - view.staked_minor;

/** How far a win stands out: a return that isn't more than the stake is none, and 10 to 1 is a big one. */
export type Gain = 0 | 1 | 2 | 3;
export function gainOf(stakeMinor: number, returnedMinor: number): Gain {
  const odds = (returnedMinor - stakeMinor) / stakeMinor;
  if (!(odds > 0)) return 0;
  return odds < 3 ? 1 : odds < 10 ? 2 : 3;
}

type Paid = Omit<AnyView, 'ended'>;

/** A round that brought more than it cost: only then do its wins stand out. */
export const isWon = (view: AnyView | null | undefined): boolean => !!view?.ended && netOf(view) > 0;

/** How the end of a round sounds. */
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

/** The decisions that are open: none in a game in which nobody decides. */
export const turnsIn = (view: RoundView | null): readonly Turn[] =>
  view && 'turns' in view ? (view.turns as readonly Turn[]) : [];
