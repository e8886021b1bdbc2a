import type { Component } from 'svelte';
import type { LiveProps } from '../live/live_player_table.svelte';
import type { TableProps } from '../table/own_player_table.svelte';
import type {
  BetLimits,
  BetView,
  CurrencyView,
  LobbyTable,
  PastResult,
  Phase,
  RoundEvent,
  RoundView,
  Settings,
} from '../wire';

export type { PastResult } from '../wire';

/** The interface that a game's folder exports. `kits/coup` has the tables around it. */

/** The fields that every coup's view has, besides its result. */
export interface CoupView {
  readonly game: string;
  /** The player's; at a live table, where all share one deal, those that returned something once it has ended. */
  readonly bets: readonly BetView[];
  /** Every bet of the table that came up; empty until the coup has ended. */
  readonly won: readonly string[];
  /** The result word of the coup, as in lobby and statistics; empty until it has ended. */
  readonly result: string;
  readonly ended: boolean;
  readonly staked_minor: number;
  readonly returned_minor: number;
}

/** The betting layout. Every bet is a button with an accessible name, reached by keyboard (roving focus, arrows). */
export interface LayoutProps {
  /** All bets of this table with titles, limits and paytable. */
  bets: readonly BetLimits[];
  /** The stake on each bet, in smallest units. */
  stakes: ReadonlyMap<string, number>;
  /** The stake isn't confirmed by the server yet. */
  pending: (bet: string) => boolean;
  /** Why no chips may be placed; empty: they may. */
  closed: string;
  place: (bet: string) => void;
  takeBack: (bet: string) => void;
  /** Call bets: so many chips of the chosen value on each, all or nothing. */
  placeAll: (bets: readonly { readonly bet: string; readonly chips: number }[]) => void;
  /** The table's chips, for drawing stacks. */
  chips: readonly number[];
  currency: CurrencyView;
  /** Once the coup has ended: what each bet of the player's returned; null before. */
  returned: ReadonlyMap<string, number> | null;
  /** The coup returned more than it cost: wins are highlighted. */
  glows: boolean;
  /** Bets that came up, whoever placed them: their spots are lit. */
  won: ReadonlySet<string>;
  /** A refusal to be read at its bet, in two or three words; null: none. */
  message: { readonly bet: string; readonly text: string } | null;
  /** A phone held upright. */
  narrow: boolean;
}

export interface SceneProps<V> {
  /** All bets of this table. */
  bets: readonly BetLimits[];
  /** The result so far; null during betting. */
  view: V | null;
  phase: 'betting' | 'playing' | 'ended';
  /** The events that led to this view, for motion; empty: nothing moves. */
  did: readonly RoundEvent[];
  /** Reduced motion, a replay, or the player skipped it: shown at once. */
  still: boolean;
  fourColours: boolean;
  narrow: boolean;
  /** As in `LobbyTable.cut_card_percent`. */
  cutCard: number | null;
}

export interface BoardProps {
  /** All bets of this table. */
  bets: readonly BetLimits[];
  /** Oldest first. */
  results: readonly PastResult[];
  narrow: boolean;
  /** There is less height than usual. */
  low: boolean;
}

export type Tone = 'red' | 'black' | 'green' | 'blue' | 'gold' | 'plain';

/** A result in the lobby and on boards. */
export interface Mark {
  readonly text: string;
  readonly tone: Tone;
  readonly spoken: string;
}

/**
 * `games/<game>/mark.ts` exports `marks: Marks`: light, because the lobby loads those of all games at once.
 */
export interface Marks {
  readonly mark: (result: string) => Mark;
  /** A few result words that the lobby card of a table draws when nothing is known of it yet. */
  readonly sample: readonly string[];
  /** Hands that it draws instead, such as `AS KD`. */
  readonly cards?: readonly string[];
  /** The light and the dark of the game's pictures in the lobby. */
  readonly colours: readonly [light: string, dark: string];
  /** A picture to draw instead of cards or results. */
  readonly art?: Component;
  /** The game's own keys, and what each does. */
  readonly keys?: readonly (readonly [key: string, does: string])[];
}

/** The equipment that a second camera may show at the game's live tables. */
export interface Equipment {
  /** `Wheel` */
  readonly title: string;
  /** The phases in which it is of more interest than the dealer. */
  readonly phases: readonly Phase[];
}

/** `games/<game>/index.ts` exports `drawing = coup<RouletteView>({...})`: loaded when a table of the game is opened. */
export interface CoupDrawing<V extends CoupView> {
  readonly Layout: Component<LayoutProps>;
  readonly Scene: Component<SceneProps<V>>;
  /** Loaded in parallel with the table. Null: no board. */
  readonly Board: (() => Promise<{ readonly default: Component<BoardProps> }>) | null;
  /** `beside`: scene and board left of the layout; `stacked`: scene, layout and board one under the other. */
  readonly arrange: 'beside' | 'stacked';
  /** The status while the coup is played: `The wheel spins`, `Cards are dealt`. */
  readonly playing: string;
  /** How long the scene moves after `did`, in milliseconds; the result is shown after it. At most 4000. */
  readonly motionMs: (view: V, did: readonly RoundEvent[]) => number;
  /** A sentence for the log and the screen reader, as far as the coup has come: `17, black, odd, low.` */
  readonly cameUp: (view: V) => string;
  readonly equipment?: Equipment;
}

/** The generic tables pass a view only to its own game's drawing. */
export type AnyCoupDrawing = CoupDrawing<any>;

/** A round of the past, as it lay on the table after one of its steps. */
export interface ReplayProps {
  readonly view: RoundView;
  readonly table: LobbyTable;
  readonly settings: Settings;
  readonly currency: CurrencyView;
}

/** The view for the person who deals. No stakes. */
export interface DealtProps {
  readonly round: RoundView;
  /** 0: all share one deal. */
  readonly seats: number;
  readonly names: ReadonlyMap<number, string>;
}

/** The tables of a game, whole. Coups have theirs in common. */
export interface Tables {
  readonly Own: Component<TableProps>;
  readonly Live: Component<LiveProps>;
  readonly Replay: Component<ReplayProps>;
  readonly Dealt: Component<DealtProps>;
}

/** The same, each of them given a game's drawing. */
export type Drawn<D> = {
  readonly [Name in keyof Tables]: Tables[Name] extends Component<infer Props>
    ? Component<Props & { drawing: D }>
    : never;
};

/** The export of a game's folder: its tables and their drawing. */
export interface Drawing {
  readonly tables: Drawn<any>;
  /** Absent: its tables have no second camera. */
  readonly equipment?: Equipment;
}

/** A game in which players decide draws its tables itself: `export const drawing = tables({...})`. */
export const tables = (all: Tables): Drawing => ({ tables: all });
