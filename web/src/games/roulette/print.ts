import type { BetLimits } from '../../wire';
import { insideOf } from './bets';

/** Labels printed on the layout. Red and black are a lozenge of their colour. */
const PRINTED: Readonly<Record<string, string>> = {
  dozen_1: '1st 12',
  dozen_2: '2nd 12',
  dozen_3: '3rd 12',
  odd: 'Odd',
  even: 'Even',
  low: '1–18',
  high: '19–36',
  red: '',
  black: '',
};

const odds = ({ pays }: BetLimits) => /\d+:\d+/.exec(pays.join(' '))?.[0] ?? '';

/** A number, the name of an outside bet, the odds of a column; nothing on edges and corners. */
export function printed(bet: BetLimits): string {
  const pockets = insideOf(bet.bet);
  if (pockets) return pockets.length === 1 ? pockets[0]! : '';
  return PRINTED[bet.bet] ?? odds(bet);
}
