"""Overspend over real sockets: more bets at once, on several devices and tables, than the money allows."""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import httpx
import msgspec

from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.protocol import wire
from tests.faults.overspends.device import Device, Devices
from tests.support.browser_connection import new_req
from tests.support.server_process import CROUPIER, ServerProcess

UNIT_MINOR, UNITS_MAX = 100, 20
"""The unit of all bets, and the most that a player stakes at once."""
GRANT_MINOR, DEPOSIT_MINOR = 8 * UNIT_MINOR, 4 * UNIT_MINOR
"""The money of a new player, and what each wave adds."""
OWN = {"roulette": "straight_17", "sic_bo": "triple_6"}
LIVE = {"live_roulette": "red", "live_baccarat": "player"}
"""Tables and bets. Rounds at own tables end at once; those at live tables stay open."""
AT_ONCE = 30
"""Commands that a device sends before it reads a reply."""
LIVE_UNITS_MAX = 6
PLAYERS, ATTEMPTS_PER_SERVER = 16, 20_000
"""Attempts before a new data folder: a player may make some 700 bets in a live round of ten minutes."""
CONFIG = """
[currencies.EUR]
grant = "8.00"

[live_roulette]
betting_ms = 600000

[live_baccarat]
pace_ms = 0
betting_ms = 600000
"""


class Plan(NamedTuple):
    """The plan of a campaign.

    `program` is run; `progress` is called with the number of attempts made.
    """

    attempts: int
    seed: int = 0
    program: tuple[str, ...] = CROUPIER
    progress: Callable[[int], None] = lambda _attempts: None


class Result(NamedTuple):
    """The result of a campaign.

    `codes`: the answers to bets at own tables and to those at live tables, by code; empty for `ok`.
    """

    attempts: int
    seconds: float
    codes: Counter[str]

    def __str__(self) -> str:
        answers = ", ".join(f"{number:,} {code or 'accepted'}" for code, number in sorted(self.codes.items()))
        return (
            f"{self.attempts:,} bets in {self.seconds:,.0f} s, {self.attempts / self.seconds:,.0f} a second:"
            f" {answers}; each player staked exactly what their money allowed"
        )


class Player:
    """A guest with a device at each table.

    `paid_in`: all that they ever had, without returns. `staked`: units of the bets accepted at own tables.
    """

    def __init__(self, address: str, http: httpx.Client, devices: Devices) -> None:
        self._http = http
        self._http.post("/api/guest").raise_for_status()
        cookie = "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())
        port = msgspec.json.decode(self._http.get("/api/server").content, type=wire.ServerInfo).socket_port
        self.devices = {table: devices.connect(port, cookie, address) for table in (*OWN, *LIVE)}
        for table, device in self.devices.items():
            device.join(table)
        self._rounds = {table: betting_round(self.devices[table], table) for table in LIVE}
        self.paid_in, self.staked = GRANT_MINOR, 0

    def deposit(self) -> None:
        order = wire.CashierRequest(new_req(), "EUR", DEPOSIT_MINOR)
        content = msgspec.json.encode(order)
        answer = self._http.post("/api/cashier/deposit", content=content)
        assert answer.is_success, answer.text
        self.paid_in += DEPOSIT_MINOR

    def send(self, chance: Random) -> None:
        """Send bets at all tables at once; those at a live table replace each other."""
        for table, device in self.devices.items():
            device.send(self._bets(table, chance))

    def _bets(self, table: str, chance: Random) -> list[msgspec.Struct]:
        if table in OWN:
            return [deal(table) for _ in range(AT_ONCE)]
        units = (chance.randrange(LIVE_UNITS_MAX + 1) for _ in range(AT_ONCE))
        return [place(table, self._rounds[table], number) for number in units]

    def read(self) -> Counter[str]:
        """Read the answers; count them by code."""
        codes = Counter[str]()
        for table, device in self.devices.items():
            found = device.replies(AT_ONCE)
            codes += found
            self.staked += found[""] if table in OWN else 0
        return codes

    def spend_the_rest(self) -> None:
        """Bet until the money is too little for one unit; first much at once, or it may take minutes."""
        while self._stakes(UNITS_MAX) or self._stakes(1):
            pass

    def _stakes(self, units: int) -> bool:
        """Bet so many units at an own table; return true if the money was enough."""
        table, device = next(iter(self.devices.items()))
        device.send([deal(table, units)])
        codes = device.replies(1)
        assert codes in ({"": 1}, {"not_covered": 1}), codes
        self.staked += units * codes[""]
        return bool(codes[""])

    def check(self) -> None:
        """Compare the money with what was paid in, accepted and returned, and with the bets that stand."""
        device = next(iter(self.devices.values()))
        device.send([wire.Hello(wire.PROTOCOL)])
        held = next(each for each in device.until(wire.Welcome).balances if each.currency == "EUR")
        stakes = sum(self._standing(table) for table in LIVE)
        assert held.session_staked_minor == self.staked * UNIT_MINOR, (held, self.staked)
        assert held.in_play_minor == stakes, (held, stakes)
        spent = held.session_staked_minor + held.in_play_minor - held.session_returned_minor
        assert held.balance_minor == self.paid_in - spent, (held, self.paid_in)
        assert 0 <= held.balance_minor < UNIT_MINOR, held

    def _standing(self, table: str) -> int:
        """Return the player's bet at a live table, as its device shows it."""
        device = self.devices[table]
        device.send([wire.Ping()])
        device.until(wire.Pong)
        shown = [payload for tag, payload in device.last.items() if b'"mine"' in tag]
        if not shown:
            return 0
        mine = msgspec.json.decode(shown[0], type=wire.PlayerUpdate).mine
        return sum(stake.stake_minor for stake in mine.stakes)


