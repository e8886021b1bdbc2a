/** Durations, days and times of day in words. */

/** `7 days`, `5 years`; 0 is `for good`. */
export function daysWords(days: number): string {
  if (!days) return 'for good';
  const [n, unit] = days % 365 ? [days, 'day'] : [days / 365, 'year'];
  return `${n} ${unit}${n === 1 ? '' : 's'}`;
}

/** How long to wait: `40 seconds`, `1 hour 12 minutes`. */
export const waitWords = (seconds: number): string =>
  seconds < 120 ? `${seconds} second${seconds === 1 ? '' : 's'}` : duration(Math.ceil(seconds / 60) * 60_000);

/** `00:42:10`; hours go on counting past a day. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

/** `1 hour 12 minutes`, for sentences. */
export function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const counted = (n: number, unit: string) => (n ? `${n} ${unit}${n === 1 ? '' : 's'}` : '');
  const words = [counted(Math.floor(minutes / 60), 'hour'), counted(minutes % 60, 'minute')].filter(Boolean);
  return words.join(' ') || 'less than a minute';
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const DAYTIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export const clockTime = (ms: number) => CLOCK.format(ms);
export const day = (ms: number) => DAY.format(ms);
/** A day such as `2026-11-25`, in words. */
export const dayWords = (date: string) => (date ? DAY.format(Date.parse(`${date}T12:00:00`)) : 'undated');
export const dayTime = (ms: number) => DAYTIME.format(ms);
