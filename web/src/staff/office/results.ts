/** Sums of a report of results, in one currency. */
import type { ResultsReport } from '../wire';
import { daysFrom } from './days';

export interface Sums {
  readonly rounds: number;
  readonly voids: number;
  readonly staked_minor: bigint;
  readonly returned_minor: bigint;
}
export interface DayLine extends Sums {
  readonly day: string;
  readonly players: number;
}

export const ggr = ({ staked_minor, returned_minor }: Sums): bigint => staked_minor - returned_minor;

/** Part of the stakes that was won, `2.70%`; a dash where nothing was staked. */
export const hold = (of: Sums): string => percent(of.staked_minor ? partOf(ggr(of), of.staked_minor) : null);
/** Percent; far below rounding, so that floats are exact enough. */
export const partOf = (minor: bigint, whole: bigint): number => (100 * Number(minor)) / Number(whole);
export const percent = (value: number | null): string =>
  value === null ? '–' : `${value.toFixed(2).replace('-', '−')}%`;

export const sums = (lines: readonly Sums[]): Sums => ({
  rounds: lines.reduce((sum, line) => sum + line.rounds, 0),
  voids: lines.reduce((sum, line) => sum + line.voids, 0),
  staked_minor: lines.reduce((sum, line) => sum + line.staked_minor, 0n),
  returned_minor: lines.reduce((sum, line) => sum + line.returned_minor, 0n),
});

/** The same line with its sums as integers of any size. */
export const exact = <L extends { staked_minor: string; returned_minor: string }>(line: L) => ({
  ...line,
  staked_minor: BigInt(line.staked_minor),
  returned_minor: BigInt(line.returned_minor),
});

/** Every day of the report, also those without a round. */
export function dayLines(report: ResultsReport, currency: string): readonly DayLine[] {
  const inCurrency = report.days.filter((line) => line.currency === currency).map(exact);
  const players = new Map(
    report.players.filter((line) => line.currency === currency).map((line) => [line.day, line.players]),
  );
  return daysFrom(report.first, report.last).map((day) => {
    const lines = inCurrency.filter((line) => line.day === day);
    const atOne = lines.reduce((sum, line) => sum + line.players, 0);
    return { day, ...sums(lines), players: players.get(day) ?? atOne };
  });
}

/** Round values that cover a range and zero, lowest first: 1, 2 or 5 times a power of ten apart. */
export function ticks(values: readonly number[], most = 5): readonly number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const least = Math.max(1, (high - low) / (most - 1));
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= least) ?? 10);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: last - first + 1 }, (_, on) => (first + on) * step);
}
