import type { Moves } from '../../table/card_moves';
import type { Tag } from '../../table/tags';
import type { CurrencyView, LobbyTable } from '../../wire';
import type { Layout } from './layout';

/** What everything on the cloth is drawn with. */
export interface FeltContext {
  readonly layout: Layout;
  readonly chips: readonly number[];
  readonly currency: CurrencyView;
  readonly called: LobbyTable['called'];
  readonly fourColours: boolean;
  readonly ended: boolean;
  /** The round brought the player more than it cost, and this box is the player's: its wins stand out. */
  readonly glows: (box: number) => boolean;
  readonly moves: Moves;
  readonly passedMs: number;
  readonly tag: (stakeMinor: number, returnedMinor: number | null) => Tag;
}
