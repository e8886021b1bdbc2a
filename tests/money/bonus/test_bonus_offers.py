"""Bonuses that players accept, at once or with their first deposit, as text cases."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from croupier import clock
from croupier.accounts.bonus import OPEN, BonusTemplate
from croupier.accounts.identity import GUEST, Identity, Player
from croupier.accounts.payments import DueGrants, PaymentNews
from croupier.app import server as app
from croupier.config import DEFAULT_CONFIG
from croupier.config.payments import ConfiguredPayments, PaymentMethodConfig
from croupier.ledger.entries import Entry
from croupier.play.contract.amounts import CURRENCIES, Currency
from croupier.players.queries import jurisdiction_note
from croupier.protocol.wire import CashierRequest
from tests.dealing.waiting_round import assert_ledger_valid
from tests.faults.limits.surroundings import SLOW_PAYMENTS
from tests.staff.office import code_of
from tests.support.in_process import server_dealing

pytestmark = pytest.mark.anyio

CASES = """
gift                                                 | gift active 7.00
gift, gift                                           | gift active 7.00
gift, cancel, gift                                   | gift cancelled 0.00
gift, match                                          | bonus_active
staff, gift                                          | bonus_active
staff, cancel, gift                                  | no_such_bonus
match                                                | match opted_in 0.00
match, deposit a 30.01, paid a                       | match active 15.00
match, deposit a 100.00, paid a                      | match active 20.00
match, deposit a 0.01, paid a                        | match opted_in 0.00
match, deposit a 30.00, denied a                     | match opted_in 0.00
match, deposit a 30.00, denied a, deposit b 8, paid b | match active 4.00
match, deposit a 10, deposit b 20, paid b, paid a    | match active 10.00
match, deposit a 10, paid a, deposit b 20, paid b    | match active 5.00
deposit a 10, match, paid a                          | match opted_in 0.00
deposit a 10, match, paid a, deposit b 20, paid b    | match active 10.00
deposit a 10, paid a, match                          | no_such_bonus
match, deposit a 10, paid a, cancel, match           | match cancelled 0.00
match, cancel, deposit a 10, paid a                  | match cancelled 0.00
match, cancel, match, deposit a 10, paid a           | match cancelled 0.00
match, gift                                          | bonus_active
match, staff                                         | bonus_active
match, deposit a 10, crash, paid a                   | match active 5.00
match, deposit a 10, paid a, crash                   | match active 5.00
match, deposit a 10, paid a, crash, crash            | match active 5.00
match, deposit a 10, rest, paid a                    | match opted_in 0.00
match, deposit a 10, rest, paid a, back              | match active 5.00
match, deposit a 10, paid a, withdraw 10             | bonus_forfeit
match, deposit a 10, paid a, withdraw 10 5           | match withdrawn 0.00
match, deposit a 10, rest, paid a, withdraw 10, back | match opted_in 0.00
match, deposit a 10, rest, paid a, withdraw 10, back, deposit b 8, paid b | match active 4.00
match, deposit a 10, paid a, refunded a              | match cancelled 0.00
match, deposit a 10, rest, paid a, refunded a, back  | match opted_in 0.00
rest, gift                                           | barred
closed, gift                                         | account_closed
guest, gift                                          | account_needed
come_from GB, gift                                   | no_such_bonus
come_from GB, match                                  | match opted_in 0.00
match, come_from SE, deposit a 10, paid a            | match opted_in 0.00
match, deposit a 10, come_from SE, paid a            | match opted_in 0.00
match, deposit a 10, come_from SE, paid a, come_from GB, deposit b 8, paid b | match active 5.00
match, deposit a 10, rest, paid a, come_from SE, back | match opted_in 0.00
move_during SE, gift                                 | no_such_bonus
move_during SE, match                                | no_such_bonus
former                                               | no_such_bonus
"""
EUR = "EUR"
GIFT = BonusTemplate("gift", "Gift", EUR, 700, 10, 7, offer="account", jurisdictions=("MT",))
MATCH = BonusTemplate(
    "match", "Match", EUR, 2_000, 10, 7, offer="first_deposit", match_percent=50, jurisdictions=("MT", "GB")
)
CONFIG = DEFAULT_CONFIG._replace(
    currencies={"GC": CURRENCIES["GC"], EUR: Currency(EUR, "Euro", 2, "€", play_money=False)},
    bonuses={template.name: template for template in (GIFT, MATCH)},
    payments=ConfiguredPayments(currencies={EUR: PaymentMethodConfig("play_money")}),
)
BREAK_MS = 100


class Story:
    """A player of a server that stops and starts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._payments: dict[str, str] = {}
        self._known: Player | None = None

    @contextmanager
    def server(self) -> Iterator[None]:
        slow = patch.object(app, "payment_services", lambda *_: SLOW_PAYMENTS)
        with slow, server_dealing(self._folder, (), CONFIG) as self._server:
            yield

    async def start(self) -> None:
        """Start the server, the first time with a new account."""
        await self._server.start()
        if self._known is None:
            await self._add_player()

    async def _add_player(self) -> None:
        known = await self._server.sessions.signed_in(await self._server.sessions.add_guest())
        assert known is not None
        self._known = known._replace(identity=Identity("account", "ada"))
        await self.come_from("MT")

    @property
    def _player(self) -> Player:
        assert self._known is not None, "the server was started"
        return self._known

    # --- steps

    async def do(self, step: str) -> None:
        what, *args = step.split()
        await getattr(self, what)(*args)

    async def gift(self) -> None:
        await self._server.offers.accept(self._player, GIFT.digest)

    async def match(self) -> None:
        await self._server.offers.accept(self._player, MATCH.digest)

    async def former(self) -> None:
        """Accept an offer whose terms have changed since."""
        await self._server.offers.accept(self._player, replace(GIFT, multiple=1).digest)

    async def staff(self) -> None:
        await self._server.bonuses.grant(self._player.id, "gift", "a complaint")

    async def cancel(self) -> None:
        bonuses = self._server.bonuses.history(self._player.id)
        (bonus,) = (one for one in bonuses if one.status in OPEN)
        await self._server.bonuses.give_up(self._player.id, bonus.bonus, bonus.balance_minor)

    async def deposit(self, name: str, euros: str) -> None:
        """Begin a deposit."""
        request = CashierRequest(name, EUR, CONFIG.currencies[EUR].minor(euros))
        self._payments[name] = (await self._server.payments.deposit(self._player, request)).id

    async def paid(self, name: str) -> None:
        await self._end(name, paid=True)

    async def withdraw(self, euros: str, forfeit: str = "0") -> None:
        minor = CONFIG.currencies[EUR].minor
        request = CashierRequest(f"w{euros}{forfeit}", EUR, minor(euros), minor(forfeit))
        await self._server.payments.withdraw(self._player, request)

    async def refunded(self, name: str) -> None:
        """Let the provider give a deposit back."""
        payments = await self._server.payments.of(self._player.id)
        (found,) = [one for one in payments if one.id == self._payments[name]]
        await self._server.payments.driver.apply(found, PaymentNews("refunded"))

    async def denied(self, name: str) -> None:
        await self._end(name, paid=False)

    async def rest(self) -> None:
        """Take a break."""
        await self._server.restrictions.bar(self._player.id, "time_out", clock.now_ms() + BREAK_MS)

    async def back(self) -> None:
        """Read the clock, which advances each time, until the break is over; the server tries again."""
        while self._server.limits.active_break(self._player.id):
            pass
        self._server.offers.load()

    async def closed(self) -> None:
        await self._server.closing.close(self._player.id, "Ada", "asked to")

    async def guest(self) -> None:
        self._known = self._player._replace(identity=GUEST)

    async def come_from(self, jurisdiction: str) -> None:
        note = jurisdiction_note(self._player.id, clock.now_ms(), jurisdiction)
        await self._server.gateway.post([note])

    async def move_during(self, jurisdiction: str) -> None:
        """Come from another jurisdiction just before the transaction that accepts an offer."""
        payments = self._server.offers._payments
        accept = payments.add_bonus

        def accept_after_moving(accepted: Entry) -> Future[DueGrants]:
            note = jurisdiction_note(self._player.id, clock.now_ms(), jurisdiction)
            self._server.ledger.post([note])
            return accept(accepted)

        patch.object(payments, "add_bonus", accept_after_moving).start()

    async def _end(self, name: str, *, paid: bool) -> None:
        payments = await self._server.payments.of(self._player.id)
        (found,) = [one for one in payments if one.id == self._payments[name]]
        news = PaymentNews("paid", found.amount_minor) if paid else PaymentNews("denied")
        await self._server.payments.driver.apply(found, news)

    async def work(self) -> None:
        """Grant what is due, as the server does in the background."""
        await self._server.offers.work()

    def outcome(self) -> str:
        """Return the last bonus, which is what the ledger has."""
        bonuses = self._server.bonuses.history(self._player.id)
        held = self._server.ledger.balances(self._player.id).get(EUR, {}).get("bonus", 0)
        assert held == sum(bonus.balance_minor for bonus in bonuses)
        assert len(bonuses) <= 1
        return next((f"{one.title.lower()} {one.status} {held / 100:.2f}" for one in bonuses), "none")

    async def offered(self) -> set[str]:
        return {offer.title.lower() for offer in await self._server.offers.of(self._player)}


