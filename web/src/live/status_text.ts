import { verdict } from '../table/speech';
import type { Phase } from '../wire';
import type { LivePlayerTable } from './live_player_table.svelte';

/** Status texts of a live table's phases. */
export const PHASES: Readonly<Record<Phase, string>> = {
  closed: 'The table is closed',
  shuffling: 'The shoe is being shuffled',
  opening: 'The next round opens soon',
  betting: 'Place your bets',
  warning: 'Last bets',
  no_more_bets: 'No more bets',
  dealing: 'Cards are dealt',
  offer: 'Other players answer an offer',
  decisions: 'Other players decide',
  dealer: 'Dealer plays',
  settlement: 'Bets are settled',
  pause: 'Round over',
};

/** `played` is the game's own status text for a round in play. */
export function saying(playerTable: LivePlayerTable, connected: boolean, played: string): string {
  if (!connected) return 'Connection lost, trying again';
  if (playerTable.clock.paused) return 'The table is paused';
  if (playerTable.betsOpen && !playerTable.places.length) return 'Take a seat to play';
  if (playerTable.stage === 'playing') return played;
  if (playerTable.stage === 'ended' && playerTable.round && playerTable.playing)
    return verdict(playerTable.round, playerTable.speech);
  return PHASES[playerTable.clock.phase];
}
