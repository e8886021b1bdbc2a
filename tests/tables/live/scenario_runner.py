"""Scenarios: a session at a live table as text, with the inputs at each second and the expected results.

`= infinite TITLE` begins a scenario at that table. Preparations may precede its first timed line:
`cards TH 6D ...` (the first shoe), `person deals`, or `holds wait` (they are answered by `answer`).
A timed line is `t=SECONDS` and a list of inputs and checks, separated by `;`. A word before the verb is the
player.

Inputs: `open`, `close`, `ann joins [DEVICE]`, `ann sits 2`, `ann stands up 2`, `ann leaves`,
`ann disconnects`, `ann bets [BOX:]main 100, hot_3 5`, `ann undoes`, `ann clears`,
`ann does ACTION [AT] [STAKE]`, `dealt KS`, `pause REASON`, `resume`, `restart`, `void REASON`,
`correct BACK CARD REASON`, `answer held`, `answer refused`, `limits MIN MAX`, `ann has 500` (the balance).

Checks: `is PHASE`, `light COLOUR`, `until SECONDS` (the deadline), `refused CODE`, `balance ann 900`,
`stake ann 100` (the amount held), `decided ann hit/time_out ...`, `wants WORDS`, `notice WHAT REASON`,
`options ann hit stand`, `shares ann hit 1/2 ...`, `number #00:00:15`, `seat 2 ann`, `replaced ann DEVICE`,
`hand ann 8H 2C | 8S 3C`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At
from croupier.tables.live import group, shared_view
from croupier.tables.live import inputs as i
from croupier.tables.live.notices import DeviceReplaced, Notice, PhaseEntered
from croupier.tables.live.phases import light
from croupier.tables.live.statistics import group_shares
from tests.tables.live.harness import MIDNIGHT_MS, START_MINOR, TableHarness, seeded_shoe

FOLDER = Path(__file__).with_name("scenarios")


class Scenario(NamedTuple):
    name: str
    table: str
    lines: tuple[tuple[int, str], ...]


def scenarios() -> Iterator[Scenario]:
    """Yield all scenarios of the folder."""
    for file in sorted(FOLDER.glob("*.txt")):
        yield from parse(file.stem, file.read_text(encoding="utf-8"))


def parse(file: str, text: str) -> Iterator[Scenario]:
    parts = re.split(r"^= (\w+) (.+)$", text, flags=re.MULTILINE)
    first = 1 + parts[0].count("\n")
    for table, title, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        numbered = list(enumerate(body.split("\n"), first))
        lines = tuple((number, line) for number, line in numbered if line and not line.startswith("#"))
        yield Scenario(f"{file}: {title}", table, lines)
        first += len(numbered) - 1


class ScenarioRun:
    """A run of a scenario. Each verb has a method: `do_` for an input, `check_` for a check."""

    def __init__(self, scenario: Scenario) -> None:
        self.setup: dict[str, object] = {}
        self._table: TableHarness | None = None
        self.scenario = scenario
        for number, line in scenario.lines:
            try:
                self._run_line(line)
            except (AssertionError, ValueError, LookupError) as error:
                raise AssertionError(f"{scenario.name}, line {number}: {line}: {error!r}") from error

    @property
    def table(self) -> TableHarness:
        """The table, created with the preparations when it is first used."""
        if self._table is None:
            self._table = TableHarness(self.scenario.table, **self.setup)  # type: ignore[arg-type]
        return self._table

    def _run_line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if not word.startswith("t="):
            self._prepare(word, rest)
            return
        self.table.wait(MIDNIGHT_MS + int(float(word[2:]) * 1000) - self.table.now_ms)
        for part in rest.split(";"):
            self._run_part(part.split())

    def _prepare(self, word: str, rest: str) -> None:
        if word == "cards":
            shoe = Shoe(cards(rest), 0, len(rest.split()))
            self.setup["shoes"] = lambda number: shoe if number == 1 else seeded_shoe(number)
        elif word in ("person", "holds"):
            self.setup |= {"automatic": False} if word == "person" else {"manual_holds": True}
        else:
            raise ValueError(f"unknown preparation: {word}")

    def _run_part(self, words: list[str]) -> None:
        for count in (1, 2):
            for prefix in ("do_", "check_"):
                if method := getattr(self, prefix + words[0].replace("-", "_"), None):
                    method(*words[1:])
                    return
            words = [words[1], words[0], *words[2:]] if count == 1 and len(words) > 1 else words
        raise ValueError(f"unknown verb: {' '.join(words)}")

    # --- inputs

    def do_open(self) -> None:
        self.table.open()

    def do_close(self) -> None:
        self.table.feed(i.TableClosed())

    def do_joins(self, player: str, device: str = "phone") -> None:
        self.table.balances.setdefault(player, START_MINOR)
        self.table.feed(i.Joined(player, device, "EUR"))

    def do_has(self, player: str, balance: str) -> None:
        self.table.balances[player] = int(balance)

    def do_sits(self, player: str, seat: str) -> None:
        self.table.feed(i.SatDown(player, int(seat)))

    def do_stands(self, player: str, _up: str, seat: str) -> None:
        self.table.feed(i.StoodUp(player, int(seat)))

    def do_bets(self, player: str, *words: str) -> None:
        wagers = []
        for name, stake in zip(words[::2], words[1::2], strict=True):
            box, colon, bet = name.partition(":")
            wagers.append(Wager(int(box) if colon else 0, bet if colon else name, int(stake.strip(","))))
        self.table.feed(i.Placed(player, tuple(wagers)))

    def do_clears(self, player: str) -> None:
        self.table.feed(i.Placed(player, ()))

    def do_undoes(self, player: str) -> None:
        self.table.feed(i.Undone(player))

    def do_disconnects(self, player: str) -> None:
        self.table.feed(i.Disconnected(player, self.table.state.players[player].device))

    def do_leaves(self, player: str) -> None:
        self.table.feed(i.Left(player))

    def do_does(self, player: str, action: str, at: str = "0.0", stake: str = "") -> None:
        box, hand = map(int, at.split("."))
        self.table.feed(i.Decided(player, At(box, hand), action, int(stake) if stake else None))

    def do_dealt(self, answer: str) -> None:
        self.table.feed(i.Dealt(answer))

    def do_pause(self, *reason: str) -> None:
        self.table.feed(i.Paused(" ".join(reason)))

    def do_resume(self) -> None:
        self.table.feed(i.Resumed())

    def do_restart(self) -> None:
        self.table.feed(i.Restarted())

    def do_void(self, *reason: str) -> None:
        self.table.feed(i.Voided(" ".join(reason)))

    def do_correct(self, back: str, card: str, *reason: str) -> None:
        self.table.correct(int(back), card, " ".join(reason))

    def do_answer(self, answer: str) -> None:
        self.table.answer_holds(covered={"held": True, "refused": False}[answer])

    def do_limits(self, minimum: str, maximum: str) -> None:
        limits = dict.fromkeys(self.table.state.setup.table.limits, StakeLimits(int(minimum), int(maximum)))
        self.table.feed(i.LimitsSet(limits, {}))

    # --- checks

    def check_is(self, phase: str) -> None:
        assert self.table.state.phase == phase, self.table.state.phase

    def check_light(self, colour: str) -> None:
        found = light(self.table.state.phase, self.table.state.paused)
        assert found == colour, found

    def check_until(self, seconds: str) -> None:
        deadline_ms = self.table.state.deadline_ms
        assert deadline_ms is not None
        assert (deadline_ms - MIDNIGHT_MS) / 1000 == float(seconds), deadline_ms

    def check_refused(self, code: str) -> None:
        assert self.table.refusals, "nothing was refused"
        refusal = self.table.refusals.pop()
        assert refusal.code == code, refusal

    def check_balance(self, player: str, amount: str) -> None:
        assert self.table.balances[player] == int(amount), self.table.balances[player]

    def check_stake(self, player: str, amount: str) -> None:
        assert self.table.held[player] == int(amount), self.table.held[player]

    def check_decided(self, player: str, *expected: str) -> None:
        found = [f"{one.action}/{one.by}" for one in self.table.settlement(player).decisions]
        assert found == list(expected), found

    def check_wants(self, *words: str) -> None:
        assert self.table.state.wanted == " ".join(words), self.table.state.wanted

    def check_notice(self, what: str, *reason: str) -> None:
        notices = [e.what for e in self.table.events if isinstance(e.what, Notice)]
        assert notices, "no notice was sent"
        assert (notices[-1].what, notices[-1].reason) == (what, " ".join(reason)), notices[-1]

    def check_options(self, player: str, *options: str) -> None:
        state = self.table.state
        assert state.play is not None
        wants = state.play.decisions(player)
        found = [option.action for want in wants for option in want.options]
        assert found == list(options), found

    def check_shares(self, player: str, *expected: str) -> None:
        shares = group_shares(self.table.state, group(self.table.state, player))
        found = [f"{share.action} {share.chose}/{share.decided}" for share in shares if share.chose]
        assert " ".join(found) == " ".join(expected), found

    def check_number(self, number: str) -> None:
        entered = [e.what for e in self.table.events if isinstance(e.what, PhaseEntered)]
        assert entered[-1].number == number, entered[-1]

    def check_seat(self, seat: str, player: str) -> None:
        assert self.table.state.seats.get(int(seat), "free") == player, self.table.state.seats

    def check_replaced(self, player: str, device: str) -> None:
        notices = [p for p in self.table.notices if p.player == player and isinstance(p.what, DeviceReplaced)]
        assert notices, "no device was replaced"
        assert notices[-1].what == DeviceReplaced(device)

    def check_hand(self, player: str, *expected: str) -> None:
        view = shared_view(self.table.state, group(self.table.state, player))
        hands = [" ".join(hand.cards) for box in view.boxes for hand in box.hands]  # type: ignore[union-attr]
        assert hands == " ".join(expected).split(" | "), hands