@pytest.mark.parametrize("case", CASES.strip().splitlines())
async def test_a_bonus_is_accepted_once_and_granted_as_agreed(tmp_path: Path, case: str) -> None:
    steps, _, expected = (part.strip() for part in case.partition("|"))
    story, outcome = Story(tmp_path), ""
    *crashed, last = steps.split("crash")
    for run in (*crashed, last):
        with story.server():
            await story.start()
            for step in filter(None, map(str.strip, run.split(","))):
                outcome = await code_of(story.do(step)) or outcome
                if run is last:  # a crash comes before the work in the background
                    await story.work()
            if run is last:
                await story.work()
                outcome = outcome or story.outcome()
    assert outcome == expected
    assert_ledger_valid(tmp_path)


@pytest.mark.parametrize(
    ("steps", "offered"),
    [
        ("", {"gift", "match"}),
        ("come_from GB", {"match"}),
        ("guest", set()),
        ("rest", set()),
        ("gift", set()),
        ("gift, cancel", {"match"}),
        ("match", set()),
        ("match, cancel", {"gift"}),
        ("deposit a 10, paid a", {"gift"}),
        ("staff, cancel", {"match"}),
    ],
)
async def test_only_what_can_be_accepted_is_offered(tmp_path: Path, steps: str, offered: set[str]) -> None:
    story = Story(tmp_path)
    with story.server():
        await story.start()
        for step in filter(None, steps.split(", ")):
            await story.do(step)
        assert await story.offered() == offered
