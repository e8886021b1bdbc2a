/** Days such as `2026-11-25`, and the periods of reports. */

const DAY_MS = 86_400_000;
const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const written = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export const daysOn = (day: string, days: number): string => written(at(day) + days * DAY_MS);
/** All days from the first to the last. */
export const daysFrom = (first: string, last: string): readonly string[] =>
  Array.from({ length: (at(last) - at(first)) / DAY_MS + 1 }, (_, on) => daysOn(first, on));

const monday = (day: string) => daysOn(day, -((new Date(at(day)).getUTCDay() + 6) % 7));
const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`;

export const PERIODS = [
  ['today', 'Today'],
  ['yesterday', 'Yesterday'],
  ['seven', 'Last 7 days'],
  ['week', 'This week'],
  ['last_week', 'Last week'],
  ['month', 'This month'],
  ['last_month', 'Last month'],
  ['dates', 'From … to …'],
] as const;
export type PeriodName = (typeof PERIODS)[number][0];
export type Days = readonly [first: string, last: string];

/** The first and the last day of a period that ends today or before. */
export function daysOf(period: Exclude<PeriodName, 'dates'>, today: string): Days {
  switch (period) {
    case 'today':
      return [today, today];
    case 'yesterday':
      return [daysOn(today, -1), daysOn(today, -1)];
    case 'seven':
      return [daysOn(today, -6), today];
    case 'week':
      return [monday(today), today];
    case 'last_week':
      return [daysOn(monday(today), -7), daysOn(monday(today), -1)];
    case 'month':
      return [firstOfMonth(today), today];
    case 'last_month': {
      const last = daysOn(firstOfMonth(today), -1);
      return [firstOfMonth(last), last];
    }
  }
}
