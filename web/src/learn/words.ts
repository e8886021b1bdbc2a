import type { DecisionAdvice, DecisionReview, TrainingTotals } from '../wire';

/** `Decline insurance`. */
export function actionWords(action: string): string {
  const words = action.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `+0.190`, `−0.535`: initial stakes. */
export function worth(units: number): string {
  const text = Math.abs(units).toFixed(3);
  return Number(text) ? `${units < 0 ? '−' : '+'}${text}` : text;
}

/** `0.006`; what is less than can be shown isn't nothing. */
export const cost = (units: number): string =>
  units > 0 && units < 0.0005 ? 'less than 0.001' : units.toFixed(3);

/** `Best: hit, −0.535. Stand −0.541, double −1.069.` */
export function adviceWords({ best, options }: DecisionAdvice, whose = ''): string {
  const worthWords = ({ action, worth: units }: DecisionAdvice['options'][number]) =>
    `${actionWords(action).toLowerCase()} ${worth(units)}`;
  const others = options.filter(({ action }) => action !== best).sort((one, two) => two.worth - one.worth);
  const first = options.find(({ action }) => action === best);
  const rest = others.map(worthWords).join(', ');
  const sentences = [first ? `best is ${worthWords(first)}` : '', rest && `others: ${rest}`].filter(Boolean);
  return `${whose}${sentences.map((one) => `${one.charAt(0).toUpperCase()}${one.slice(1)}.`).join(' ')}`;
}

/** `Better: hit (−0.535). Stand (−0.541) cost 0.006.` */
export function judgedWords({ action, best, cost: lost, options }: DecisionReview): string {
  const of = (name: string) => worth(options.find((option) => option.action === name)?.worth ?? 0);
  const chosen = actionWords(action);
  if (!lost) return `${chosen} was the best decision (${of(action)}).`;
  return `Better: ${actionWords(best).toLowerCase()} (${of(best)}). ${chosen} (${of(action)}) cost ${cost(lost)}.`;
}

const many = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

/** `12 decisions, 2 mistakes, 0.130 lost`. */
export const totalWords = ({ decisions, mistakes, cost: lost }: TrainingTotals): string =>
  `${many(decisions, 'decision')}, ${many(mistakes, 'mistake')}, ${cost(lost)} lost`;
