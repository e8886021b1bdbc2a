import { expect, it } from 'vitest';
import { between, lately, monthsOf } from './period';

const at = (text: string) => new Date(text).getTime();

it('counts whole days back, today among them', () => {
  const now = at('2026-11-21T14:05');
  expect(lately(1, now)).toEqual({ fromMs: at('2026-11-21T00:00') });
  expect(lately(7, now)).toEqual({ fromMs: at('2026-11-15T00:00') });
  expect(lately(null, now)).toEqual({});
});

it('takes the last date as a whole day', () => {
  expect(between('2026-02-27', '2026-02-28')).toEqual({
    fromMs: at('2026-02-27T00:00'),
    toMs: at('2026-03-01T00:00'),
  });
  expect(between('', '2026-02-28')).toEqual({ fromMs: undefined, toMs: at('2026-03-01T00:00') });
  expect(between('', '')).toEqual({ fromMs: undefined, toMs: undefined });
});

it('has the twelve months of a year', () => {
  const months = monthsOf(2026);
  expect(months).toHaveLength(13);
  expect([months[0], months[11], months[12]]).toEqual([
    at('2026-01-01T00:00'),
    at('2026-12-01T00:00'),
    at('2027-01-01T00:00'),
  ]);
});
