"""A client written from the documents alone plays at every own table and checks all messages.

It uses none of the server's code: bets come from `GET /api/tables/{table}`, decisions from
the views, schemas from `GET /api/asyncapi.json`, and results from the paytables.
"""

import ast
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.app.documents.json_schema import errors
from tests.app.documents.raw import Message, RawClient
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

ROUNDS = 12
BETS_MAX = 6
LINES_OF_HANDS = {"won": "win", "charlie": "win", "blackjack": "blackjack", "even_money": "even_money"}
"""The paytable's line for a hand's outcome, as documented; any other outcome returns the stake or nothing."""


class IndependentClient:
    """A client that plays at random, within the limits of the tables' data."""

    def __init__(self, address: str, chance: Random) -> None:
        self.raw = RawClient(address)
        self.chance = chance
        self.schemas: Any = None
        self.checked = 0

    async def sign_in(self) -> None:
        await self.raw.request("POST", "/api/guest")
        server = await self.raw.request("GET", "/api/server")
        self.schemas = await self.raw.request("GET", "/api/asyncapi.json")
        await self.raw.connect(server["socket_port"])
        await self.raw.send(t="hello", protocol=server["protocol"], tables=[])
        await self.raw.until(lambda message: message["t"] == "welcome")

    async def own_tables(self) -> list[Message]:
        tables = await self.raw.request("GET", "/api/tables")
        own = [table["table"] for table in tables if not table["live"]]
        return [await self.raw.request("GET", f"/api/tables/{table}") for table in own]

    async def play(self, data: Message, rounds: int) -> None:
        """Play rounds at a table in the first of its currencies."""
        table, currency = data["table"], data["bets"][0]["limits"][0]["currency"]
        assert (await self.raw.ask("join", table=table, currency=currency))["t"] == "ok"
        for _ in range(rounds):
            await self._round(data, self._stakes(data, currency))
        assert (await self.raw.ask("leave", table=table))["t"] == "ok"
        self._check_messages()

    async def _round(self, data: Message, stakes: list[Message]) -> None:
        """Play a round to its end, and check its money."""
        table, before = data["table"], self._balance()
        answer = await self.raw.deal(table, stakes)
        assert answer["t"] == "ok", (answer, stakes)
        while not (played := self._state()["round"])["view"]["ended"]:
            turn = self.chance.choice(played["view"]["turns"])
            option = self.chance.choice([each for each in turn["options"] if each["covered"]])
            answer = await self.raw.decide(table, played["id"], turn, option)
            assert answer["t"] == "ok", (answer, option)
        view = played["view"]
        assert view["returned_minor"] == sum(_returned(data, view)), view
        if before is not None:
            assert self._balance() == before - view["staked_minor"] + view["returned_minor"]

    def _stakes(self, data: Message, currency: str) -> list[Message]:
        mains = [bet for bet in data["bets"] if bet["main"]]
        chosen = self.chance.sample(mains, min(len(mains), self.chance.randint(1, BETS_MAX)))
        chosen = _allowed(chosen, data["never_together"])
        boxes = self.chance.sample(range(data["boxes"]), self.chance.randint(1, data["boxes"]))
        return [
            {"box": box, "bet": bet["bet"], "stake_minor": self._stake(bet, currency)}
            for box in boxes
            for bet in chosen
        ]

    def _stake(self, bet: Message, currency: str) -> int:
        (limits,) = (each for each in bet["limits"] if each["currency"] == currency)
        return self.chance.randint(limits["min_minor"], min(limits["max_minor"], 3 * limits["min_minor"]))

    def _state(self) -> Any:
        return self.raw.last("event", "snapshot")["state"]

    def _balance(self) -> int | None:
        """Return the last received balance in this table's currency; None before the first."""
        balances = [step["message"]["balance"] for step in self.raw.steps if _has_balance(step)]
        here = [each for each in balances if each["currency"] == self._state()["currency"]]
        return here[-1]["balance_minor"] if here else None

    def _check_messages(self) -> None:
        """Validate all new messages against the published schemas."""
        spoken = [step["message"] for step in self.raw.steps if "message" in step]
        for message in spoken[self.checked :]:
            payload = self.schemas["components"]["messages"][message["t"]]["payload"]
            assert errors(message, payload, self.schemas) == [], message
        self.checked = len(spoken)


