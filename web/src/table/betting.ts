import type { Refusal } from '../state/refusal';
import type { BetLimits, Stake } from '../wire';
import { forbidden, type Restricted } from './bet_restrictions';

/**
 * Chips on the cloth before the deal. A step is the result of one press, so that Undo removes exactly that.
 * Every move returns the next bets and, if limited or refused, a notice; a refused move returns the same bets.
 */
export interface Spot {
  readonly box: number;
  readonly bet: string;
}

type Step = readonly Stake[];

export interface Bets {
  readonly steps: readonly Step[];
}

/** The limits of the table and the balance. Amounts are whole smallest units. */
export interface Allowed {
  readonly bets: readonly BetLimits[];
  /** Maximum total of all bets; null: no further limit. */
  readonly tableMaxMinor: number | null;
  readonly balanceMinor: number;
  /** The balance isn’t known yet, and nothing can be bet. */
  readonly balanceUnknown?: boolean;
  readonly restricted: Restricted;
}

type NoticeCode =
  | 'maximum_reached'
  | 'table_maximum'
  | 'not_covered'
  | 'balance_unknown'
  | 'under_minimum'
  | 'main_bet_first'
  | 'nothing_placed'
  | 'nothing_to_repeat'
  | 'no_such_bet';

export interface Notice {
  readonly code: NoticeCode;
  readonly spot: Spot | null;
  /** The limit or the amount that the sentence names. */
  readonly minor: number;
}

export interface Move {
  readonly bets: Bets;
  /** A refusal is the one the server would give. */
  readonly notice: Notice | Refusal | null;
}

export const NO_BETS: Bets = { steps: [] };

const sameSpot = (a: Spot, b: Spot) => a.box === b.box && a.bet === b.bet;

const noticeOf = (code: NoticeCode, spot: Spot | null = null, minor = 0): Notice => ({ code, spot, minor });

const refused = (bets: Bets, ...why: Parameters<typeof noticeOf>): Move => ({
  bets,
  notice: noticeOf(...why),
});

function limitsOf(allowed: Allowed, spot: Spot): BetLimits | undefined {
  return allowed.bets.find(({ bet }) => bet === spot.bet);
}

/** The order of spots on the cloth: the main bet between its side bets. */
export function aroundMain(bets: readonly BetLimits[]): BetLimits[] {
  const sides = bets.filter(({ main }) => !main);
  const half = Math.ceil(sides.length / 2);
  return [...sides.slice(0, half), ...bets.filter(({ main }) => main), ...sides.slice(half)];
}

export function stakeOn(bets: Bets, spot: Spot): number {
  return bets.steps
    .flat()
    .filter((stake) => sameSpot(stake, spot))
    .reduce((sum, stake) => sum + stake.stake_minor, 0);
}

/** One stake a spot, in the order the spots were first used. */
export function stakes(bets: Bets): Stake[] {
  const spots = new Map(bets.steps.flat().map(({ box, bet }) => [`${box} ${bet}`, { box, bet }]));
  return [...spots.values()].map((spot) => ({ ...spot, stake_minor: stakeOn(bets, spot) }));
}

const sum = (all: readonly Stake[]) => all.reduce((so_far, { stake_minor }) => so_far + stake_minor, 0);

export function total(bets: Bets): number {
  return sum(bets.steps.flat());
}

/** The balance left to bet. */
export function left(bets: Bets, allowed: Allowed): number {
  return allowed.balanceMinor - total(bets);
}

/** Why an amount above what is left can’t be bet. */
export const uncovered = (allowed: Allowed): NoticeCode =>
  allowed.balanceUnknown ? 'balance_unknown' : 'not_covered';

/** Place `step` as a whole, or refuse it as a whole. */
function add(bets: Bets, step: Step, allowed: Allowed, notice: Notice | null = null): Move {
  if (sum(step) > left(bets, allowed)) return refused(bets, uncovered(allowed), null, sum(step));
  const max = allowed.tableMaxMinor;
  if (max !== null && sum(step) + total(bets) > max)
    return refused(bets, 'table_maximum', step.at(-1) ?? null, max);
  const refusal = forbidden([...bets.steps.flat(), ...step], allowed.restricted);
  if (refusal) return { bets, notice: refusal };
  return { bets: { steps: [...bets.steps, step] }, notice };
}

const room = (bets: Bets, spot: Spot, limits: BetLimits) => limits.max_minor - stakeOn(bets, spot);

/** One chip, or as much of it as the bet's maximum leaves room for. */
export function place(bets: Bets, spot: Spot, chipMinor: number, allowed: Allowed): Move {
  const limits = limitsOf(allowed, spot);
  if (!limits) return refused(bets, 'no_such_bet', spot);
  if (!limits.main && !mainStake(bets, spot.box, allowed)) return refused(bets, 'main_bet_first', spot);
  const free = room(bets, spot, limits);
  const maximum = noticeOf('maximum_reached', spot, limits.max_minor);
  if (free <= 0) return { bets, notice: maximum };
  const stake = { ...spot, stake_minor: Math.min(chipMinor, free) };
  return add(bets, [stake], allowed, chipMinor > free ? maximum : null);
}

