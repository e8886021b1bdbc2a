import { money, result } from '../../state/money';
import { cardName } from '../../state/event_words';
import { accounted, boxName, verdict, type Named, type SpeechContext } from '../../table/speech';
import type { RoundEvent } from '../../wire';
import type { BlackjackView, HandView, OptionView, TurnView } from './wire';
import {
  handAt,
  isTooDear,
  isSettled,
  netOf,
  offerTurns,
  optionOf,
  playTurn,
  standing,
  totalText,
  type Action,
  type BlackjackRound,
} from './view_queries';

export const ACTION_NAMES: Readonly<Record<Action, string>> = {
  hit: 'Hit',
  stand: 'Stand',
  double: 'Double',
  split: 'Split',
  insure: 'Insurance',
  decline_insurance: 'No insurance',
  take_even_money: 'Even money',
  decline_even_money: 'No even money',
};

const names = (cards: readonly string[]) => cards.map(cardName).join(', ');

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const sentence = (text: string) => `${capital(text)}.`;

/** The table's name for even money, in mid-sentence. */
export const evenMoney = ({ called }: Named) => called?.['even_money'] ?? 'even money';

/** Name of the offer under an ace: `Insurance`, `Even money`. */
export const offerName = (turn: TurnView, table: Named) =>
  optionOf(turn, 'insure') ? 'Insurance' : capital(evenMoney(table));

/** `Box 2`, `Box 2, first hand`, or at a table of one box `You`. */
export function whose(
  view: Pick<BlackjackView, 'boxes'>,
  { box, hand }: { box: number; hand: number },
  table: Named,
): string {
  const split = (view.boxes.find((b) => b.box === box)?.hands.length ?? 1) > 1;
  const place = split ? (hand ? 'second hand' : 'first hand') : '';
  const name = boxName(table, box);
  if (name === 'You') return place ? `Your ${place}` : name;
  return [name, place].filter(Boolean).join(', ');
}

/** `18: nine of diamonds, nine of spades`. */
function handWords(hand: HandView, { called }: Named): string {
  const { word } = standing(hand, called);
  const total = totalText(hand, isSettled(hand)).replace(' / ', ' or ');
  return `${total}${word ? `, ${word}` : ''}: ${names(hand.cards)}`;
}

function handSentence(
  round: BlackjackRound,
  at: { box: number; hand: number },
  speech: SpeechContext,
): string {
  const hand = handAt(round.view, at);
  if (!hand?.cards.length) return '';
  const who = whose(round.view, at, speech.table);
  return `${who}${who === 'You' ? ' have' : ':'} ${handWords(hand, speech.table)}.`;
}

function dealerSentence({ view: { dealer } }: BlackjackRound): string {
  if (!dealer.cards.length) return '';
  if (dealer.face_down || dealer.cards.length === 1)
    return `Dealer shows ${cardName(dealer.cards[0]!).split(' ')[0]}.`;
  const word = dealer.blackjack ? ', blackjack' : dealer.bust ? ', bust' : '';
  return `Dealer has ${dealer.total}${word}: ${names(dealer.cards)}.`;
}

const DECIDED: Readonly<Record<Action, string>> = {
  hit: 'hit',
  stand: 'stand',
  double: 'double',
  split: 'split',
  insure: 'insured',
  decline_insurance: 'no insurance',
  take_even_money: 'even money',
  decline_even_money: 'no even money',
};

const decided = (action: Action, table: Named) =>
  (DECIDED[action] ?? action).replace('even money', evenMoney(table));

/** The hands that got a card, each once, in the order they got it. */
function touched(did: readonly RoundEvent[]): { box: number; hand: number }[] {
  const dealt = did.filter(({ what, box }) => what === 'card' && box >= 0);
  return [...new Map(dealt.map(({ box, hand }) => [`${box}.${hand}`, { box, hand }])).values()];
}

function decisions(did: readonly RoundEvent[], table: Named): string[] {
  return did
    .filter(({ what }) => what === 'decided')
    .map(({ action, by }) => `${WHY[by] ?? ''}${sentence(decided(action as Action, table))}`);
}

/** Why the table decided for the player. */
const WHY: Readonly<Record<string, string>> = { low_balance: 'Balance too low. ', time_out: 'Time is up. ' };

/** The action the table took for the player, and why; empty for the player's own decisions. */
export function decidedForYou({ action, by }: { action: string; by: string }, table: Named): string {
  const why = WHY[by];
  return why ? `${why}The table decided for you: ${verb(action, table)}.` : '';
}

/** `hit`, `take insurance`, `decline even money`. */
export const verb = (action: string, table: Named) =>
  action === 'insure'
    ? 'take insurance'
    : action.replaceAll('_', ' ').replace('even money', evenMoney(table));

