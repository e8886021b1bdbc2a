"""A player's balances in memory equal those of the ledger, whatever changed them."""

from unittest.mock import patch

import pytest

from croupier.accounts.balances import CurrencyBalance, PlayerBalances
from croupier.admission.balances import BalanceCache
from croupier.ledger import entries
from croupier.ledger.entries import Share
from croupier.protocol import wire
from croupier.tables.live import inputs
from tests.dealing.live.in_process import MAIN_BET, ManualServer, join_table
from tests.dealing.live.player import Player, req

pytestmark = pytest.mark.anyio


def checked_balances(manual: ManualServer, player: Player) -> tuple[wire.Balance, ...]:
    """Return the balances in memory, which must be those of the ledger."""
    assert player.welcome is not None
    server, name = manual.server, player.welcome.player
    known = tuple(server.balances.balance(name, one.currency) for one in player.welcome.balances)
    assert known == server.queries.balances(name, player.welcome.session_started_ms)
    return known


async def test_a_balance_follows_the_ledger(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    assert player.welcome is not None
    name = player.welcome.player
    before = checked_balances(manual, player)
    await manual.server.gateway.post([entries.deposit("d", 1, name, "EUR", 5_000)])
    await manual.server.gateway.post([entries.withdrawal("w", 2, name, "EUR", 2_000)])
    assert checked_balances(manual, player) != before
    assert await player.bet(MAIN_BET, (0, "bust_it", 400)) == ""
    assert checked_balances(manual, player)[2].in_play_minor == 1_400
    assert await player.bet(MAIN_BET) == ""
    assert checked_balances(manual, player)[2].in_play_minor == 1_000
    await manual.advance_to("decisions")
    await player.until_phase("decisions")
    assert await player.decide("double") == ""
    assert checked_balances(manual, player)[2].in_play_minor == 2_000
    await manual.advance_to("pause")
    settled = checked_balances(manual, player)[2]
    assert (settled.in_play_minor, settled.session_staked_minor) == (0, 2_000)


async def test_a_balance_follows_a_void_and_own_tables(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    assert await player.bet(MAIN_BET) == ""
    await manual.execute(inputs.Voided("a card fell"))
    await player.until_phase("pause")
    void = checked_balances(manual, player)[2]
    assert (void.session_staked_minor, void.session_returned_minor) == (1_000, 1_000)
    assert await player.join("double_exposure", "GC") == ""
    for _ in range(4):
        stakes = (wire.Stake(0, "main", 1_000), wire.Stake(1, "main", 3_000))
        await player.ask(wire.DealRound(req(), "double_exposure", stakes))
        checked_balances(manual, player)


async def test_a_balance_is_forgotten_with_the_last_browser(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    assert player.welcome is not None
    name, first = player.welcome.player, guest.session
    await guest.connect()
    assert first is not None
    first.connection_lost()
    assert manual.server.balances.cash(name, "EUR") == 100_000
    await guest.disconnect()
    assert manual.server.balances.cash(name, "EUR") == 0


async def test_a_welcome_is_no_older_than_an_update_before_it(manual: ManualServer) -> None:
    """A deposit is confirmed while an arriving player's questions are answered."""
    guest, player = await join_table(manual)
    assert player.welcome is not None
    server = manual.server
    name = player.welcome.player
    is_due_again = server.deposit_questions.is_due_again

    async def confirm_meanwhile(player_id: str) -> bool:
        await server.gateway.post([entries.deposit("meanwhile", 1, player_id, "EUR", 5_000)])
        server.players.send_balance(player_id, "EUR")
        return await is_due_again(player_id)

    with patch.object(server.deposit_questions, "is_due_again", confirm_meanwhile):
        arrived = await guest.connect()
    assert arrived.welcome is not None
    (euro,) = (held for held in arrived.welcome.balances if held.currency == "EUR")
    assert euro.balance_minor == server.balances.cash(name, "EUR") == 105_000


async def test_a_coup_moves_the_balances_of_connected_players_and_counts_rounds_of_the_visit() -> None:
    balances = BalanceCache()
    balances.keep("anna", PlayerBalances({"EUR": CurrencyBalance(1_000, 500)}))
    balances.keep("bela", PlayerBalances({"EUR": CurrencyBalance(1_000, 500)}, before=frozenset({"r.bela"})))
    shares = [Share(f"r.{name}", name, 500, 700) for name in ("anna", "bela", "carl")]
    balances.apply(entries.coup("r:EUR", 1, "infinite", "EUR", shares, {}))
    assert balances.held("anna", "EUR") == CurrencyBalance(1_700, 0, 500, 700)
    assert balances.held("bela", "EUR") == CurrencyBalance(1_700, 0)
    assert balances.held("carl", "EUR") == CurrencyBalance()


async def test_a_new_player_arrives_and_joins_without_a_read(manual: ManualServer) -> None:
    """Each read takes as long as the rest of an arrival, and thousands may arrive at once."""
    submitted = manual.server.gateway.reads.submitted
    _, player = await join_table(manual)
    assert manual.server.gateway.reads.submitted == submitted
    assert player.welcome is not None
    assert not manual.server.balances.may_have_staked(player.welcome.player, "EUR")


async def test_a_player_who_has_ever_staked_is_known_by_it(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    assert player.welcome is not None
    name = player.welcome.player
    balances = manual.server.balances
    assert await player.bet(MAIN_BET) == ""
    assert balances.may_have_staked(name, "EUR")
    await manual.execute(inputs.Voided("a card fell"))
    await guest.disconnect()
    assert balances.may_have_staked(name, "EUR")
    await guest.connect()
    assert balances.may_have_staked(name, "EUR")
    assert not balances.may_have_staked(name, "GC")
