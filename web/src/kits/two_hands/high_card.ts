/** A card for each side, and the higher wins: what Dragon Tiger and Football Studio have in common. */
import { cardName } from '../../state/event_words';
import { indexOf } from '../../table/card_faces';
import { dealMs } from './deal';
import type { Labels } from './labels';
import type { Winner } from '../roads/roads';
import type { RoundEvent } from '../../wire';

/** The cards as far as they have been dealt. */
export interface HighCards {
  readonly first: string | null;
  readonly second: string | null;
  readonly won: Winner | null;
}

const dealt = (card: string | null) => (card ? [card] : []);

/** A side's card as the scene lays it. */
export const faced = (card: string | null) => ({
  cards: dealt(card),
  totalAfter: () => (card ? indexOf(card) : ''),
});

export const motionMs = ({ first, second }: HighCards, did: readonly RoundEvent[]): number =>
  dealMs(dealt(first).length, dealt(second).length, did);

export const outcome = ({ won }: HighCards, labels: Labels): string =>
  won ? `${labels[won].title}${won === 'tie' ? '' : ' wins'}` : '';

/** `Dragon king of hearts, Tiger seven of spades: Dragon wins.` */
export function cameUp(highCards: HighCards, labels: Labels): string {
  const sides = (['first', 'second'] as const).flatMap((side) => {
    const card = highCards[side];
    return card ? [`${labels[side].title} ${cardName(card)}`] : [];
  });
  const text = [sides.join(', '), outcome(highCards, labels)].filter(Boolean).join(': ');
  return text && `${text}.`;
}