def _has_balance(step: Message) -> bool:
    return bool(step["by"] == "server" and step["message"]["t"] == "balance")


def _allowed(bets: list[Message], never_together: list[list[str]]) -> list[Message]:
    """Leave out bets until no forbidden combination is complete."""
    for line in never_together:
        if set(line) <= {bet["bet"] for bet in bets}:
            bets = [bet for bet in bets if bet["bet"] != line[0]]
    return bets


def _returned(data: Message, view: Message) -> list[int]:
    """Return the amount returned by each stake, from the paytables."""
    pays = {bet["bet"]: {line["outcome"]: line for line in bet["pays"]} for bet in data["bets"]}
    if "bets" in view:
        return [_paid(pays[bet["bet"]], bet["outcome"], bet["stake_minor"]) for bet in view["bets"]]
    insured = [box["insurance"] for box in view["boxes"] if box["insurance"]]
    line = "insurance" if view["dealer"]["blackjack"] else "lost"
    hands = [
        _hand(pays["main"], hand) or _kept_stake(data, view, box, place)
        for box in view["boxes"]
        for place, hand in enumerate(box["hands"])
    ]
    return hands + [_paid(pays["main"], line, each["stake_minor"]) for each in insured]


def _hand(pays: Message, hand: Message) -> int:
    if hand["outcome"] == "pushed":
        return int(hand["stake_minor"])
    return _paid(pays, LINES_OF_HANDS.get(hand["outcome"], "lost"), hand["stake_minor"])


def _kept_stake(data: Message, view: Message, box: Message, place: int) -> int:
    """Return what a lost hand gets back if a dealer's blackjack takes the initial stake only."""
    hand = box["hands"][place]
    takes_initial = data["rules"]["dealer_blackjack_takes"] == "initial_stake"
    if not (takes_initial and view["dealer"]["blackjack"] and hand["outcome"] == "lost"):
        return 0
    return int(hand["stake_minor"] - (0 if place else box["stake_minor"]))


def _paid(pays: Message, outcome: str, stake_minor: int) -> int:
    """Return the stake and its winnings, rounded down; 0 if no line applies."""
    line = pays.get(outcome)
    return stake_minor + stake_minor * line["wins"] // line["staked"] if line else 0


async def test_every_own_table_is_played_from_the_documents_alone(server: ServerProcess) -> None:
    client = IndependentClient(server.address, Random(2026))
    try:
        await client.sign_in()
        tables = await client.own_tables()
        assert len(tables) >= 10
        for data in tables:
            await client.play(data, ROUNDS)
        assert client.checked > len(tables) * ROUNDS * 3
    finally:
        await client.raw.close()


async def test_every_stake_outside_the_limits_is_refused_as_registered(server: ServerProcess) -> None:
    client = IndependentClient(server.address, Random(1))
    try:
        await client.sign_in()
        for data in await client.own_tables():
            bet = next(each for each in data["bets"] if each["main"])
            limits = bet["limits"][0]
            await client.raw.ask("join", table=data["table"], currency=limits["currency"])
            wrong = {"under_minimum": limits["min_minor"] - 1, "over_maximum": limits["max_minor"] + 1}
            for code, stake in wrong.items():
                stakes = [{"box": 0, "bet": bet["bet"], "stake_minor": stake}]
                answer = await client.raw.deal(data["table"], stakes)
                assert (answer["t"], answer["code"]) == ("no", code)
            await client.raw.ask("leave", table=data["table"])
        client._check_messages()
    finally:
        await client.raw.close()


def test_a_paytable_is_read_as_documented() -> None:
    pays = {"tie": {"wins": -1, "staked": 2}, "blackjack": {"wins": 3, "staked": 2}}
    assert [_paid(pays, "tie", stake) for stake in (10, 5)] == [5, 2]
    assert [_paid(pays, "blackjack", stake) for stake in (10, 5)] == [25, 12]
    assert _paid(pays, "lost", 10) == 0


def test_the_client_uses_none_of_the_servers_code() -> None:
    for name in (Path(__file__).name, "raw.py", "json_schema.py"):
        file = Path(__file__).with_name(name)
        imports = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ImportFrom)]
        assert not [node.module for node in imports if (node.module or "").startswith("croupier")], file
