"""The cards of a round: from the close of the bets to the last card, and the manager's corrections."""

from msgspec.structs import replace

from croupier.equipment.cards import Card
from croupier.equipment.shoe import UnseenCards
from croupier.play.contract.wants import DEALER, DealCard, RollDice, SpinWheel, TurnCard, Want
from croupier.refusal import Refused
from croupier.tables.live import windows
from croupier.tables.live.deciding import current_play
from croupier.tables.live.effects import RequestCard
from croupier.tables.live.holds import cancel_hold, release
from croupier.tables.live.inputs import Corrected, CutCard, Dealt, SpinInvalid
from croupier.tables.live.notices import Notice, StepShown
from croupier.tables.live.phases import DEALT_PHASES, WINDOW_PHASES, Phase
from croupier.tables.live.round_play import RoundPlay, step_text
from croupier.tables.live.shoes import burn, set_first_card
from croupier.tables.live.start import start_play
from croupier.tables.live.state import Change, RoundCheckpoint


def start_dealing(change: Change) -> Change:
    """Start the play: every stake is held."""
    state, table = change.state, change.state.setup.table
    bets = {player.name: player.bet for player in state.players.values() if player.bet}
    play = start_play(table.game, table.rules, bets)
    return change.enter("dealing", play=play, checkpoint=RoundCheckpoint(play, state.unseen))


def continue_dealing(change: Change) -> Change:
    """Request the next card; if none is wanted, open a window or end the round."""
    state, play = change.state, current_play(change.state)
    if not (following := play.next_want):
        return windows.open_window(change) if play.open else _end(change)
    if state.wanted:
        return change
    round_, want = following
    phase = _phase(state.phase, want)
    change = change if phase == state.phase else change.enter(phase)
    words = state.setup.live.dealer_prompt(round_, want)
    ask = state.ask + 1
    return change.put(wanted=words, ask=ask).emit(RequestCard(want, words, ask))


def _end(change: Change) -> Change:
    return change.enter("settlement", change.state.setup.settle_delay_ms or None)


def _phase(before: Phase, want: Want) -> Phase:
    """Return `dealer` from the turn of the face-down card, or the dealer's first card after a window."""
    drawn = isinstance(want, DealCard) and want.to == DEALER and before in (*WINDOW_PHASES, "dealer")
    return "dealer" if drawn or isinstance(want, TurnCard) else "dealing"


def deal(change: Change, given: Dealt) -> Change:
    """Apply the answer; Refused when it answers another request, or the card can't be in the shoe.

    An answer that arrives in the step which makes the request is refused too: its sender can't have seen it.
    """
    state = change.state
    unsent = any(isinstance(effect, RequestCard) for effect in change.effects)
    if not state.wanted or unsent or given.ask not in (0, state.ask):
        raise Refused("no_card_wanted")
    if state.phase == "shuffling":
        return burn(change, given.what)
    assert state.checkpoint is not None, "a card is wanted of a play"
    play, unseen, step = answer_play(current_play(state), state.unseen, given.what)
    checkpoint = state.checkpoint._replace(dealt=(*state.checkpoint.dealt, given.what))
    shown = StepShown(step, play.recipients(current_play(state)))
    return change.put(play=play, unseen=unseen, checkpoint=checkpoint, wanted="").broadcast(shown)


def answer_play(play: RoundPlay, unseen: UnseenCards, what: str) -> tuple[RoundPlay, UnseenCards, str]:
    """Return the play and the unseen cards after this answer, and the step as a record writes it."""
    if not (following := play.next_want):
        raise Refused("no_card_wanted")
    want = following[1]
    try:
        answer = want.parse(what)
    except (ValueError, KeyError):
        raise Refused("not_wanted", what=what, want=type(want).__name__) from None
    unseen = unseen.without(answer) if isinstance(answer, Card) else unseen
    return play.after_answer(answer), unseen, step_text(want, answer)


def repeat_spin(change: Change, _given: SpinInvalid) -> Change:
    """Clear the request, so that the spin or the roll is requested again."""
    if not isinstance(change.state.want, SpinWheel | RollDice):
        raise Refused("no_spin_wanted")
    return change.put(wanted="").broadcast(Notice("no_spin", ""))


def cut_card_out(change: Change, _given: CutCard) -> Change:
    if change.state.phase not in DEALT_PHASES or not change.state.setup.cards.shoes:
        raise Refused("no_card_wanted")
    return change.put(cut_card=True)


def correct(change: Change, given: Corrected) -> Change:
    """Replace one card dealt since the checkpoint, and deal the cards after it again.

    Until the bets of a fresh shoe's first round are closed, the card to correct is the shoe's first card,
    which sets how many are burned.

    Decisions of the open window were made on a wrong card, so the window opens again. Refused `decided_since`
    when a window has closed since the card was dealt: then the round can only be voided.
    """
    checkpoint, place = change.state.checkpoint, given.place
    if checkpoint is None or checkpoint.dealt[place : place + 1] != (given.was,):
        raise Refused("decided_since" if change.state.phase in DEALT_PHASES else "no_round")
    texts = (*checkpoint.dealt[:place], given.what, *checkpoint.dealt[place + 1 :])
    change = change.broadcast(Notice("corrected", f"{given.was} {given.what} {given.reason}"))
    if checkpoint.play is None:
        return set_first_card(change, checkpoint.unseen, given.what)
    return _redeal(change, checkpoint.play, checkpoint.unseen, texts)


def _redeal(change: Change, play: RoundPlay, unseen: UnseenCards, texts: tuple[str, ...]) -> Change:
    """Deal these cards from the checkpoint."""
    checkpoint = RoundCheckpoint(play, unseen, texts)
    for text in texts:
        play, unseen, _ = answer_play(play, unseen, text)
    change = _discard_decisions(change).advance_turn(range(change.state.setup.seats))
    return change.enter("dealing", play=play, unseen=unseen, checkpoint=checkpoint, window=None)


def _discard_decisions(change: Change) -> Change:
    """Discard the decisions of the open window and those made ahead, and release their cost."""
    for player in change.state.players.values():
        if player.pending_hold:
            change = cancel_hold(change, player)
    for player, cost_minor in windows.decision_costs(change.state):
        change, after = release(change, replace(player, decisions=()), cost_minor)
        change = change.put_player(after)
    for player in change.state.players.values():
        if player.ahead:
            change = change.put_player(replace(player, ahead=()))
    return change
