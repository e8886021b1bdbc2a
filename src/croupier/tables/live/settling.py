"""The end of a round: every stake is settled, or returned when the round is void."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from croupier.refusal import Refused
from croupier.tables.live.deciding import current_play
from croupier.tables.live.effects import Settle, Void
from croupier.tables.live.inputs import Voided
from croupier.tables.live.notices import Notice, SeatsSettled
from croupier.tables.live.phases import ROUND_PHASES
from croupier.tables.live.round_play import SettledGroup
from croupier.tables.live.state import CancelledHold, Change, State, TablePlayer


def settle(change: Change) -> Change:
    state, play = change.state, current_play(change.state)
    players = dict(state.players.items())
    effects = [effect for group in play.settled for effect in _effects(state.round, players, group)]
    change = change.put(players=state.players.each(_settled), checkpoint=None).emit(*effects)
    if state.setup.seats:
        lines = sorted(line for effect in effects for line in effect.lines)
        change = change.broadcast(SeatsSettled(tuple(lines)))
    return change.enter("pause", pause_ms(state))


def _effects(round_: str, players: Mapping[str, TablePlayer], group: SettledGroup) -> Iterator[Settle]:
    for name, staked, returned, lines, steps in zip(*group, strict=False):
        player = players[name]
        assert staked == player.held_minor, f"{name} staked {staked}, but {player.held_minor} are held"
        decisions = player.earlier_decisions
        yield Settle(name, player.currency, round_, staked, returned, lines, steps, decisions)


def _settled(player: TablePlayer) -> TablePlayer:
    return replace(player, held_minor=0) if player.held_minor else player


def pause_ms(state: State) -> int:
    """Return the length of the pause, extended to the jurisdiction's minimum length of a round."""
    ends_ms = state.opened_ms + state.setup.profile.round_min_ms
    return max(state.setup.timings.pause_ms, ends_ms - state.now_ms)


def void(change: Change, given: Voided) -> Change:
    """Return every stake of the round (003).

    A void round doesn't count as one of the rounds after the cut card.
    """
    state = change.state
    if state.phase not in ROUND_PHASES:
        raise Refused("no_round")
    effects = tuple(
        Void(player.name, player.currency, state.round, player.held_minor, given.reason)
        for player in state.players.values()
        if player.held_minor
    )
    cancelled = {
        (player.name, state.round, hold.hold): CancelledHold(player.currency, hold.amount_minor)
        for player in state.players.values()
        if (hold := player.pending_hold)
    }
    change = change.put(
        players=state.players.each(_voided),
        cancelled_holds={**state.cancelled_holds, **cancelled},
        pending_holds=0,
        play=None,
        window=None,
        checkpoint=None,
        paused="",
        left_ms=None,
        after_cut=max(0, state.after_cut - 1),
    )
    change = change.emit(*effects)
    return change.broadcast(Notice("voided", given.reason)).enter("pause", pause_ms(state))


def _voided(player: TablePlayer) -> TablePlayer:
    """Return the player with nothing at risk. The hold numbers continue, since the round's id is the same."""
    return replace(
        player,
        bet=(),
        earlier_bets=(),
        held_minor=0,
        pending_hold=None,
        decisions=(),
        ahead=(),
        earlier_decisions=(),
    )
