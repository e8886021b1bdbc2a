import { expect, test } from 'vitest';
import type { CurrencyView, RoundEvent } from '../../wire';
import type { BlackjackView, HandView, TurnView } from './wire';
import { noticeSentence } from '../../table/speech';
import type { BlackjackRound } from './view_queries';
import {
  decidedForYou,
  describe as described,
  eventSentences,
  lowBalance,
  resultSentence,
  turnSentence,
  whose,
} from './speech';

const EUR: CurrencyView = { code: 'EUR', name: 'Euro', decimals: 2, symbol: '€', play_money: true };
const speech = (boxes: number) => ({ table: { boxes }, currency: EUR, bets: [] });
const hand = (cards: string, total: number, more: Partial<HandView> = {}): HandView => ({
  cards: cards.split(' '),
  low: total,
  total,
  blackjack: false,
  doubled: false,
  finished: false,
  stake_minor: 1000,
  returned_minor: null,
  outcome: null,
  ...more,
});
const option = (action: TurnView['options'][number]['action'], cost_minor = 0, covered = true) => ({
  action,
  cost_minor,
  cost_min_minor: cost_minor,
  covered,
  instead: cost_minor ? ('hit' as const) : ('' as const),
});
const play: TurnView = {
  box: 0,
  hand: 0,
  options: [option('hit'), option('stand'), option('double', 1000, false)],
};
function round(hands: HandView[][], more: Partial<BlackjackView> = {}): BlackjackRound {
  const view: BlackjackView = {
    game: 'blackjack',
    boxes: hands.map((of, box) => ({ box, stake_minor: 1000, hands: of, side_bets: [], insurance: null })),
    dealer: { cards: ['7S'], face_down: true, low: 7, total: 7, blackjack: false, bust: false },
    turns: [play],
    ended: false,
    staked_minor: 1000,
    returned_minor: 0,
    ...more,
  };
  return { id: 'r', number: '#1', started_ms: 0, turn: 0, view };
}
const did = (what: RoundEvent['what'], box = -1, action = ''): RoundEvent => ({
  what,
  box,
  hand: 0,
  card: '',
  came: '',
  action,
  by: '',
  name: '',
  reason: '',
});

