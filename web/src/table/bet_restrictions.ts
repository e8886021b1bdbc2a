import { Refusal } from '../state/refusal';
import type { LobbyTable, Stake } from '../wire';

/** Bets that a table doesn't accept together, as sent with the table. */
export type Restricted = Pick<LobbyTable, 'never_together' | 'covering'>;

/**
 * Return the refusal the server would give for these stakes together, at the spot placed last; null: none. The
 * server still has the final decision.
 */
export function forbidden(
  stakes: readonly Stake[],
  { never_together, covering }: Restricted,
): Refusal | null {
  const bets = new Set(stakes.map(({ bet }) => bet));
  const about = spotOf(stakes.at(-1));
  const line = never_together.find((together) => together.bets.every((bet) => bets.has(bet)));
  if (line) return new Refusal('never_together', { ...about, bets: line.named });
  if (!covering) return null;
  const { percent, most, outcomes, of } = covering;
  const covered = new Set([...bets].flatMap((bet) => of[bet] ?? [])).size;
  return covered > most
    ? new Refusal('covers_too_much', { ...about, percent, covered, most, outcomes })
    : null;
}

const spotOf = (last: Stake | undefined) => (last ? { box: last.box, bet: last.bet } : {});
