"""The steps of the worked session's clients."""

import asyncio
from typing import Any

from tests.app.documents.raw import Message, RawClient

CONFIG_TOML = """
[live_roulette]
betting_ms = 3000
warning_ms = 1000
spin_ms = 300
ball_ms = 300
pause_ms = 300
"""
OWN, LIVE = "classic", "live_roulette"


async def play(address: str) -> list[Message]:
    """Play the player's session and return its steps."""
    client, second = RawClient(address), RawClient(address)
    try:
        port, protocol = await _sign_in(client)
        await _play_a_round(client)
        await _resume(client, port, protocol)
        await _bet_at_a_live_table(client, second)
        await _leave_and_read_history(client)
    finally:
        await client.close()
        await second.close()
    return client.steps


async def _sign_in(client: RawClient) -> tuple[int, int]:
    client.note(
        "Sign in and connect",
        "Signing in over HTTP sets the session's cookie. The WebSocket takes it with the handshake, and "
        "`hello` is the first message.",
    )
    await client.request("POST", "/api/guest")
    server = await client.request("GET", "/api/server")
    await client.connect(server["socket_port"])
    await client.send(t="hello", protocol=server["protocol"], tables=[])
    await client.until(lambda message: message["t"] == "welcome")
    client.note("Stay connected", "An idle client sends `ping` every 1.5 s.")
    await client.send(t="ping")
    await client.until(lambda message: message["t"] == "pong")
    return server["socket_port"], server["protocol"]


async def _play_a_round(client: RawClient) -> None:
    client.note("Open a table", "`join` is answered by a snapshot of the table, then by `ok`.")
    await client.ask("join", table=OWN, currency="GC")
    client.note("Play a round", "The events come before the answer. The open decisions are in `view.turns`.")
    await _until_a_decision(client)
    await _stand(client)
    client.note("A refused command", "`no` has the rule's code and its arguments. Nothing has changed.")
    await client.deal(OWN, [{"box": 0, "bet": "main", "stake_minor": 1}])


async def _until_a_decision(client: RawClient) -> None:
    """Deal until a round has a decision, and drop rounds without one."""
    start = len(client.steps)
    while True:
        await client.deal(OWN, [{"box": 0, "bet": "main", "stake_minor": 1000}])
        view = _round(client)["view"]
        if [option for turn in view["turns"] for option in turn["options"] if option["action"] == "stand"]:
            return
        while (view := _round(client)["view"])["turns"]:
            turn = view["turns"][0]
            await client.decide(OWN, _round(client)["id"], turn, turn["options"][-1])
        del client.steps[start:]


async def _stand(client: RawClient) -> None:
    played = _round(client)
    await client.decide(OWN, played["id"], played["view"]["turns"][0], {"action": "stand"})


def _round(client: RawClient) -> Any:
    return client.last("event", "snapshot")["state"]["round"]


async def _resume(client: RawClient, port: int, protocol: int) -> None:
    client.note(
        "Resume after a lost connection",
        "The connection is lost after a decision was sent and before its answer arrived. The client "
        "reconnects and names the last version it received; it gets the missed events. It can't tell whether "
        "the decision was executed, so it sends it again with the same `req`: it is executed once. The "
        "result of a round that has ended is in its record.",
    )
    await _until_a_decision(client)
    played, v = _round(client), client.versions[OWN]
    turn = played["view"]["turns"][0]
    named = {"turn": client.turns[OWN]} if OWN in client.turns else {}
    where = {"table": OWN, "round": played["id"], "box": turn["box"], "hand": turn["hand"], **named}
    decision = {"t": "decide", "req": "req-cut-off", **where, "action": "stand"}
    await client.send(**decision)
    await asyncio.sleep(0.5)
    await client.cut()
    client.note("", "The connection is lost, and the client opens a new one.")
    await client.connect(port)
    await client.send(t="hello", protocol=protocol, tables=[{"table": OWN, "v": v, "currency": "GC"}])
    await client.until(lambda message: message["t"] in ("event", "snapshot"))
    await client.send(**decision)
    await client.until(lambda message: message["t"] == "ok")
    await client.request("GET", f"/api/rounds/{played['id']}")


async def _bet_at_a_live_table(client: RawClient, second: RawClient) -> None:
    client.note(
        "A live table",
        "The table has its own timers. `live` is the same for everybody, `mine` is the player's own part, "
        "and `pulse` has the number of players.",
    )
    await client.ask("join", table=LIVE, currency="EUR")
    await client.until(_opens)
    round_ = client.last("live")["state"]["clock"]["round"]
    await client.ask("bet", table=LIVE, round=round_, stakes=[{"box": 0, "bet": "red", "stake_minor": 100}])
    await client.ask("bet", table=LIVE, round=round_, stakes=[{"box": 0, "bet": "red", "stake_minor": 300}])
    await client.ask("undo", table=LIVE, round=round_)
    await client.ask("say", table=LIVE, text="Good luck, everybody")
    await _joins(second)
    await client.until(lambda message: message["t"] == "pulse" and message["players"] > 1)
    await client.until(lambda message: message["t"] == "mine" and bool(message["mine"]["result"]))


def _opens(message: Message) -> bool:
    return bool(message["t"] == "live" and message["state"]["clock"]["phase"] == "betting")


async def _leave_and_read_history(client: RawClient) -> None:
    client.note("Leave, and read the history", "Cashier, history and statement are HTTP routes.")
    await client.ask("leave", table=LIVE)
    order = {"req": "order-1", "currency": "EUR", "amount_minor": 500}
    await client.request("POST", "/api/cashier/deposit", order)
    await client.request("GET", "/api/history?limit=1")
    await client.request("GET", "/api/statement?limit=1")
    await client.request("GET", "/api/me")
    await client.request("GET", "/api/rounds/nowhere")


async def _joins(second: RawClient) -> None:
    await second.request("POST", "/api/guest")
    server = await second.request("GET", "/api/server")
    await second.connect(server["socket_port"])
    await second.send(t="hello", protocol=server["protocol"], tables=[])
    await second.ask("join", table=LIVE, currency="EUR")


async def manage(address: str, name: str, code: str) -> list[Message]:
    """Play the session of a manager and return its steps."""
    client = RawClient(address)
    try:
        await _manage(client, name, code)
    finally:
        await client.close()
    return client.steps


async def _manage(client: RawClient, name: str, code: str) -> None:
    client.note("Sign in and connect", "Here, the code of `croupier staff add` is used for every sign-in.")
    await client.request("POST", "/api/staff/sign-in", {"name": name, "code": code})
    server = await client.request("GET", "/api/server")
    await client.connect(server["socket_port"], "/ws/staff")
    client.note("Watch all tables", "`hello` without a table is for managers.")
    await client.send(t="hello", protocol=3)
    await client.until(lambda message: message["t"] == "overview")
    client.note("Watch one table", "Another `hello` selects one table.")
    await client.send(t="hello", protocol=3, table=LIVE)
    await client.until(lambda message: message["t"] == "chat")
    client.note("Pause and resume a table", "The table's new state comes with the answer.")
    await client.ask("pause_table", table=LIVE, reason="Checking the wheel")
    await client.ask("resume_table", table=LIVE, reason="The wheel is in order")
    client.note("A refused command", "Only a dealer may enter results.")
    await client.ask("deal_card", table=LIVE, what="17", ask=1)
