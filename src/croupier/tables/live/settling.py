"""The end of a round: every stake settled, or everything given back."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from croupier.refusal import Refused
from croupier.tables.live.deciding import playing
from croupier.tables.live.effects import Settle, Void
from croupier.tables.live.inputs import Voided
from croupier.tables.live.notices import Notice, SeatsSettled
from croupier.tables.live.phases import ROUND_PHASES
from croupier.tables.live.round_play import SettledGroup
from croupier.tables.live.state import CancelledHold, Change, State, TablePlayer


def settled(change: Change) -> Change:
    """Everybody's stakes are settled."""
    state, play = change.state, playing(change.state)
    players = dict(state.players.items())
    effects = [settle for ended in play.ended for settle in _settles(state.round, players, ended)]
    change = change.put(players=state.players.each(_paid), cut=None).do(*effects)
    if state.setup.seats:
        lines = sorted(line for effect in effects for line in effect.lines)
        change = change.tell(SeatsSettled(tuple(lines)))
    return change.enter("pause", pause_ms(state))


def _settles(round_: str, players: Mapping[str, TablePlayer], ended: SettledGroup) -> Iterator[Settle]:
    for name, staked, returned, lines, steps in zip(*ended, strict=False):
        player = players[name]
        assert staked == player.held_minor, f"{name} staked {staked}, but {player.held_minor} are held"
        yield Settle(name, player.currency, round_, staked, returned, lines, steps, player.made)


def _paid(player: TablePlayer) -> TablePlayer:
    return replace(player, held_minor=0) if player.held_minor else player


def pause_ms(state: State) -> int:
    """The pause, longer where the jurisdiction wants a longer round."""
    ends_ms = state.opened_ms + state.setup.profile.round_min_ms
    return max(state.setup.waits.pause_ms, ends_ms - state.now_ms)


def voided(change: Change, given: Voided) -> Change:
    """Everything staked in this round goes back to everybody (003).

    It wasn't played, so it isn't one of the rounds that follow the cut card: that one is still to be dealt.
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
        if (hold := player.asked)
    }
    players = state.players.each(_emptied)
    change = change.put(players=players, dropped={**state.dropped, **cancelled}, pending=0)
    change = change.put(play=None, window=None, cut=None, paused="", left_ms=None).do(*effects)
    change = change.put(after_cut=max(0, state.after_cut - 1))
    return change.tell(Notice("voided", given.reason)).enter("pause", pause_ms(state))


def _emptied(player: TablePlayer) -> TablePlayer:
    """With nothing at risk. His holds are counted on: the round is still the same."""
    return replace(player, bet=(), before=(), held_minor=0, asked=None, decided=(), ahead=(), made=())
