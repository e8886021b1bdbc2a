"""The shoes of a table: shuffled, their first cards burned, dealt out, and changed."""

from croupier.equipment.shoe import UnseenCards, burn_count
from croupier.refusal import Refused
from croupier.tables.live.effects import RequestCard, RequestShuffle
from croupier.tables.live.inputs import Shuffled
from croupier.tables.live.manager import opening, shut
from croupier.tables.live.notices import StepShown
from croupier.tables.live.state import FIRST_CARD, Change, Checkpoint, State

BURN_WORDS = "the shoe's first card, turned; then burn as many cards as it counts (tens and faces: ten)"


def shuffled(change: Change, given: Shuffled) -> Change:
    state = change.state
    in_use = given.shoe == state.shoe and state.phase != "shuffling"
    if not 0 <= given.shoe < state.setup.cards.shoes or given.shoe in state.ready or in_use:
        raise Refused("not_wanted", shoe=given.shoe)
    return change.put(ready=state.ready | {given.shoe})


def next_shoe(change: Change) -> Change:
    """When the shoe whose turn it is lies ready, it is dealt from; its first card may be burned before."""
    state = change.state
    if state.closing:
        return shut(change.put(ready=frozenset[int]()))
    if state.shoe not in state.ready or state.wanted:
        return change
    unseen = UnseenCards.of(state.setup.cards.decks)
    if state.setup.cards.burn == "none":
        return _in_use(change.put(unseen=unseen, burned=0))
    ask = state.asks + 1
    return change.put(wanted=BURN_WORDS, asks=ask, unseen=unseen).do(RequestCard(FIRST_CARD, BURN_WORDS, ask))


def burned(change: Change, what: str) -> Change:
    """The first card of a fresh shoe was turned; as many as it counts went face down behind it."""
    change = with_first(change, change.state.unseen, what)
    return _in_use(change.tell(StepShown(f"{FIRST_CARD.to} {what}")))


def with_first(change: Change, full: UnseenCards, what: str) -> Change:
    """`what` is the first card of the shoe that was `full`; nothing else has been dealt from it."""
    try:
        first = FIRST_CARD.parse(what)
    except ValueError:
        raise Refused("not_wanted", what=what, want=type(FIRST_CARD).__name__) from None
    return change.put(
        unseen=full.without(first), burned=burn_count(first), cut=Checkpoint(None, full, (what,))
    )


def _in_use(change: Change) -> Change:
    """The shoe whose turn it is is dealt from."""
    ready, since_ms = change.state.ready - {change.state.shoe}, change.state.now_ms
    return opening(change.put(ready=ready, shoe_since_ms=since_ms))


def after_pause(change: Change) -> Change:
    """The next round, with the other shoe if this one is dealt out; or none, if the manager closes."""
    state = change.state
    if state.closing:
        return shut(change)
    if not dealt_out(state):
        return opening(change.put(after_cut=state.after_cut + state.cut_card))
    shoe = (state.shoe + 1) % state.setup.cards.shoes
    change = change.enter("shuffling", shoe=shoe, cut_card=False, after_cut=0)
    return change.do(RequestShuffle(state.shoe))


def dealt_out(state: State) -> bool:
    """Whether no round follows from this shoe: see Cards."""
    left = sum(state.unseen.counts) - state.burned
    return state.setup.cards.is_exhausted(left, cut_card=state.cut_card, after_cut=state.after_cut)