def deal(table: str, units: int = 1) -> wire.DealRound:
    return wire.DealRound(new_req(), table, (wire.Stake(0, OWN[table], units * UNIT_MINOR),))


def place(table: str, round_: str, units: int) -> wire.PlaceBet:
    """Return a bet at a live table; no unit withdraws it."""
    stakes = (wire.Stake(0, LIVE[table], units * UNIT_MINOR),) if units else ()
    return wire.PlaceBet(new_req(), table, round_, stakes)


def betting_round(device: Device, table: str) -> str:
    """Return the id of the round that bets are open for; wait for it if necessary."""
    state = msgspec.json.decode(device.last[b'{"t":"live_snapshot"'], type=wire.LiveSnapshot).state
    while state.clock.phase != "betting":
        state = device.until(wire.LiveUpdate).state
    return state.clock.round


def campaign(plan: Plan) -> Result:
    """Run the plan; AssertionError as soon as a player has spent more or less than their money allows."""
    began, codes = time.monotonic(), Counter[str]()
    while codes.total() < plan.attempts:
        attempts = min(ATTEMPTS_PER_SERVER, plan.attempts - codes.total())
        chance = Random(f"{plan.seed} {codes.total()}")
        with _server(plan.program) as server:
            codes += _overspend(server, attempts, chance)
        plan.progress(codes.total())
    return Result(codes.total(), time.monotonic() - began, codes)


@contextmanager
def _server(program: tuple[str, ...]) -> Iterator[ServerProcess]:
    """Run a server whose audit passes at the end, and which has logged no exception."""
    with tempfile.TemporaryDirectory(prefix="croupier-overspend-") as folder:
        config = Path(folder) / "overspend.toml"
        config.write_text(CONFIG)
        server = ServerProcess(Path(folder) / "data", program=program, options=("--config", str(config)))
        server.start()
        try:
            yield server
            assert server.stop() == 0, "the server didn't stop in order"
        finally:
            server.kill()
        report = audit(server.data / DATABASE, server.data / SHOES_KEY, lambda *_: None)
        assert report.bad is None, report.bad
        assert b"Traceback" not in server.log.read_bytes(), server.log.read_text()


def _overspend(server: ServerProcess, attempts: int, chance: Random) -> Counter[str]:
    codes = Counter[str]()
    with ExitStack() as stack:
        clients = [stack.enter_context(httpx.Client(base_url=server.address)) for _ in range(PLAYERS)]
        devices = stack.enter_context(Devices())
        players = [Player(server.address, http, devices) for http in clients]
        while codes.total() < attempts:
            codes += _wave(players, devices, chance)
        for player in players:
            player.spend_the_rest()
            player.check()
    return codes


def _wave(players: list[Player], devices: Devices, chance: Random) -> Counter[str]:
    """Let every player have some money, and bet more than that at once.

    Pings are answered meanwhile: on a busy machine all deposits may take longer than a device may be silent.
    """
    for player in players:
        player.deposit()
        devices.poll()
    for player in players:
        player.send(chance)
        devices.poll()
    return sum((player.read() for player in players), Counter[str]())
