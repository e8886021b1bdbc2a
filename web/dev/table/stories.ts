/** Canned states of a table, one for each phase worth looking at. Never shipped. */
import type {
  BoxView,
  CurrencyLimits,
  CurrencyView,
  DealerView,
  HandView,
  LobbyTable,
  OptionView,
  RoundEvent,
  RoundView,
  Stake,
  TableState,
  TurnView,
} from '../../src/wire';

export const EUR: CurrencyView = { code: 'EUR', name: 'Euro', decimals: 2, symbol: '€', play_money: true };
export const GC: CurrencyView = {
  code: 'GC',
  name: 'Gold Coins',
  decimals: 0,
  symbol: 'GC',
  play_money: true,
};

const bet = (name: string, title: string, min_minor: number, max_minor: number) => ({
  bet: name,
  title,
  main: name === 'main',
  min_minor,
  max_minor,
  pays: [],
});
const euro: CurrencyLimits = {
  currency: 'EUR',
  chips_minor: [100, 500, 2500, 10_000, 50_000],
  bets: [bet('main', 'Blackjack', 100, 50_000)],
};
const gold: CurrencyLimits = {
  currency: 'GC',
  chips_minor: [1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 500_000],
  bets: [bet('main', 'Blackjack', 1000, 1_000_000)],
};
const sided: CurrencyLimits = {
  ...euro,
  bets: [
    bet('perfect_pairs', 'Perfect Pairs', 100, 10_000),
    bet('main', 'Blackjack', 500, 50_000),
    bet('twenty_one_plus_three', '21+3', 100, 10_000),
  ],
};

const table = (
  name: string,
  title: string,
  boxes: number,
  cloth: string[],
  limits: CurrencyLimits,
): LobbyTable => ({
  table: name,
  title,
  game: 'blackjack',
  line: '',
  live: false,
  boxes,
  cloth,
  limits: [limits],
  published: [],
});
const CLOTH = ['Blackjack pays 3 to 2', 'Dealer stands on all 17s', 'Insurance pays 2 to 1'];
const one = table('premium', 'Premium', 1, CLOTH, euro);
const classic = table('classic', 'Classic', 1, CLOTH, gold);
const three = table('multihand', 'Multi-hand', 3, CLOTH, euro);
const five = table(
  'double_exposure',
  'Double Exposure',
  5,
  ['Blackjack pays 1 to 1', 'Dealer hits soft 17', 'Dealer wins equal totals', 'Both dealer cards face up'],
  euro,
);
const seven = table('seven_seat', 'Side bets', 1, CLOTH, sided);
const arc = table('arc', 'Seven boxes', 7, CLOTH, sided);
const side = (bet: string, stake_minor: number, returned_minor: number | null, outcome: string | null) => ({
  bet,
  stake_minor,
  returned_minor,
  outcome,
});

const POINTS: Record<string, number> = { A: 1, T: 10, J: 10, Q: 10, K: 10 };
const low = (cards: readonly string[]) =>
  cards.reduce((sum, card) => sum + (POINTS[card[0]!] ?? Number(card[0])), 0);
const best = (cards: readonly string[]) =>
  cards.some((card) => card.startsWith('A')) && low(cards) <= 11 ? low(cards) + 10 : low(cards);
const natural = (cards: readonly string[]) => cards.length === 2 && best(cards) === 21;

function hand(cards: string, stake_minor: number, more: Partial<HandView> = {}): HandView {
  const list = cards.split(' ');
  const total = best(list);
  return {
    cards: list,
    low: low(list),
    total,
    blackjack: natural(list),
    doubled: false,
    finished: total > 20,
    stake_minor,
    returned_minor: null,
    outcome: total > 21 ? 'bust' : null,
    ...more,
  };
}
const box = (number: number, ...hands: HandView[]): BoxView => ({
  box: number,
  stake_minor: hands[0]!.stake_minor,
  hands,
  side_bets: [],
  insurance: null,
});
function dealer(cards: string, face_down = true): DealerView {
  const list = cards.split(' ');
  return {
    cards: list,
    face_down,
    low: low(list),
    total: best(list),
    blackjack: natural(list),
    bust: best(list) > 21,
  };
}
const option = (
  action: OptionView['action'],
  cost_minor = 0,
  covered = true,
  least = cost_minor,
): OptionView => ({
  action,
  cost_minor,
  cost_min_minor: least,
  covered,
});
const turn = (number: number, place: number, ...options: OptionView[]): TurnView => ({
  box: number,
  hand: place,
  options,
});
const PLAY = [option('hit'), option('stand')];

