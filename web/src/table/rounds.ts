import type { LiveState, PlayedRound, RoundView } from '../wire';

/** What the view of a round tells whatever the game. */
export type AnyView = Pick<RoundView, 'ended' | 'staked_minor' | 'returned_minor'>;

export const netOf = (view: AnyView): number => view.returned_minor - view.staked_minor;

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
