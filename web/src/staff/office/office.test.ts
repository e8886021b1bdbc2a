import { expect, it } from 'vitest';
import type { ResultsReport } from '../wire';
import { daysFrom, daysOf } from './days';
import { dayLines, ggr, hold, sums, ticks } from './results';

it.each([
  ['today', '2026-11-25', '2026-11-25'],
  ['yesterday', '2026-11-24', '2026-11-24'],
  ['seven', '2026-11-19', '2026-11-25'],
  ['week', '2026-11-23', '2026-11-25'],
  ['last_week', '2026-11-16', '2026-11-22'],
  ['month', '2026-11-01', '2026-11-25'],
  ['last_month', '2026-10-01', '2026-10-31'],
] as const)('%s is from %s to %s on a Wednesday', (period, first, last) => {
  expect(daysOf(period, '2026-11-25')).toEqual([first, last]);
});

it('takes a Sunday as the last day of its week, and crosses years', () => {
  expect(daysOf('week', '2026-11-29')).toEqual(['2026-11-23', '2026-11-29']);
  expect(daysOf('last_month', '2027-01-31')).toEqual(['2026-12-01', '2026-12-31']);
  expect(daysFrom('2026-12-31', '2027-01-01')).toEqual(['2026-12-31', '2027-01-01']);
});

const line = { table: 'wheel', rounds: 2, voids: 1, players: 2, staked_minor: '400', returned_minor: '390' };
const report: ResultsReport = {
  time_zone: 'UTC',
  today: '2026-11-25',
  first: '2026-11-23',
  last: '2026-11-25',
  tables: [],
  days: [
    { ...line, day: '2026-11-23', currency: 'EUR' },
    { ...line, day: '2026-11-23', currency: 'GC' },
    { ...line, day: '2026-11-25', currency: 'EUR', table: 'classic', returned_minor: '500' },
    { ...line, day: '2026-11-25', currency: 'EUR' },
  ],
  players: [
    { day: '2026-11-23', currency: 'EUR', players: 2 },
    { day: '2026-11-25', currency: 'EUR', players: 3 },
  ],
};

it('adds up the tables of each day in one currency, and has days without a round', () => {
  const days = dayLines(report, 'EUR');
  expect(days.map(({ day, rounds, players }) => [day, rounds, players])).toEqual([
    ['2026-11-23', 2, 2],
    ['2026-11-24', 0, 0],
    ['2026-11-25', 4, 3],
  ]);
  expect(days.map(ggr)).toEqual([10n, 0n, -90n]);
  expect(days.map(hold)).toEqual(['2.50%', '–', '−11.25%']);
  expect(sums(days)).toEqual({ rounds: 6, voids: 3, staked_minor: 1200n, returned_minor: 1280n });
});

it('is exact above what a number holds', () => {
  const big = { ...report.days[0]!, staked_minor: `${2n ** 63n}1`, returned_minor: `${2n ** 63n}0` };
  expect(dayLines({ ...report, days: [big] }, 'EUR').map(ggr)).toEqual([1n, 0n, 0n]);
});

it('counts the players of a single table', () => {
  expect(dayLines({ ...report, days: report.days.slice(0, 1), players: [] }, 'EUR')[0]!.players).toBe(2);
});

it.each([
  [
    [0, 93],
    [0, 50, 100],
  ],
  [
    [-30, 70],
    [-50, 0, 50, 100],
  ],
  [[-7], [-8, -6, -4, -2, 0]],
  [[0], [0]],
])('%j has the marks %j', (values, marks) => {
  expect(ticks(values)).toEqual(marks);
});