function round(boxes: BoxView[], dealt: DealerView, turns: TurnView[] = []): RoundView {
  const parts = boxes.flatMap((b) => [...b.hands, ...b.side_bets, ...(b.insurance ? [b.insurance] : [])]);
  const ended = !turns.length;
  return {
    game: 'blackjack',
    boxes,
    dealer: dealt,
    turns,
    ended,
    staked_minor: parts.reduce((sum, part) => sum + part.stake_minor, 0),
    returned_minor: ended ? parts.reduce((sum, part) => sum + (part.returned_minor ?? 0), 0) : 0,
  };
}

export interface Story {
  readonly table: LobbyTable;
  readonly currency: CurrencyView;
  readonly balanceMinor: number;
  readonly state: TableState;
  readonly did?: readonly RoundEvent[];
  /** Spots to click and other presses before the picture. */
  readonly click?: readonly string[];
}

const last: Stake[] = [{ box: 0, bet: 'main', stake_minor: 3500 }];
const story = (of: LobbyTable, view: RoundView | null, more: Partial<Story> = {}): Story => ({
  table: of,
  currency: of === classic ? GC : EUR,
  balanceMinor: 96_500,
  state: {
    currency: of === classic ? 'GC' : 'EUR',
    round: view && { id: 'r1', number: '#21:10:10', started_ms: 0, turn: 0, view },
    next_deal_ms: 0,
    last_stakes: view ? last : [],
  },
  ...more,
});
const won = (
  cards: string,
  stake: number,
  returned: number,
  outcome: HandView['outcome'],
  more: Partial<HandView> = {},
) => hand(cards, stake, { finished: true, returned_minor: returned, outcome, ...more });

export const STORIES: Readonly<Record<string, Story>> = {
  empty: story(one, null),
  placed: story(one, null, {
    click: ['chip-2500', 'spot-0-main', 'spot-0-main', 'chip-500', 'spot-0-main', 'chip-100', 'spot-0-main'],
  }),
  gold: story(classic, null, { balanceMinor: 60_000, click: ['chip-25000', 'spot-0-main'] }),
  maximum: story(three, null, {
    click: ['chip-50000', 'spot-0-main', 'chip-2500', 'spot-1-main', 'spot-2-main', 'spot-0-main'],
  }),
  five_placed: story(five, null, {
    click: ['chip-2500', 'spot-0-main', 'spot-1-main', 'spot-2-main', 'spot-3-main', 'spot-4-main'],
  }),
  sides: story(seven, null, { click: ['chip-500', 'spot-0-main', 'all-sides'] }),
  decide: story(
    one,
    round([box(0, hand('9D 9S', 3500))], dealer('7S'), [
      turn(0, 0, ...PLAY, option('double', 3500), option('split', 3500)),
    ]),
  ),
  soft: story(
    one,
    round([box(0, hand('AH 4D', 3500))], dealer('TS'), [turn(0, 0, ...PLAY, option('double', 3500, false))]),
  ),
  less: story(
    seven,
    round(
      [
        {
          ...box(0, hand('6H 5D', 5000)),
          side_bets: [
            { bet: 'perfect_pairs', stake_minor: 500, returned_minor: null, outcome: null },
            { bet: 'twenty_one_plus_three', stake_minor: 500, returned_minor: null, outcome: null },
          ],
        },
      ],
      dealer('6S'),
      [turn(0, 0, ...PLAY, option('double', 5000, true, 1))],
    ),
  ),
  long: story(one, round([box(0, hand('2D AS 2H 3C AD 2S 4H', 3500))], dealer('TS'), [turn(0, 0, ...PLAY)])),
  split: story(
    one,
    round([box(0, hand('8D TS', 3500, { finished: true }), hand('8S 3C', 3500))], dealer('6H'), [
      turn(0, 1, ...PLAY, option('double', 3500)),
    ]),
  ),
  three: story(
    three,
    round(
      [
        box(0, hand('KD 8C', 2500, { finished: true })),
        box(1, hand('AC 6H', 500)),
        box(2, hand('5S 5D', 1000)),
      ],
      dealer('4D'),
      [turn(1, 0, ...PLAY, option('double', 500))],
    ),
  ),
  insurance: story(
    three,
    round(
      [box(0, hand('KD 8C', 2500)), box(1, hand('AC KH', 500)), box(2, hand('5S 5D', 1000))],
      dealer('AD'),
      [
        turn(0, 0, option('insure', 1250), option('decline_insurance')),
        turn(1, 0, option('take_even_money'), option('decline_even_money')),
        turn(2, 0, option('insure', 500, false), option('decline_insurance')),
      ],
    ),
  ),
  five: story(
    five,
    round(
      [
        box(0, hand('KD 8C', 2500, { finished: true }), hand('KS 2D 7C', 2500, { finished: true })),
        box(1, hand('6C 4H TD', 5000, { doubled: true, finished: true })),
        box(2, hand('7S 3D 2C 5H', 1000), hand('7D 9D', 1000)),
        box(3, hand('AS QD', 10_000, { finished: true })),
        box(4, hand('8S 8H', 500)),
      ],
      dealer('TD 6C', false),
      [turn(2, 0, ...PLAY)],
    ),
  ),
  seven_empty: story(arc, null, { click: ['chip-500', 'spot-2-main', 'all-sides'] }),
  seven_play: story(
    arc,
    round(
      [
        box(0, hand('TH 9C', 2500)),
        { ...box(1, hand('8D 6S KC', 10_000)), side_bets: [side('perfect_pairs', 500, 0, 'lost')] },
        {
          ...box(2, hand('9D 9S', 5000)),
          side_bets: [
            side('perfect_pairs', 500, 6500, 'pair'),
            side('twenty_one_plus_three', 500, 0, 'lost'),
          ],
        },
        box(4, hand('AH 6D', 2500)),
        box(5, hand('AC KS', 500)),
        box(6, hand('5H 3C', 50_000)),
      ],
      dealer('7S'),
      [turn(2, 0, ...PLAY, option('double', 5000), option('split', 5000))],
    ),
  ),
  hit_big: story(
    seven,
    round(
      [
        {
          ...box(0, won('9D 9D', 1000, 2000, 'won')),
          side_bets: [
            side('perfect_pairs', 500, 13_000, 'perfect_pair'),
            side('twenty_one_plus_three', 500, 0, 'lost'),
          ],
        },
      ],
      dealer('8S 9C', false),
    ),
  ),
  five_splits: story(
    five,
    round(
      [0, 1, 2, 3, 4].map((number) =>
        box(
          number,
          hand('8C 3D 9S', 2500, { finished: true }),
          hand(number === 4 ? '8D 7C' : '8D TC', 2500, { finished: number < 4 }),
        ),
      ),
      dealer('TD 6C', false),
      [turn(4, 1, ...PLAY)],
    ),
  ),
  won: story(one, round([box(0, won('AS KD', 3500, 8750, 'blackjack'))], dealer('TS 9D', false))),
  lost: story(one, round([box(0, won('TD 6C 9H', 3500, 0, 'bust'))], dealer('7S KD', false))),
  pushed: story(one, round([box(0, won('TD 8C', 3500, 3500, 'pushed'))], dealer('8S KD', false))),
  doubled: story(
    one,
    round([box(0, won('6D 5C TH', 7000, 14_000, 'won', { doubled: true }))], dealer('6S KD 8H', false)),
  ),
  results: story(
    three,
    round(
      [
        { ...box(0, won('KD 8C', 2500, 5000, 'won')), insurance: { stake_minor: 1250, returned_minor: 0 } },
        box(1, won('8C 3H TD', 500, 1000, 'won', { doubled: false }), won('8S 7D KH', 500, 0, 'bust')),
        box(2, won('TS 7D', 1000, 1000, 'pushed')),
      ],
      dealer('AD 6C', false),
    ),
  ),
  split_doubled: story(
    one,
    round(
      [
        box(
          0,
          won('8D 3S 9C', 7000, 0, 'lost', { doubled: true }),
          won('8S 2C AC', 7000, 14_000, 'won', { doubled: true }),
        ),
      ],
      dealer('6H 4D KS', false),
    ),
  ),
};

