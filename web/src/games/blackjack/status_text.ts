import type { LiveDesk } from '../../live/live_player_table.svelte';
import { PHASES } from '../../live/status_text';
import type { Named } from '../../table/speech';
import type { PlayerDecision } from '../../wire';
import type { BlackjackView } from './wire';
import type { LiveDecisions } from './live_decisions.svelte';
import { playTurn } from './view_queries';
import { offerName, turnOf, verb, whose } from './speech';

/** What a round in play waits for. */
export function played(desk: LiveDesk<BlackjackView>, decisions: LiveDecisions): string {
  const { offers, turn, ahead, decided } = decisions;
  if (offers.length) return `${offerName(offers[0]!, desk.told.table)}?`;
  if (turn && desk.round && !ahead) {
    const hand = turnOf(desk.round, turn, desk.told.table);
    return hand ? `Your turn: ${hand}` : 'Your turn';
  }
  const asked = desk.state.round ? playTurn(desk.state.round) : null;
  if (asked && !desk.shared && !desk.mine.seats.includes(asked.box))
    return `${whose(desk.state.round!, asked, desk.told.table)} to play`;
  return decided && !ahead ? waiting(decided, desk.told.table) : PHASES[desk.clock.phase];
}

const waiting = (made: PlayerDecision, table: Named) =>
  `You ${verb(made.action, table)}. Waiting for other players`;
