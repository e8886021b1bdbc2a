import { describe, expect, it } from 'vitest';
import type { PlayerResult, PlayerState } from '../../wire';
import type { BlackjackView, BoxView, HandView, TurnView } from './wire';
import type { LiveOf } from '../../table/rounds';
import { aheadTurn, ownView, turnsOf } from './own_view';

const hand = (cards: string, part: Partial<HandView> = {}): HandView => ({
  cards: cards.split(' '),
  low: 0,
  total: 0,
  blackjack: false,
  doubled: false,
  finished: false,
  stake_minor: 100,
  returned_minor: null,
  outcome: null,
  ...part,
});
const box = (number: number, hands: HandView[], part: Partial<BoxView> = {}): BoxView => ({
  box: number,
  stake_minor: 100,
  hands,
  side_bets: [],
  insurance: null,
  ...part,
});
const turn = (number: number, place: number, cost = 100): TurnView => ({
  box: number,
  hand: place,
  options: [
    { action: 'hit', cost_minor: 0, cost_min_minor: 0, covered: true, instead: '' },
    { action: 'double', cost_minor: cost, cost_min_minor: cost, covered: true, instead: 'hit' },
  ],
});
const side = (bet: string, returned_minor: number | null = null) => ({
  bet,
  stake_minor: 100,
  returned_minor,
  outcome: null,
});
function state(
  boxes: BoxView[],
  turns: TurnView[] = [],
  unit_minor = 100,
  ended = false,
): LiveOf<BlackjackView> {
  const round = { boxes, turns, ended, staked_minor: 1, returned_minor: 1 } as unknown as BlackjackView;
  return { clock: { round: 'r' }, round, unit_minor } as LiveOf<BlackjackView>;
}
const stake = (bet: string, stake_minor: number, at = 0) => ({ box: at, bet, stake_minor });
const mine = (part: Partial<PlayerState>) =>
  ({ stakes: [], made: [], result: null, ...part }) as unknown as PlayerState;

describe('where all share one deal', () => {
  it('scales hands and costs to the stake, and takes side bets at their own', () => {
    const shared = state(
      [
        box(0, [hand('8D 8S', { stake_minor: 200, doubled: true })], {
          side_bets: [side('any_pair'), side('hot_3')],
          insurance: { stake_minor: 50, returned_minor: null },
        }),
      ],
      [turn(0, 0)],
    );
    const own = ownView(shared, mine({ stakes: [stake('main', 250), stake('hot_3', 30)] }), 1000)!;
    expect(own.boxes[0]).toMatchObject({
      stake_minor: 250,
      hands: [{ stake_minor: 500, returned_minor: null }],
      side_bets: [{ bet: 'hot_3', stake_minor: 30 }],
      insurance: { stake_minor: 125 },
    });
    expect(own.turns[0]?.options[1]).toMatchObject({ cost_minor: 250, covered: true });
    expect(own).toMatchObject({ staked_minor: 500 + 30 + 125, returned_minor: 0 });
  });

  it('still knows what a decision cost when it is made', () => {
    const made = [{ box: 0, hand: 0, action: 'hit', by: 'player', waiting: true }];
    const decided = mine({ stakes: [stake('main', 250)], made });
    const shared = state([box(0, [hand('8D 3S')])], [turn(0, 0)]);
    expect(ownView(shared, decided, 1000)!.turns).toEqual([]);
    expect(turnsOf(shared, decided, 1000)[0]?.options[1]).toMatchObject({ cost_minor: 250 });
  });

  it('knows what the balance covers', () => {
    const own = ownView(
      state([box(0, [hand('8D 3S')])], [turn(0, 0)]),
      mine({ stakes: [stake('main', 25)] }),
      24,
    )!;
    expect(own.turns[0]?.options.map(({ covered }) => covered)).toEqual([true, false]);
  });

  it('takes what came of it to the unit from the result', () => {
    const won = hand('AS KS', { returned_minor: 250, outcome: 'blackjack' });
    const ended = state([box(0, [won], { side_bets: [side('hot_3', 200)] })], [], 100, true);
    const stakes = [stake('main', 5), stake('hot_3', 5)];
    expect(ownView(ended, mine({ stakes }), 0)).toMatchObject({ staked_minor: 10, returned_minor: 12 + 10 });
    const line = (bet: string, returned_minor: number) => ({
      box: 0,
      hand: 0,
      bet,
      stake_minor: 5,
      returned_minor,
      outcome: 'won',
    });
    const lines = [line('main', 13), line('hot_3', 10)];
    const result: PlayerResult = {
      round: 'r',
      number: '',
      staked_minor: 10,
      returned_minor: 23,
      void: false,
      reason: '',
      lines,
    };
    const own = ownView(ended, mine({ stakes, result }), 0)!;
    expect(own.boxes[0]?.hands[0]?.returned_minor).toBe(13);
    expect(own.returned_minor).toBe(23);
    const older = ownView(ended, mine({ stakes, result: { ...result, round: 'q' } }), 0)!;
    expect(older.returned_minor).toBe(22);
  });

  it('lets watch who staked nothing: cards, and neither money nor decisions', () => {
    const shared = state([box(0, [hand('8D 8S')], { side_bets: [side('hot_3')] })], [turn(0, 0)]);
    const own = ownView(shared, mine({}), 1000)!;
    expect(own.boxes[0]).toMatchObject({ hands: [{ cards: ['8D', '8S'], stake_minor: 0 }], side_bets: [] });
    expect(own.turns).toEqual([]);
  });

  it('asks split hands one by one, and not what is decided', () => {
    const shared = state([box(0, [hand('8D 3S'), hand('8S 4S')])], [turn(0, 0), turn(0, 1)]);
    const made = [
      { box: 0, hand: 0, action: 'hit', by: 'player', waiting: true },
      { box: 0, hand: 1, action: 'split', by: 'player', waiting: false },
    ];
    const own = ownView(shared, mine({ stakes: [stake('main', 100)], made }), 1000)!;
    expect(own.turns.map((one) => one.hand)).toEqual([1]);
  });
});

describe('at a table of seats', () => {
  const seats = (turns: TurnView[], made: PlayerState['made'] = []) => ({
    live: state(
      [box(1, [hand('8D 3S', { stake_minor: 500 })]), box(4, [hand('9D 3C', { stake_minor: 700 })])],
      turns,
      0,
    ),
    player: mine({ stakes: [stake('main', 700, 4)], made }),
  });

  it('is the boxes with the player’s stakes, unchanged', () => {
    const { live, player } = seats([turn(1, 0, 500)]);
    const own = ownView(live, player, 1000)!;
    expect(own.boxes.map((one) => one.box)).toEqual([4]);
    expect(own).toMatchObject({ staked_minor: 700, turns: [] });
  });

  it('is asked in the player’s turn', () => {
    const { live, player } = seats([turn(4, 0, 700)]);
    expect(ownView(live, player, 699)!.turns[0]).toMatchObject({
      box: 4,
      options: [{ covered: true }, { covered: false }],
    });
    expect(aheadTurn(live.round!, player, 1000)).toBeNull();
  });

  it('may decide in advance while others play, a double for what the balance covers', () => {
    const { live, player } = seats([turn(1, 0, 500)]);
    expect(aheadTurn(live.round!, player, 600)).toMatchObject({
      box: 4,
      hand: 0,
      options: [
        { action: 'hit' },
        { action: 'stand' },
        { action: 'double', cost_minor: 700, covered: false },
      ],
    });
  });
});

it('is nothing between the rounds', () => {
  expect(ownView({ ...state([]), round: null }, mine({}), 0)).toBeNull();
});
