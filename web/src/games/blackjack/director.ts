import { FLIGHT_MS, FLIP_MS, cardKey } from '../../table/flights';
import type { Happening } from '../../wire';
import type { BlackjackView } from './wire';

/**
 * When each card that came in one message leaves the shoe. The state on the cloth is final already:
 * a card without an entry simply lies there.
 */
const BETWEEN_MS = 90;
const DEALER_DRAWS_MS = 240;

function cardsAt(view: BlackjackView, box: number, hand: number): number {
  if (box === -1) return view.dealer.cards.length + Number(view.dealer.face_down);
  return view.boxes.find((b) => b.box === box)?.hands[hand]?.cards.length ?? 0;
}

/** The cards of a message are the last ones of their hands. */
export function delays(view: BlackjackView, did: readonly Happening[]): ReadonlyMap<string, number> {
  const dealt = did.filter(({ what }) => what === 'card' || what === 'face_down');
  const still = new Map<string, number>();
  for (const { box, hand } of dealt) still.set(`${box}.${hand}`, (still.get(`${box}.${hand}`) ?? 0) + 1);
  const at = new Map<string, number>();
  let clock = 0;
  for (const happening of did) {
    if (happening.what === 'turned') clock += FLIP_MS;
    if (happening.what !== 'card' && happening.what !== 'face_down') continue;
    const { box, hand } = happening;
    const left = still.get(`${box}.${hand}`)!;
    const place = cardsAt(view, box, hand) - left;
    still.set(`${box}.${hand}`, left - 1);
    at.set(cardKey(box, hand, place), clock);
    clock += box === -1 && place > 1 ? DEALER_DRAWS_MS : BETWEEN_MS;
  }
  return at;
}

/** When everything that `did` set in motion has come to rest. */
export function restMs(at: ReadonlyMap<string, number>, did: readonly Happening[]): number {
  const turned = did.some(({ what }) => what === 'turned') ? FLIP_MS : 0;
  return at.size ? Math.max(...at.values()) + FLIGHT_MS : turned;
}
