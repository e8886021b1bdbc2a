import { Refusal } from '../state/refusal';
import type { LobbyTable, Stake } from '../wire';

/** Bets that a table doesn't take together, as the house tells them with the table. */
export type Restricted = Pick<LobbyTable, 'never_together' | 'covering'>;

/**
 * What the house would refuse of these stakes together, before they are sent, in its own words and about the
 * spot that was placed last; null: nothing. The house stays the judge.
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
