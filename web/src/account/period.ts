/** A span of time in which rounds started: from the first moment to before the last. Absent: without an end. */
export interface Period {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export const PERIODS = [
  { name: 'all', label: 'All time', days: null },
  { name: 'today', label: 'Today', days: 1 },
  { name: 'week', label: 'Last 7 days', days: 7 },
  { name: 'month', label: 'Last 30 days', days: 30 },
  { name: 'year', label: 'Last 12 months', days: 365 },
  { name: 'dates', label: 'From … to …', days: null },
] as const;
export type PeriodName = (typeof PERIODS)[number]['name'];

/** Midnight of the day that `ms` is in, on this computer's calendar, or of one that many days on. */
function midnight(ms: number, daysOn: number): number {
  const day = new Date(ms);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysOn).getTime();
}

export function lately(days: number | null, nowMs: number): Period {
  return days === null ? {} : { fromMs: midnight(nowMs, 1 - days) };
}

/** Between two dates in the form of a date field, `2026-11-21`; the last day is included. */
export function between(from: string, to: string): Period {
  const at = (date: string, daysOn: number) => midnight(new Date(`${date}T12:00`).getTime(), daysOn);
  return { fromMs: from ? at(from, 0) : undefined, toMs: to ? at(to, 1) : undefined };
}

/** The starts of a year's months on this computer's calendar, and the end of the last. */
export const monthsOf = (year: number): number[] =>
  Array.from({ length: 13 }, (_, month) => new Date(year, month).getTime());
