import { describe, expect, it } from 'vitest';
import { FOR_GOOD_MS, barredUntil, barredWords, limitWords } from './limit_words';

describe('a limit of the player’s own', () => {
  it('is called by what it is of', () => {
    expect(limitWords({ what: 'loss', period: 'day' })).toBe('Losses per day');
    expect(limitWords({ what: 'session', period: 'visit' })).toBe('Time in 24 hours');
  });
});

describe('a break', () => {
  it('says why, and until when', () => {
    const at = new Date(2027, 0, 2, 3, 4).getTime();
    expect(barredWords('time_out')).toBe('You’re taking a break.');
    expect(barredUntil(at)).toBe('You can play again on 2 Jan 2027 at 03:04.');
    expect(barredUntil(FOR_GOOD_MS)).toBe('You can no longer play here.');
  });
});
