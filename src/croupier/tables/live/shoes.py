"""The shoes of a table: shuffled, burned, dealt out and changed."""

from croupier.equipment.shoe import UnseenCards, burn_count
from croupier.refusal import Refused
from croupier.tables.live.effects import RequestCard, RequestShuffle
from croupier.tables.live.inputs import Shuffled
from croupier.tables.live.manager import close_now, request_round
from croupier.tables.live.notices import StepShown
from croupier.tables.live.state import FIRST_CARD, Change, RoundCheckpoint, State

BURN_WORDS = "the shoe's first card, turned; then burn as many cards as it counts (tens and faces: ten)"


def shuffled(change: Change, given: Shuffled) -> Change:
    state = change.state
    in_use = given.shoe == state.shoe and state.phase != "shuffling"
    if not 0 <= given.shoe < state.setup.cards.shoes or given.shoe in state.ready_shoes or in_use:
        raise Refused("not_wanted", shoe=given.shoe)
    return change.put(ready_shoes=state.ready_shoes | {given.shoe})


def start_shoe(change: Change) -> Change:
    """Take the next shoe into use once it is shuffled, and its first card turned if the rules require it."""
    state = change.state
    if state.closing:
        return close_now(change.put(ready_shoes=frozenset[int]()))
    if state.shoe not in state.ready_shoes or state.wanted:
        return change
    unseen = UnseenCards.of(state.setup.cards.decks)
    if state.setup.cards.burn == "none":
        return _use_shoe(change.put(unseen=unseen, burned=0))
    ask = state.ask + 1
    request = RequestCard(FIRST_CARD, BURN_WORDS, ask)
    return change.put(wanted=BURN_WORDS, ask=ask, unseen=unseen).emit(request)


def burn(change: Change, what: str) -> Change:
    """Record the first card of a fresh shoe and the cards burned with it."""
    change = set_first_card(change, change.state.unseen, what)
    return _use_shoe(change.broadcast(StepShown(f"{FIRST_CARD.to} {what}")))


def set_first_card(change: Change, full: UnseenCards, what: str) -> Change:
    """Set the first card of the shoe; `full` are the unseen cards before it."""
    try:
        first = FIRST_CARD.parse(what)
    except ValueError:
        raise Refused("not_wanted", what=what, want=type(FIRST_CARD).__name__) from None
    checkpoint = RoundCheckpoint(None, full, (what,))
    return change.put(unseen=full.without(first), burned=burn_count(first), checkpoint=checkpoint)


def _use_shoe(change: Change) -> Change:
    ready, since_ms = change.state.ready_shoes - {change.state.shoe}, change.state.now_ms
    return request_round(change.put(ready_shoes=ready, shoe_since_ms=since_ms))


def after_pause(change: Change) -> Change:
    """Open the next round, change a shoe that is dealt out, or close the table."""
    state = change.state
    if state.closing:
        return close_now(change)
    if not dealt_out(state):
        return request_round(change.put(after_cut=state.after_cut + state.cut_card))
    shoe = (state.shoe + 1) % state.setup.cards.shoes
    change = change.enter("shuffling", shoe=shoe, cut_card=False, after_cut=0)
    return change.emit(RequestShuffle(state.shoe))


def dealt_out(state: State) -> bool:
    """Return whether no further round is dealt from this shoe; see ShoePolicy."""
    left = sum(state.unseen.counts) - state.burned
    return state.setup.cards.is_exhausted(left, cut_card=state.cut_card, after_cut=state.after_cut)
