import { stakes, type Allowed, type Bets } from '../table/betting';
import type { Stake } from '../wire';

/** Bets at a live table: the acceptable part of the chips on the cloth, and the accepted bets. */

/** Chips below a minimum wait for more, and side bets for their main bet. */
export function legal(bets: Bets, { bets: limits }: Allowed): Stake[] {
  const of = (bet: string) => limits.find((one) => one.bet === bet);
  const enough = stakes(bets).filter(
    ({ bet, stake_minor }) => stake_minor >= (of(bet)?.min_minor ?? Infinity),
  );
  const main = new Set(enough.filter(({ bet }) => of(bet)?.main).map(({ box }) => box));
  return enough.filter(({ box }) => main.has(box));
}

const ordered = (all: readonly Stake[]) =>
  all.map(({ box, bet, stake_minor }) => `${box} ${bet} ${stake_minor}`).sort();

export function sameStakes(a: readonly Stake[], b: readonly Stake[]): boolean {
  return ordered(a).join() === ordered(b).join();
}

export function totalOf(all: readonly Stake[]): number {
  return all.reduce((sum, { stake_minor }) => sum + stake_minor, 0);
}

/** The last bet, moved to the player's current seat if there was one and is one. */
export function repeatable(last: readonly Stake[], places: readonly number[]): readonly Stake[] {
  const [place] = places;
  const one = places.length === 1 && new Set(last.map(({ box }) => box)).size === 1;
  if (one && place !== undefined) return last.map((stake) => ({ ...stake, box: place }));
  return last.filter(({ box }) => places.includes(box));
}
