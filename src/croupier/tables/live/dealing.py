"""The cards of a round: from the close of the bets to the last card, and the manager's corrections."""

from msgspec.structs import replace

from croupier.equipment.cards import Card
from croupier.equipment.shoe import UnseenCards
from croupier.play.contract.wants import DEALER, DealCard, RollDice, SpinWheel, TurnCard, Want
from croupier.refusal import Refused
from croupier.tables.live import windows
from croupier.tables.live.deciding import playing
from croupier.tables.live.effects import RequestCard
from croupier.tables.live.holds import drop, release
from croupier.tables.live.inputs import Corrected, CutCard, Dealt, SpinInvalid
from croupier.tables.live.notices import Notice, StepShown
from croupier.tables.live.phases import DEALT_PHASES, WINDOW_PHASES, Phase
from croupier.tables.live.round_play import RoundPlay, step_text
from croupier.tables.live.shoes import burned, with_first
from croupier.tables.live.start import begun
from croupier.tables.live.state import Change, Checkpoint


def started(change: Change) -> Change:
    """Every stake is held: the first card is wanted."""
    state, table = change.state, change.state.setup.table
    bets = {player.name: player.bet for player in state.players.values() if player.bet}
    play = begun(table.game, table.rules, bets)
    return change.enter("dealing", play=play, cut=Checkpoint(play, state.unseen))


def going_on(change: Change) -> Change:
    """Who deals is asked for the next card; with none wanted a window opens, or the round has ended."""
    state, play = change.state, playing(change.state)
    if not (asking := play.asking):
        return windows.opened(change) if play.open else _ended(change)
    if state.wanted:
        return change
    round_, want = asking
    phase = _phase(state.phase, want)
    change = change if phase == state.phase else change.enter(phase)
    words = state.setup.live.dealer_prompt(round_, want)
    ask = state.asks + 1
    return change.put(wanted=words, asks=ask).do(RequestCard(want, words, ask))


def _ended(change: Change) -> Change:
    return change.enter("settlement", change.state.setup.rest_ms or None)


def _phase(before: Phase, want: Want) -> Phase:
    """The dealer's hand is played from the turning of his card, or his first card after the players' play."""
    drawn = isinstance(want, DealCard) and want.to == DEALER and before in (*WINDOW_PHASES, "dealer")
    return "dealer" if drawn or isinstance(want, TurnCard) else "dealing"


def dealt(change: Change, given: Dealt) -> Change:
    """Refused, and nothing changed, for an answer to another question or a card that can't be in the shoe.

    So it is when the time for bets or decisions ended just before it: nobody can have heard the question.
    """
    state = change.state
    unheard = any(isinstance(effect, RequestCard) for effect in change.effects)
    if not state.wanted or unheard or given.ask not in (0, state.asks):
        raise Refused("no_card_wanted")
    if state.phase == "shuffling":
        return burned(change, given.what)
    assert state.cut is not None, "a card is wanted of a play"
    play, unseen, step = answered(playing(state), state.unseen, given.what)
    cut = state.cut._replace(dealt=(*state.cut.dealt, given.what))
    shown = StepShown(step, play.came_to(playing(state)))
    return change.put(play=play, unseen=unseen, cut=cut, wanted="").tell(shown)


def answered(play: RoundPlay, unseen: UnseenCards, what: str) -> tuple[RoundPlay, UnseenCards, str]:
    """The play after the answer to what it asks, and the line of the record."""
    if not (asking := play.asking):
        raise Refused("no_card_wanted")
    want = asking[1]
    try:
        answer = want.parse(what)
    except (ValueError, KeyError):
        raise Refused("not_wanted", what=what, want=type(want).__name__) from None
    unseen = unseen.without(answer) if isinstance(answer, Card) else unseen
    return play.answered(answer), unseen, step_text(want, answer)


def no_spin(change: Change, _given: SpinInvalid) -> Change:
    """The ball or the dice must go again: who deals is asked anew."""
    if not isinstance(change.state.want, SpinWheel | RollDice):
        raise Refused("no_spin_wanted")
    return change.put(wanted="").tell(Notice("no_spin", ""))


def cut_card(change: Change, _given: CutCard) -> Change:
    if change.state.phase not in DEALT_PHASES or not change.state.setup.cards.shoes:
        raise Refused("no_card_wanted")
    return change.put(cut_card=True)


def corrected(change: Change, given: Corrected) -> Change:
    """One card since the last window closed was in truth another: those after it are dealt again behind it.

    So may be a fresh shoe's first card, by which others were burned, until its first round's bets are closed.

    What was decided meanwhile was decided on a wrong card, so the window opens anew. Refused
    `decided_since` when a window has closed on it: then the round can only be voided.
    """
    cut, place = change.state.cut, given.place
    if cut is None or cut.dealt[place : place + 1] != (given.was,):
        raise Refused("decided_since" if change.state.phase in DEALT_PHASES else "no_round")
    texts = (*cut.dealt[:place], given.what, *cut.dealt[place + 1 :])
    change = change.tell(Notice("corrected", f"{given.was} {given.what} {given.reason}"))
    if cut.play is None:
        return with_first(change, cut.unseen, given.what)
    return _dealt_anew(change, cut.play, cut.unseen, texts)


def _dealt_anew(change: Change, play: RoundPlay, unseen: UnseenCards, texts: tuple[str, ...]) -> Change:
    """These cards follow on the play as it was when the last window closed."""
    cut = Checkpoint(play, unseen, texts)
    for text in texts:
        play, unseen, _ = answered(play, unseen, text)
    change = _undecided(change).next_turn(range(change.state.setup.seats))
    return change.enter("dealing", play=play, unseen=unseen, cut=cut, window=None)


def _undecided(change: Change) -> Change:
    """The open window's decisions and those made ahead are forgotten, and what they cost goes back."""
    for player in change.state.players.values():
        if player.asked:
            change = drop(change, player)
    for player, cost_minor in windows.dropped(change.state):
        change, after = release(change, replace(player, decided=()), cost_minor)
        change = change.player(after)
    for player in change.state.players.values():
        if player.ahead:
            change = change.player(replace(player, ahead=()))
    return change