/** So many chips on a spot. */
export interface Wanted extends Spot {
  readonly chips: number;
}

/** Call bets: chips on several spots in one step. Refused whole at the first spot that has no room for them. */
export function placeAll(bets: Bets, wanted: readonly Wanted[], chipMinor: number, allowed: Allowed): Move {
  const step = wanted.map(({ box, bet, chips }) => ({ box, bet, stake_minor: chips * chipMinor }));
  const gone = step.find((stake) => !limitsOf(allowed, stake));
  if (gone) return refused(bets, 'no_such_bet', gone);
  const full = step.find((stake) => stake.stake_minor > room(bets, stake, limitsOf(allowed, stake)!));
  if (full) return refused(bets, 'maximum_reached', full, limitsOf(allowed, full)!.max_minor);
  return add(bets, step, allowed);
}

function mainStake(bets: Bets, box: number, allowed: Allowed): number {
  return sum(bets.steps.flat().filter((stake) => stake.box === box && limitsOf(allowed, stake)?.main));
}

export function undo(bets: Bets): Bets {
  return { steps: bets.steps.slice(0, -1) };
}

/** Takes back what was placed last on one spot; other spots of the same step stay. */
export function takeBack(bets: Bets, spot: Spot): Bets {
  const at = bets.steps.findLastIndex((step) => step.some((stake) => sameSpot(stake, spot)));
  const steps = bets.steps.map((step, i) =>
    i === at ? step.filter((stake) => !sameSpot(stake, spot)) : step,
  );
  return { steps: steps.filter((step) => step.length > 0) };
}

/** Double every bet up to its maximum; nothing if the balance is too low. */
export function double(bets: Bets, allowed: Allowed): Move {
  const step = stakes(bets).flatMap((stake) => doubled(bets, stake, allowed));
  if (!total(bets)) return refused(bets, 'nothing_placed');
  return step.length ? add(bets, step, allowed) : refused(bets, 'maximum_reached');
}

function doubled(bets: Bets, stake: Stake, allowed: Allowed): Stake[] {
  const limits = limitsOf(allowed, stake);
  const more = limits ? Math.min(stake.stake_minor, room(bets, stake, limits)) : 0;
  return more > 0 ? [{ ...stake, stake_minor: more }] : [];
}

/** The stakes of the last round as one step; refused whole where limits or balance have changed. */
export function repeat(last: readonly Stake[], allowed: Allowed): Move {
  if (!last.length) return refused(NO_BETS, 'nothing_to_repeat');
  const notice = last.map((stake) => outside(stake, allowed)).find((found) => found !== null);
  return notice ? { bets: NO_BETS, notice } : add(NO_BETS, [...last], allowed);
}

/** The chip, or as much of it as there is room for, on each side bet of each box that has a main bet. */
export function allSides(bets: Bets, chipMinor: number, allowed: Allowed): Move {
  const sides = allowed.bets.filter(({ main }) => !main);
  const boxes = [...new Set(bets.steps.flat().map(({ box }) => box))];
  const played = boxes.filter((box) => mainStake(bets, box, allowed));
  if (!played.length) return refused(bets, 'main_bet_first');
  const tops = played.flatMap((box) => sides.map((limits) => topUp(bets, box, limits, chipMinor)));
  const full = tops.find(({ stake_minor }) => stake_minor < chipMinor);
  const notice = full ? noticeOf('maximum_reached', full, limitsOf(allowed, full)!.max_minor) : null;
  const step = tops.filter(({ stake_minor }) => stake_minor > 0);
  return step.length ? add(bets, step, allowed, notice) : { bets, notice };
}

function topUp(bets: Bets, box: number, limits: BetLimits, chipMinor: number): Stake {
  const spot = { box, bet: limits.bet };
  return { ...spot, stake_minor: Math.max(0, Math.min(chipMinor, room(bets, spot, limits))) };
}

function outside(stake: Stake, allowed: Allowed): Notice | null {
  const limits = limitsOf(allowed, stake);
  if (!limits) return { code: 'no_such_bet', spot: stake, minor: 0 };
  if (stake.stake_minor < limits.min_minor)
    return { code: 'under_minimum', spot: stake, minor: limits.min_minor };
  if (stake.stake_minor > limits.max_minor)
    return { code: 'maximum_reached', spot: stake, minor: limits.max_minor };
  return null;
}

/** Why these bets can't be dealt; null when they can. */
export function objection(bets: Bets, allowed: Allowed): Notice | null {
  const placed = stakes(bets);
  if (!placed.length) return noticeOf('nothing_placed');
  const orphan = placed.find(({ box }) => !mainStake(bets, box, allowed));
  if (orphan) return noticeOf('main_bet_first', orphan);
  const bad = placed.map((stake) => outside(stake, allowed)).find((found) => found !== null);
  if (bad) return bad;
  return left(bets, allowed) < 0 ? noticeOf(uncovered(allowed), null, total(bets)) : null;
}
