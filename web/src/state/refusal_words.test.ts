import { describe, expect, it } from 'vitest';
import type { CurrencyView } from '../wire';
import { FOR_GOOD_MS } from './limit_words';
import { refusalWords } from './refusal_words';

const EUR: CurrencyView = { code: 'EUR', name: 'Euro', decimals: 2, symbol: '€', play_money: true };

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
      'Your bets in one round may total at most €5.',
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

  it('say how much of a player’s own limit is left', () => {
    const args = { what: 'wager', period: 'month', most_minor: 5_000, left_minor: 50 };
    expect(refusalWords('over_own_limit', args, EUR)).toBe(
      'Your limit on stakes per month is €50; €0.50 is left.',
    );
  });

  it('say until when a player is barred', () => {
    const at = new Date(2027, 0, 2, 3, 4).getTime();
    expect(refusalWords('barred', { why: 'time_out', until_ms: at })).toBe(
      'You’re taking a break. You can play again on 2 Jan 2027 at 03:04.',
    );
    expect(refusalWords('barred', { why: 'exclusion', until_ms: FOR_GOOD_MS })).toBe(
      'You have excluded yourself. You can no longer play here.',
    );
  });
});