const did = (what: RoundEvent['what'], at = -1, card = '', action = '', place = 0): RoundEvent => ({
  what,
  box: at,
  hand: place,
  card,
  action,
  by: '',
  name: '',
  reason: '',
});
/** A round as the server would send it: each decision plays the next step. */
export const PLAY_THROUGH: readonly { view: RoundView; did: readonly RoundEvent[] }[] = [
  {
    view: STORIES['decide']!.state.round!.view,
    did: [did('card', 0, '9D'), did('card', -1, '7S'), did('card', 0, '9S'), did('face_down')],
  },
  {
    view: round([box(0, hand('9D 2H', 3500), hand('9S KC', 3500))], dealer('7S'), [
      turn(0, 0, ...PLAY, option('double', 3500)),
    ]),
    did: [did('decided', 0, '', 'split'), did('card', 0, '2H'), did('card', 0, 'KC', '', 1)],
  },
  {
    view: round(
      [box(0, hand('9D 2H TD', 7000, { doubled: true, finished: true }), hand('9S KC', 3500))],
      dealer('7S'),
      [turn(0, 1, ...PLAY, option('double', 3500))],
    ),
    did: [did('decided', 0, '', 'double'), did('card', 0, 'TD')],
  },
  {
    view: round(
      [box(0, won('9D 2H TD', 7000, 14_000, 'won', { doubled: true }), won('9S KC', 3500, 3500, 'pushed'))],
      dealer('7S 5D 7C', false),
    ),
    did: [did('decided', 0, '', 'stand', 1), did('turned', -1, '5D'), did('card', -1, '7C'), did('ended')],
  },
];
