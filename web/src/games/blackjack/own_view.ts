import type { PlayerResult, PlayerState, Stake, StakeResult } from '../../wire';
import type { BlackjackView, BoxView, HandView, OptionView, SideBetView, TurnView } from './wire';
import type { LiveOf } from '../../table/rounds';
import { payable } from './view_queries';

/**
 * The player's own part of a shared round. At a shared deal the server sends the round with `unit` on every
 * bet; it is scaled to the player's stakes, and exact returns come from the player's result. At a table of
 * seats it is the boxes with the player's stakes.
 */
export function ownView(
  state: LiveOf<BlackjackView>,
  mine: PlayerState,
  balanceMinor: number,
): BlackjackView | null {
  const { round: view, unit_minor: unit, clock } = state;
  if (!view) return null;
  const result = mine.result?.round === clock.round ? mine.result : null;
  const boxes = unit ? view.boxes.map((box) => scaled(box, unit, mine, result)) : ownBoxes(view, mine);
  const turns = turnsOf(state, mine, balanceMinor).filter((turn) => !waits(mine, turn));
  return { ...view, boxes, turns, ...sums(boxes, view.ended, result) };
}

/** The player's decisions in this window, including those already made, at the player's own cost. */
export function turnsOf(
  { round, unit_minor: unit }: LiveOf<BlackjackView>,
  mine: PlayerState,
  balanceMinor: number,
): TurnView[] {
  const main = unit ? stakeOn(mine.stakes, MAIN) : 1;
  const own = new Set(mine.stakes.map(({ box }) => box));
  const turns = main ? (round?.turns ?? []).filter((turn) => own.has(turn.box)) : [];
  return turns.map((turn) => payable(priced(turn, main, unit || 1), balanceMinor));
}

/** The server calls a hand's main stake by this name. */
const MAIN = 'main';
const INSURANCE = 'insurance';

const stakeOn = (stakes: readonly Stake[], bet: string) =>
  stakes.find((stake) => stake.bet === bet)?.stake_minor ?? 0;

function scaled(box: BoxView, unit: number, { stakes }: PlayerState, result: PlayerResult | null): BoxView {
  const main = stakeOn(stakes, MAIN);
  const lines = result?.lines ?? [];
  const part = (minor: number) => Math.floor((minor * main) / unit);
  return {
    ...box,
    stake_minor: main,
    hands: box.hands.map((hand, place) => ({
      ...hand,
      ...returned(hand, part, main, lineOf(lines, MAIN, place)),
    })),
    side_bets: box.side_bets.flatMap((side) => sideBet(side, unit, stakes, lines)),
    insurance: main && box.insurance ? returned(box.insurance, part, main, lineOf(lines, INSURANCE)) : null,
  };
}

const lineOf = (lines: readonly StakeResult[], bet: string, hand = 0) =>
  lines.find((line) => line.bet === bet && line.hand === hand);

type Money = Pick<HandView, 'stake_minor' | 'returned_minor'>;

function returned(
  { stake_minor, returned_minor }: Money,
  part: (minor: number) => number,
  main: number,
  line: StakeResult | undefined,
): Money {
  const scaledReturn = main && returned_minor !== null ? part(returned_minor) : null;
  return {
    stake_minor: line?.stake_minor ?? part(stake_minor),
    returned_minor: line?.returned_minor ?? scaledReturn,
  };
}

function sideBet(
  side: SideBetView,
  unit: number,
  stakes: readonly Stake[],
  lines: readonly StakeResult[],
): SideBetView[] {
  const stake = stakeOn(stakes, side.bet);
  const part = (minor: number) => Math.floor((minor * stake) / unit);
  return stake ? [{ ...side, ...returned(side, part, stake, lineOf(lines, side.bet)) }] : [];
}

function ownBoxes({ boxes }: BlackjackView, { stakes }: PlayerState): BoxView[] {
  return boxes.filter(({ box }) => stakes.some((stake) => stake.box === box));
}

/** Whether this decision has been made. Split hands that decide together are asked one by one. */
const waits = (mine: PlayerState, { box, hand }: TurnView) =>
  mine.made.some((one) => one.waiting && one.box === box && one.hand === hand);

/** The turn with costs scaled to the player's stake. */
function priced(turn: TurnView, main: number, unit: number): TurnView {
  const part = (minor: number) => Math.floor((minor * main) / unit);
  const options = turn.options.map((option) => ({
    ...option,
    cost_minor: part(option.cost_minor),
    cost_min_minor: part(option.cost_min_minor),
  }));
  return { ...turn, options };
}

function sums(boxes: readonly BoxView[], ended: boolean, result: PlayerResult | null) {
  if (result) return { staked_minor: result.staked_minor, returned_minor: result.returned_minor };
  const parts = boxes.flatMap((box) => [
    ...box.hands,
    ...box.side_bets,
    ...(box.insurance ? [box.insurance] : []),
  ]);
  const sum = (of: (part: Money) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    staked_minor: sum((part) => part.stake_minor),
    returned_minor: ended ? sum((part) => part.returned_minor ?? 0) : 0,
  };
}

/**
 * The player's first hand with something to decide that isn't asked yet, for a decision in advance at a table
 * of seats. Actions not offered when the turn comes are asked then.
 */
export function aheadTurn(view: BlackjackView, mine: PlayerState, balanceMinor: number): TurnView | null {
  const asked = new Set(view.turns.map(({ box }) => box));
  for (const box of ownBoxes(view, mine)) {
    const hand = box.hands.findIndex((one) => !one.finished && !one.blackjack && one.cards.length > 1);
    if (hand >= 0 && !asked.has(box.box))
      return { box: box.box, hand, options: ahead(box, hand, balanceMinor) };
  }
  return null;
}

function ahead(box: BoxView, place: number, balanceMinor: number): OptionView[] {
  const hand = box.hands[place]!;
  const option = (action: OptionView['action'], cost_minor = 0): OptionView => ({
    action,
    cost_minor,
    cost_min_minor: cost_minor,
    covered: cost_minor <= balanceMinor,
    instead: cost_minor ? 'hit' : '',
  });
  const first = hand.cards.length === 2 && box.hands.length === 1;
  return [option('hit'), option('stand'), ...(first ? [option('double', hand.stake_minor)] : [])];
}