test('the deal names the hands and what the dealer shows', () => {
  const dealt = round([[hand('9D 9S', 18)]]);
  const events = [did('card', 0), did('card'), did('card', 0), did('face_down')];
  expect(eventSentences(dealt, events, speech(1))).toEqual([
    'You have 18: nine of diamonds, nine of spades.',
    'Dealer shows seven.',
  ]);
  expect(eventSentences(dealt, events, speech(3))[0]).toBe('Box 1: 18: nine of diamonds, nine of spades.');
});
test('a soft total is said both ways', () => {
  const soft = round([[hand('AD 6S', 17, { low: 7 })]]);
  expect(eventSentences(soft, [did('card', 0)], speech(1))).toEqual([
    'You have 7 or 17: ace of diamonds, six of spades.',
  ]);
});
test('a decision and its bust', () => {
  const bust = round([[hand('KD 6S TC', 26, { outcome: 'bust', finished: true })]]);
  expect(eventSentences(bust, [did('decided', 0, 'hit'), did('card', 0)], speech(1))).toEqual([
    'Hit.',
    'You have 26, bust: king of diamonds, six of spades, ten of clubs.',
  ]);
});
test('your turn says what can’t be paid for, and what happens instead', () => {
  expect(turnSentence(round([[hand('9D 9S', 18)]]), speech(1))).toBe(
    'Your turn: 18. Hit or stand. Balance too low for a double. The hand hits instead.',
  );
  expect(turnSentence(round([[hand('9D 2S', 11), hand('9S 3C', 12)]]), speech(3))).toBe(
    'Your turn, box 1, first hand: 11. Hit or stand. Balance too low for a double. The hand hits instead.',
  );
});
test('an offer names its price', () => {
  const offer: TurnView = { box: 0, hand: 0, options: [option('insure', 500), option('decline_insurance')] };
  expect(turnSentence(round([[hand('9D 9S', 18)]], { turns: [offer] }), speech(1))).toBe(
    'Insurance for €5.00?',
  );
});
test('even money is called as the table calls it', () => {
  const offer: TurnView = {
    box: 0,
    hand: 0,
    options: [option('take_even_money'), option('decline_even_money')],
  };
  const offered = round([[hand('AD KS', 21, { blackjack: true })]], { turns: [offer] });
  const taken = round([[hand('AD KS', 21, { outcome: 'even_money', returned_minor: 2000 })]], { turns: [] });
  const own = { ...speech(1), table: { boxes: 1, called: { even_money: 'Even Play' } } };
  expect(turnSentence(offered, speech(1))).toBe('Even money?');
  expect(turnSentence(offered, own)).toBe('Even Play?');
  expect(eventSentences(taken, [did('decided', 0, 'decline_even_money')], speech(1))).toEqual([
    'No even money.',
  ]);
  expect(eventSentences(taken, [did('decided', 0, 'take_even_money')], own)).toEqual(['Even Play.']);
  expect(described(taken, own)).toContain('You have 21, Even Play: ');
});
test('the result is stated by box and in all', () => {
  const ended = round(
    [
      [hand('9D 9S', 18, { returned_minor: 2000, outcome: 'won' })],
      [hand('9D 8S', 17, { returned_minor: 0, outcome: 'lost' })],
    ],
    { turns: [], ended: true, staked_minor: 2000, returned_minor: 2000 },
  );
  expect(resultSentence(ended, speech(3))).toBe(
    'Box 1 +€10.00. Box 2 −€10.00. You break even. Staked €20.00, returned €20.00.',
  );
});
test('a peek that found nothing', () => {
  const peeked = round([[hand('9D 9S', 18)]]);
  expect(eventSentences(peeked, [did('peeked')], speech(1))).toEqual(['Dealer looked: no blackjack.']);
});
test('a peek whose blackjack is turned later', () => {
  const peeked = round([[hand('9D 9S', 18)]], { turns: [] });
  expect(eventSentences(peeked, [did('peeked')], speech(1))).toEqual([
    'Dealer looked: the card stays face down for now.',
  ]);
});
test('hands of a split are distinguished', () => {
  const two = round([[hand('9D', 9), hand('9S', 9)]]);
  expect(whose(two.view, { box: 0, hand: 1 }, { boxes: 1 })).toBe('Your second hand');
  expect(whose(two.view, { box: 0, hand: 1 }, { boxes: 3 })).toBe('Box 1, second hand');
});
test('the table in a few sentences', () => {
  expect(described(round([[hand('9D 9S', 18)]]), speech(1))).toBe(
    'Dealer shows seven. You have 18: nine of diamonds, nine of spades. Staked €10.00. Your turn: 18. Hit or stand. Balance too low for a double. The hand hits instead.',
  );
  expect(described(null, speech(1))).toBe('No cards on the table.');
});
test('a limit names the bet and the amount', () => {
  const limits = [
    { bet: 'main', title: 'Blackjack', kind: '', main: true, min_minor: 1, max_minor: 50_000, pays: [] },
  ];
  const notice = { code: 'maximum_reached', spot: { box: 1, bet: 'main' }, minor: 50_000 } as const;
  expect(noticeSentence(notice, { ...speech(3), bets: limits })).toBe(
    'Box 2, Blackjack: maximum of €500.00 reached.',
  );
});

test('a play that the balance doesn’t cover says beforehand what happens instead', () => {
  const turn = (...options: TurnView['options']) => ({ ...play, options });
  const double = option('double', 1000, false);
  const split = option('split', 1000, false);
  expect(lowBalance(turn(option('double', 1000)))).toBe('');
  expect(lowBalance(turn(double))).toBe('Balance too low for a double. The hand hits instead.');
  expect(lowBalance(turn(double, split))).toBe(
    'Balance too low for a double or a split. The hand hits instead.',
  );
  expect(lowBalance(turn(double, { ...split, instead: 'stand' }))).toBe(
    'Balance too low for a double or a split. A double hits instead, a split stands instead.',
  );
  expect(lowBalance(turn({ ...option('insure', 500, false), instead: 'decline_insurance' }))).toBe('');
});
test('what the table decided for the player says why', () => {
  const { table } = speech(1);
  expect(decidedForYou({ action: 'hit', by: 'low_balance' }, table)).toBe(
    'Balance too low. The table decided for you: hit.',
  );
  expect(decidedForYou({ action: 'hit', by: '' }, table)).toBe('');
  expect(
    eventSentences(
      round([[hand('5D 6S', 11)]]),
      [{ ...did('decided', 0, 'hit'), by: 'low_balance' }],
      speech(1),
    ),
  ).toContain('Balance too low. Hit.');
});
