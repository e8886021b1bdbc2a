import type { Decision } from '../../state/server.svelte';
import type { LivePlayerTable } from '../../live/live_player_table.svelte';
import type { PlayerDecision } from '../../wire';
import type { BlackjackView } from './wire';
import { Decisions } from './decisions.svelte';
import { aheadTurn, turnsOf } from './own_view';
import { playTurn } from './view_queries';

/** Decisions at a live table: timed, in advance of the turn, with other players' choices. */
export class LiveDecisions extends Decisions {
  #playerTable: LivePlayerTable<BlackjackView>;

  constructor(playerTable: LivePlayerTable<BlackjackView>, send: (decision: Decision) => Promise<void>) {
    super(
      playerTable,
      () => this.#asked,
      (decision) => this.#bring(decision, send),
    );
    this.#playerTable = playerTable;
  }

  ahead = $derived.by(() => {
    const { shared, stage, clock, view, state, mine, payableMinor } = this.#playerTable;
    const may = !shared && stage === 'playing' && clock.phase !== 'offer';
    return may && state.round && !view?.turns.length ? aheadTurn(state.round, mine, payableMinor) : null;
  });
  #asked = $derived.by(() => {
    const { clock, view } = this.#playerTable;
    if (clock.paused || !view) return [];
    return this.ahead ? [this.ahead] : view.turns;
  });
  /** The player's decision that the cards haven't answered yet. */
  decided = $derived.by<PlayerDecision | null>(
    () => this.#playerTable.mine.made.findLast(({ waiting }) => waiting) ?? null,
  );
  #made = $derived.by(() => {
    const made = this.decided;
    const { state, mine, payableMinor } = this.#playerTable;
    const turns = turnsOf(state, mine, payableMinor);
    return playTurn({ turns: turns.filter(({ box, hand }) => box === made?.box && hand === made.hand) });
  });
  /** The current decision; once made it stays visible but disabled. */
  shown = $derived.by(() => this.turn ?? this.#made);

  async #bring(decision: Decision, send: (decision: Decision) => Promise<void>): Promise<void> {
    const ahead = this.ahead !== null;
    await send(decision);
    if (ahead) this.askAgain();
  }

  percentOf(action: string): number | null {
    const { shown } = this;
    const { profile, state } = this.#playerTable;
    if (!profile.statistics || this.ahead || !shown) return null;
    const here = state.statistics.filter(({ box, hand }) => box === shown.box && hand === shown.hand);
    const decided = here[0]?.decided;
    if (!decided) return null;
    const chose = here.find((one) => one.action === action)?.chose ?? 0;
    return Math.round((100 * chose) / decided);
  }
}
