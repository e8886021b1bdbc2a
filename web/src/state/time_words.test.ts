import { describe, expect, it } from 'vitest';
import { daysWords, duration, elapsed, waitWords } from './time_words';

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

  it('has words for whole days and years', () => {
    expect([1, 7, 180, 365, 1_825, 0].map(daysWords)).toEqual([
      '1 day',
      '7 days',
      '180 days',
      '1 year',
      '5 years',
      'for good',
    ]);
  });

  it('has words for how long to wait', () => {
    expect([1, 40, 3_600, 3_700].map(waitWords)).toEqual([
      '1 second',
      '40 seconds',
      '1 hour',
      '1 hour 2 minutes',
    ]);
  });
});
