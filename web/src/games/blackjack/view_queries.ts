import type { LobbyTable } from '../../wire';
import type { BoxView, DealerView, HandView, OptionView, Outcome, BlackjackView, TurnView } from './wire';
import type { Played } from '../../table/rounds';

/** Queries on a view: turns, options, outcomes. */
export type BlackjackRound = Played<BlackjackView>;

export type Action = OptionView['action'];
export const PLAYS = ['hit', 'stand', 'double', 'split'] as const satisfies readonly Action[];
export const OFFERS = [
  'insure',
  'decline_insurance',
  'take_even_money',
  'decline_even_money',
] as const satisfies readonly Action[];

const has = (turn: TurnView, actions: readonly Action[]) =>
  turn.options.some(({ action }) => actions.includes(action));

/** The hand in turn. Split hands that decide together are asked one by one. */
export function playTurn(view: Pick<BlackjackView, 'turns'>): TurnView | null {
  return view.turns.find((turn) => has(turn, PLAYS)) ?? null;
}

/** Insurance and even money still open, each box for itself. */
export function offerTurns(view: Pick<BlackjackView, 'turns'>): TurnView[] {
  return view.turns.filter((turn) => has(turn, OFFERS));
}

const sameHand = (a: TurnView, b: TurnView) => a.box === b.box && a.hand === b.hand;

/** Earlier offers in their places, answered or not, followed by new ones. */
export function offered(before: readonly TurnView[], open: readonly TurnView[]): readonly TurnView[] {
  const now = (turn: TurnView) => open.find((one) => sameHand(one, turn)) ?? turn;
  return [...before.map(now), ...open.filter((one) => !before.some((turn) => sameHand(one, turn)))];
}

export function optionOf(turn: TurnView | null, action: Action): OptionView | null {
  return turn?.options.find((option) => option.action === action) ?? null;
}

/** A decision for what the balance covers now: it may have been spent at another table since it was offered. */
export function payable(turn: TurnView, balanceMinor: number): TurnView {
  const options = turn.options.map((option) => ({
    ...option,
    covered: option.cost_min_minor <= balanceMinor,
  }));
  return { ...turn, options };
}

/** An action that the balance doesn't cover: the table substitutes another (003). */
export const isTooDear = ({ action, covered, instead }: OptionView): boolean =>
  !covered && instead !== '' && (PLAYS as readonly Action[]).includes(action);

export function handAt(view: BlackjackView, at: { box: number; hand: number }): HandView | null {
  return view.boxes.find(({ box }) => box === at.box)?.hands[at.hand] ?? null;
}

/** A key for the current question, unique within a round: the open turns and all cards of the box in turn. */
export function asked(view: BlackjackView, open: readonly TurnView[]): string {
  const turns = open.map(({ box, hand, options }) => `${box}.${hand}.${options.length}`);
  const playing = playTurn({ turns: open })?.box;
  // A split may leave as many cards and as many options: 2-2 becomes 2-9, which may be doubled.
  const hands = view.boxes.find(({ box }) => box === playing)?.hands ?? [];
  return `${turns.join()} ${hands.map(({ cards }) => cards.length).join('+')}`;
}

export type Tone = 'open' | 'good' | 'bad';
export interface Standing {
  readonly tone: Tone;
  readonly mark: string;
  readonly word: string;
}

const OPEN: Standing = { tone: 'open', mark: '', word: '' };
const good = (mark: string, word: string): Standing => ({ tone: 'good', mark, word });
const bad = (word: string): Standing => ({ tone: 'bad', mark: '✕', word });

const OUTCOMES: Readonly<Record<Outcome, Standing>> = {
  won: good('✓', 'won'),
  pushed: good('=', 'push'),
  blackjack: good('★', 'blackjack'),
  charlie: good('★', 'Charlie'),
  even_money: good('✓', 'even money'),
  lost: bad('lost'),
  bust: bad('bust'),
};

const worded = (word: string | undefined) => (word === undefined ? {} : { word });

/** `called`: what its table calls an outcome, where that isn't as in the game. */
export function standing(hand: HandView, called: LobbyTable['called'] = {}): Standing {
  if (hand.outcome) return { ...OUTCOMES[hand.outcome], ...worded(called[hand.outcome]) };
  return hand.blackjack ? { ...OPEN, mark: '★', word: 'blackjack' } : OPEN;
}

export function dealerStanding(dealer: DealerView): Standing {
  if (dealer.blackjack) return { ...OPEN, mark: '★', word: 'blackjack' };
  return dealer.bust ? { ...OPEN, mark: '✕', word: 'bust' } : OPEN;
}

/** `5 / 15` while an ace may still count either way, else the best total. */
export function totalText({ low, total }: { low: number; total: number }, settled: boolean): string {
  return low === total || settled ? String(total) : `${low} / ${total}`;
}

/** Whether a hand's low total no longer matters. */
export const isSettled = (hand: HandView) => hand.finished || hand.blackjack || hand.total === 21;

/** A box's net result: returns less stakes of its hands, side bets and insurance. */
export function netOf(box: BoxView): number {
  const parts = [...box.hands, ...box.side_bets, ...(box.insurance ? [box.insurance] : [])];
  return parts.reduce((net, part) => net + (part.returned_minor ?? 0) - part.stake_minor, 0);
}

/** The odds of insurance as printed on the cloth; empty if there is none. */
export function insurancePays({ cloth }: Pick<LobbyTable, 'cloth'>): string {
  const line = cloth.find((text) => text.startsWith('Insurance '));
  return line?.slice('Insurance '.length) ?? '';
}
