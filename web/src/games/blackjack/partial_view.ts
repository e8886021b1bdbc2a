import { cardKey, type Moves } from '../../table/card_moves';
import type { BlackjackView, BoxView, DealerView, HandView } from './wire';

/**
 * Return the view to draw while cards move: every card has its place, but a hand's total appears when its cards
 * have landed, and the round's result when all have. A total of 0 isn't shown.
 */
export function drawn(
  view: BlackjackView,
  before: BlackjackView | null,
  all: Moves,
  passedMs: number,
): BlackjackView {
  const moving = new Moving(all, passedMs);
  if (!moving.any) return view;
  const boxes = view.boxes.map((box) =>
    boxOf(
      box,
      before?.boxes.find((one) => one.box === box.box),
      moving,
    ),
  );
  return {
    ...view,
    boxes,
    dealer: dealerOf(view.dealer, before?.dealer, moving),
    // The turn stays where it was until that hand's card has landed; then nobody has the turn until all have.
    turns: view.boxes.some(({ box, hands }) => hands.some((_, hand) => moving.inHand(box, hand)))
      ? (before?.turns ?? [])
      : [],
    ended: false,
    returned_minor: 0,
  };
}

/** The cards still moving. */
class Moving {
  readonly #keys: readonly string[];
  readonly #waiting: readonly string[];

  constructor(all: Moves, passedMs: number) {
    this.#keys = [...all.keys()];
    this.#waiting = this.#keys.filter((key) => all.get(key)!.restMs > passedMs);
  }

  get any(): boolean {
    return this.#waiting.length > 0;
  }

  inHand(box: number, hand: number): boolean {
    return this.#waiting.some((key) => isOf(key, box, hand));
  }

  /** None of this hand's new cards has landed: draw it as before. */
  noneIn(box: number, hand: number): boolean {
    const count = (keys: readonly string[]) => keys.filter((key) => isOf(key, box, hand)).length;
    return count(this.#keys) === count(this.#waiting);
  }
}

const isOf = (key: string, box: number, hand: number) => key.startsWith(cardKey(box, hand, 0).slice(0, -1));

const HIDDEN = { low: 0, total: 0, blackjack: false };

function boxOf(box: BoxView, before: BoxView | undefined, moving: Moving): BoxView {
  return {
    ...box,
    hands: box.hands.map((hand, place) => {
      // A hand that was split is another one.
      const same = before?.hands.length === box.hands.length ? before.hands[place] : undefined;
      return handOf(hand, same, moving, box.box, place);
    }),
    side_bets: box.side_bets.map((side) => {
      const was = before?.side_bets.find(({ bet }) => bet === side.bet);
      return { ...side, returned_minor: was?.returned_minor ?? null, outcome: was?.outcome ?? null };
    }),
    insurance: box.insurance && {
      ...box.insurance,
      returned_minor: before?.insurance?.returned_minor ?? null,
    },
  };
}

function handOf(
  hand: HandView,
  before: HandView | undefined,
  moving: Moving,
  box: number,
  place: number,
): HandView {
  const open = { ...hand, returned_minor: before?.returned_minor ?? null };
  // A bust shows at once, what else came of it when the round has ended.
  if (!moving.inHand(box, place))
    return { ...open, outcome: hand.outcome === 'bust' ? 'bust' : (before?.outcome ?? null) };
  const { low, total, blackjack, finished, outcome } =
    before && moving.noneIn(box, place) ? before : { ...HIDDEN, finished: false, outcome: null };
  return { ...open, low, total, blackjack, finished, outcome };
}

function dealerOf(dealer: DealerView, before: DealerView | undefined, moving: Moving): DealerView {
  if (!moving.inHand(-1, 0)) return dealer;
  const { low, total, blackjack, bust } =
    before?.cards.length && moving.noneIn(-1, 0) ? before : { ...HIDDEN, bust: false };
  return { ...dealer, low, total, blackjack, bust };
}
