import { describe, expect, it } from 'vitest';
import type { CurrencyView, RoundEvent } from '../wire';
import {
  FOR_GOOD_MS,
  cardName,
  daysWords,
  duration,
  elapsed,
  happened,
  limitWords,
  refusalWords,
} from './words';

const EUR: CurrencyView = { code: 'EUR', name: 'Euro', decimals: 2, symbol: '€', play_money: true };
const did = (part: Partial<RoundEvent>): RoundEvent => ({
  what: 'card',
  box: -1,
  hand: 0,
  card: '',
  came: '',
  action: '',
  by: '',
  name: '',
  reason: '',
  ...part,
});

describe('cards', () => {
  it('has a name for each of the 52', () => {
    const names = [...'A23456789TJQK'].flatMap((rank) => [...'CDHS'].map((suit) => cardName(rank + suit)));
    expect(new Set(names).size).toBe(52);
    expect(names.join()).not.toContain('undefined');
    expect(cardName('TD')).toBe('ten of diamonds');
  });
});

describe('a decision', () => {
  it('is called as its table calls it', () => {
    const taken = did({ what: 'decided', box: 0, action: 'take_even_money' });
    expect(happened(taken)).toBe('Box 1 takes even money.');
    expect(happened(taken, { even_money: 'Even Play' })).toBe('Box 1 takes Even Play.');
  });
});

describe('too many requests', () => {
  it.each([
    [1, '1 second'],
    [40, '40 seconds'],
    [3_600, '1 hour'],
    [3_700, '1 hour 2 minutes'],
  ])('tell after %d seconds how long to wait', (seconds, wait) => {
    expect(refusalWords('too_many_requests', { seconds })).toBe(
      `Too many requests. Nothing was changed; try again in ${wait}.`,
    );
  });
});

describe('a limit of the player’s own', () => {
  it('is called by what it is of', () => {
    expect(limitWords({ what: 'loss', period: 'day' })).toBe('Losses per day');
    expect(limitWords({ what: 'session', period: 'visit' })).toBe('Time per session');
  });

  it('says how much of it is left', () => {
    const args = { what: 'wager', period: 'month', most_minor: 5_000, left_minor: 50 };
    expect(refusalWords('over_own_limit', args, EUR)).toBe(
      'Your limit on stakes per month is €50; €0.50 is left.',
    );
  });
});

describe('a break', () => {
  it('is as long as it says, and says until when', () => {
    expect([1, 7, 180, 365, 1_825, 0].map(daysWords)).toEqual([
      '1 day',
      '7 days',
      '180 days',
      '1 year',
      '5 years',
      'for good',
    ]);
    const at = new Date(2027, 0, 2, 3, 4).getTime();
    expect(refusalWords('barred', { why: 'time_out', until_ms: at })).toBe(
      'You’re taking a break. You can play again on 2 Jan 2027 at 03:04.',
    );
    expect(refusalWords('barred', { why: 'exclusion', until_ms: FOR_GOOD_MS })).toBe(
      'You have excluded yourself. You can no longer play here.',
    );
  });
});

describe('refusals', () => {
  it('name the amount in the currency', () => {
    expect(refusalWords('over_maximum', { bet: 'main', max_minor: 50_000 }, EUR)).toBe(
      'The maximum bet is €500.',
    );
  });

  it('name the bet if the server does', () => {
    const args = { bet: 'split_17_20', title: 'Split 17/20', min_minor: 100 };
    expect(refusalWords('under_minimum', args, EUR)).toBe('Split 17/20: the minimum bet is €1.');
    expect(refusalWords('over_table_maximum', { staked_minor: 600, max_minor: 500 }, EUR)).toBe(
      'Your bets in one round may total €5 at most.',
    );
  });

  it('say which bets aren’t taken together, and by which rule', () => {
    expect(refusalWords('never_together', { bets: 'Player and Banker' })).toBe(
      'Player and Banker can’t be bet on in the same round.',
    );
    const args = { percent: 92, covered: 35, most: 34, outcomes: 37 };
    expect(refusalWords('covers_too_much', args)).toBe(
      'These bets cover 35 of 37 outcomes. You may cover at most 34 (92 %).',
    );
  });

  it('have words without a currency and for a code of a newer server', () => {
    expect(refusalWords('round_open')).toMatch(/Finish the open round/);
    expect(refusalWords('moon_is_full')).toBe('The server refused that (moon is full).');
  });
});

describe('happenings', () => {
  it.each([
    [did({ card: '7S' }), 'Dealer: seven of spades.'],
    [did({ box: 1, card: 'AH' }), 'Box 2: ace of hearts.'],
    [did({ box: 1, card: 'AH', name: 'Banker' }), 'Banker: ace of hearts.'],
    [did({ box: 0, hand: 1, what: 'decided', action: 'double' }), 'Box 1, hand 2 doubles.'],
    [did({ box: 0, what: 'decided', action: 'stand', by: 'player' }), 'Box 1 stands.'],
    [did({ box: 0, what: 'decided', action: 'stand', by: 'time_out' }), 'Box 1 stands (time ran out).'],
    [did({ what: 'face_down' }), 'Dealer: a card face down.'],
    [did({ what: 'turned', card: 'TH' }), 'Dealer turns the ten of hearts.'],
    [did({ what: 'ended' }), 'The round has ended.'],
  ])('%o', (happening, sentence) => {
    expect(happened(happening)).toBe(sentence);
  });
});

describe('time', () => {
  it('counts hours on past a day', () => {
    expect([0, 61_000, 2_530_000, 90_061_000].map(elapsed)).toEqual([
      '00:00:00',
      '00:01:01',
      '00:42:10',
      '25:01:01',
    ]);
  });

  it('has words', () => {
    expect([30_000, 60_000, 3_600_000, 7_380_000].map(duration)).toEqual([
      'less than a minute',
      '1 minute',
      '1 hour',
      '2 hours 3 minutes',
    ]);
  });
});
