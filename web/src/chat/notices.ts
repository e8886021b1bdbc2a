/** Sentences for the server's chat notices, which arrive as codes. */
import type { Args } from '../state/refusal';
import { reasonWords } from '../state/event_words';

const why = ({ reason }: Args) => (reason ? `: ${reasonWords(String(reason))}` : '');
const round = ({ number }: Args) => (number ? `Round ${number}` : 'The round');

const NOTICES: Readonly<Record<string, (args: Args) => string>> = {
  paused: (args) => `The table is paused${why(args)}. Bets and hands stay as they are.`,
  resumed: () => 'The table continues.',
  voided: (args) => `${round(args)} was cancelled${why(args)}. Every stake was returned.`,
  restarted: (args) => `The server restarted. ${round(args)} was cancelled and every stake returned.`,
  corrected: (args) => `A dealing mistake was corrected${why(args)}.`,
  closed: () => 'The table is closed.',
  limits: () => 'The limits of this table have changed.',
  shuffling: () => 'The dealer shuffles.',
};

/** An unknown code is shown as it is. */
export function noticeWords(code: string, args: Args): string {
  return NOTICES[code]?.(args) ?? `${code.replaceAll('_', ' ')}${why(args)}.`;
}
