/** Start the time played with the first bet of the session; later welcomes bring the server's value. */
import type { Balance } from '../wire';
import type { ServerData } from './reduce';

const staked = (balance: Balance) => balance.in_play_minor + balance.session_staked_minor;

export function withPlayStart(before: ServerData, after: ServerData, nowMs: number): ServerData {
  if (after.playedFromMs || before.balances === after.balances || !before.welcome) return after;
  const bet = Object.values(after.balances).some((now) => {
    const was = before.balances[now.currency];
    return !!was && staked(now) > staked(was);
  });
  return bet ? { ...after, playedFromMs: nowMs } : after;
}
