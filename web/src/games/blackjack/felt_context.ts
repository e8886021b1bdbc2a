import type { Moves } from '../../table/card_moves';
import type { Tag } from '../../table/tags';
import type { CurrencyView, LobbyTable } from '../../wire';
import type { Layout } from './layout';

/** Rendering parameters shared by everything on the cloth. */
export interface FeltContext {
  readonly layout: Layout;
  readonly chips: readonly number[];
  readonly currency: CurrencyView;
  readonly called: LobbyTable['called'];
  readonly fourColours: boolean;
  readonly ended: boolean;
  /** Whether a box is the player's and the round returned more than it cost, so that its wins are highlighted. */
  readonly glows: (box: number) => boolean;
  readonly moves: Moves;
  readonly passedMs: number;
  readonly tag: (stakeMinor: number, returnedMinor: number | null) => Tag;
}
