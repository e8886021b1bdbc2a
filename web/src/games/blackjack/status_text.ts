import type { LivePlayerTable } from '../../live/live_player_table.svelte';
import { PHASES } from '../../live/status_text';
import type { Named } from '../../table/speech';
import type { PlayerDecision } from '../../wire';
import type { BlackjackView } from './wire';
import type { LiveDecisions } from './live_decisions.svelte';
import { playTurn } from './view_queries';
import { offerName, turnOf, verb, whose } from './speech';

/** The status text of a round in play. */
export function played(playerTable: LivePlayerTable<BlackjackView>, decisions: LiveDecisions): string {
  const { offers, turn, ahead, decided } = decisions;
  if (offers.length) return `${offerName(offers[0]!, playerTable.speech.table)}?`;
  if (turn && playerTable.round && !ahead) {
    const hand = turnOf(playerTable.round, turn, playerTable.speech.table);
    return hand ? `Your turn: ${hand}` : 'Your turn';
  }
  const asked = playerTable.state.round ? playTurn(playerTable.state.round) : null;
  if (asked && !playerTable.shared && !playerTable.mine.seats.includes(asked.box))
    return `${whose(playerTable.state.round!, asked, playerTable.speech.table)} to play`;
  return decided && !ahead ? waiting(decided, playerTable.speech.table) : PHASES[playerTable.clock.phase];
}

const waiting = (made: PlayerDecision, table: Named) =>
  `You ${verb(made.action, table)}. Waiting for other players`;