/** The warning that an action isn't covered by the balance, and the action taken instead. */
export function lowBalance(turn: TurnView): string {
  const dear = turn.options.filter(isTooDear);
  const [first, second] = dear;
  if (!first) return '';
  const too = `Balance too low for ${dear.map(({ action }) => `a ${action}`).join(' or ')}.`;
  if (second && first.instead !== second.instead)
    return `${too} ${capital(insteadOf(first))}, ${insteadOf(second)}.`;
  return `${too} The hand ${INSTEAD[first.instead]} instead.`;
}

const INSTEAD: Readonly<Record<string, string>> = { hit: 'hits', stand: 'stands' };
const insteadOf = ({ action, instead }: OptionView) => `a ${action} ${INSTEAD[instead]} instead`;
/** `hits`, on the button of a play that the balance doesn't cover. */
export const insteadNote = ({ instead }: OptionView) => `${INSTEAD[instead]} instead`;

/** Sentences for the events of a message. */
export function eventSentences(
  round: BlackjackRound,
  did: readonly RoundEvent[],
  speech: SpeechContext,
): string[] {
  const dealer = did.some(({ what, box }) => (what === 'card' || what === 'turned') && box === -1);
  const looked = did.some(({ what }) => what === 'peeked') && round.view.dealer.face_down;
  // A dealer's blackjack is turned by a later event, so only an open turn means that there is none.
  const found = round.view.turns.length ? 'no blackjack.' : 'the card stays face down for now.';
  return [
    ...decisions(did, speech.table),
    ...touched(did).map((at) => handSentence(round, at, speech)),
    dealer ? dealerSentence(round) : '',
    looked ? `Dealer looked: ${found}` : '',
    did.some(({ what }) => what === 'ended') ? resultSentence(round, speech) : '',
  ].filter(Boolean);
}

/** The instruction for the assertive region; empty if the player has nothing to do. */
export function turnSentence(round: BlackjackRound, speech: SpeechContext): string {
  const offers = offerTurns(round.view);
  if (offers.length) return offers.map((turn) => offerSentence(round, turn, speech)).join(' ');
  const turn = playTurn(round.view);
  if (!turn) return '';
  const who = turnOf(round, turn, speech.table);
  const total = handAt(round.view, turn)?.total ?? 0;
  return `Your turn${who && `, ${who}`}: ${total}. ${options(turn)}. ${lowBalance(turn)}`.trimEnd();
}

/** `box 2, first hand`, `second hand`; nothing where there is only one hand. */
export function turnOf({ view }: BlackjackRound, turn: TurnView, table: Named): string {
  const who = whose(view, turn, table).replace(/^You(r )?/, '');
  return who.replace(/^(Box|Seat)/, (word) => word.toLowerCase());
}

function options(turn: TurnView): string {
  const covered = turn.options.filter((option) => option.covered).map(({ action }) => ACTION_NAMES[action]);
  return covered
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')
    .replace(/(?<=[ ,])[A-Z]/g, (c) => c.toLowerCase());
}

function offerSentence(round: BlackjackRound, turn: TurnView, speech: SpeechContext): string {
  const name = whose(round.view, turn, speech.table);
  const who = name === 'You' ? '' : ` for ${name}`;
  const insure = turn.options.find(({ action }) => action === 'insure');
  if (!insure) return `${offerName(turn, speech.table)}${who}?`;
  return `Insurance${who} for ${money(insure.cost_minor, speech.currency)}?`;
}

/** `Plus €15.00: staked €10.00, returned €25.00.` by box where there are several. */
export function resultSentence(round: BlackjackRound, speech: SpeechContext): string {
  const { boxes } = round.view;
  const by =
    boxes.length > 1
      ? boxes.map((box) => `${boxName(speech.table, box.box)} ${result(netOf(box), speech.currency)}. `)
      : [];
  return `${by.join('')}${verdict(round, speech)}. ${accounted(round, speech)}`;
}

/** The whole table in words, for the T key. */
export function describe(round: BlackjackRound | null, speech: SpeechContext): string {
  if (!round) return 'No cards on the table.';
  const hands = round.view.boxes.flatMap(({ box, hands }) => hands.map((_, hand) => ({ box, hand })));
  const staked = `Staked ${money(round.view.staked_minor, speech.currency)}.`;
  const after = round.view.ended ? `${verdict(round, speech)}.` : turnSentence(round, speech);
  const lines = [dealerSentence(round), ...hands.map((at) => handSentence(round, at, speech)), staked, after];
  return lines.filter(Boolean).join(' ');
}
