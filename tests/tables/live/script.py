"""A table's evening as a text: who does what at which second, and what is then to be seen.

`= infinite TITLE` begins a scenario at that table. Before its first line may stand `cards TH 6D ...` (the
shoe), `person deals`, or `slow` (holds wait until they are answered).
A line is `t=SECONDS` and things done or seen, parted by `;`; a subject before the verb is a player.

Done: `open`, `close`, `ann joins [DEVICE]`, `ann sits 2`, `ann stands up 2`, `ann leaves`, `ann cut off`,
`ann bets [BOX:]main 100, hot_3 5`, `ann undoes`, `ann clears`, `ann does ACTION [AT] [STAKE]`, `dealt KS`,
`pause WHY`, `resume`, `restart`, `void WHY`, `correct BACK CARD WHY`, `answer held`, `answer not`,
`limits LEAST MOST`, `has ann 500` (the balance).

Seen: `is PHASE`, `light COLOUR`, `until SECONDS`, `refused CODE`, `balance ann 900`, `stake ann 100` (what is
held), `made ann hit/time_out ...`, `wants WORDS`, `told WHAT WHY`, `options ann hit stand`,
`shares ann hit 1/2 ...`, `number #00:00:15`, `seat 2 ann`, `left ann DEVICE`, `hand ann 8H 2C | 8S 3C`.
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
from tests.tables.live.house import MIDNIGHT_MS, START_MINOR, House, seeded_shoe

FOLDER = Path(__file__).with_name("scenarios")


class Scenario(NamedTuple):
    name: str
    table: str
    lines: tuple[tuple[int, str], ...]


def scenarios() -> Iterator[Scenario]:
    for file in sorted(FOLDER.glob("*.txt")):
        yield from read(file.stem, file.read_text(encoding="utf-8"))


def read(file: str, text: str) -> Iterator[Scenario]:
    parts = re.split(r"^= (\w+) (.+)$", text, flags=re.MULTILINE)
    first = 1 + parts[0].count("\n")
    for table, title, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        numbered = list(enumerate(body.split("\n"), first))
        lines = tuple((number, line) for number, line in numbered if line and not line.startswith("#"))
        yield Scenario(f"{file}: {title}", table, lines)
        first += len(numbered) - 1


class Played:
    """A scenario as it is played: one method a verb, `do_` or `see_`."""

    def __init__(self, scenario: Scenario) -> None:
        self.setup: dict[str, object] = {}
        self.house: House | None = None
        self.scenario = scenario
        for number, line in scenario.lines:
            try:
                self._line(line)
            except (AssertionError, ValueError, LookupError) as error:
                raise AssertionError(f"{scenario.name}, line {number}: {line}: {error!r}") from error

    @property
    def h(self) -> House:
        if self.house is None:
            self.house = House(self.scenario.table, **self.setup)  # type: ignore[arg-type]
        return self.house

    def _line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if not word.startswith("t="):
            self._prepare(word, rest)
            return
        self.h.wait(MIDNIGHT_MS + int(float(word[2:]) * 1000) - self.h.now_ms)
        for part in rest.split(";"):
            self._part(part.split())

    def _prepare(self, word: str, rest: str) -> None:
        if word == "cards":
            shoe = Shoe(cards(rest), 0, len(rest.split()))
            self.setup["shoes"] = lambda number: shoe if number == 1 else seeded_shoe(number)
        elif word in ("person", "slow"):
            self.setup |= {"automatic": False} if word == "person" else {"slow": True}
        else:
            raise ValueError(f"no such preparation: {word}")

    def _part(self, words: list[str]) -> None:
        for count in (1, 2):
            for prefix in ("do_", "see_"):
                if method := getattr(self, prefix + words[0].replace("-", "_"), None):
                    method(*words[1:])
                    return
            words = [words[1], words[0], *words[2:]] if count == 1 and len(words) > 1 else words
        raise ValueError(f"no such thing: {' '.join(words)}")

    # --- done

    def do_open(self) -> None:
        self.h.open()

    def do_close(self) -> None:
        self.h.feed(i.TableClosed())

    def do_joins(self, player: str, device: str = "phone") -> None:
        self.h.balances.setdefault(player, START_MINOR)
        self.h.feed(i.Joined(player, device, "EUR"))

    def do_has(self, player: str, balance: str) -> None:
        self.h.balances[player] = int(balance)

    def do_sits(self, player: str, seat: str) -> None:
        self.h.feed(i.SatDown(player, int(seat)))

    def do_stands(self, player: str, _up: str, seat: str) -> None:
        self.h.feed(i.StoodUp(player, int(seat)))

    def do_bets(self, player: str, *words: str) -> None:
        wagers = []
        for name, stake in zip(words[::2], words[1::2], strict=True):
            box, colon, bet = name.partition(":")
            wagers.append(Wager(int(box) if colon else 0, bet if colon else name, int(stake.strip(","))))
        self.h.feed(i.Placed(player, tuple(wagers)))

    def do_clears(self, player: str) -> None:
        self.h.feed(i.Placed(player, ()))

    def do_undoes(self, player: str) -> None:
        self.h.feed(i.Undone(player))

    def do_cut(self, player: str, *_off: str) -> None:
        self.h.feed(i.Disconnected(player, self.h.state.players[player].device))

    def do_leaves(self, player: str) -> None:
        self.h.feed(i.Left(player))

    def do_does(self, player: str, action: str, at: str = "0.0", stake: str = "") -> None:
        box, hand = map(int, at.split("."))
        self.h.feed(i.Decided(player, At(box, hand), action, int(stake) if stake else None))

    def do_dealt(self, what: str) -> None:
        self.h.feed(i.Dealt(what))

    def do_pause(self, *why: str) -> None:
        self.h.feed(i.Paused(" ".join(why)))

    def do_resume(self) -> None:
        self.h.feed(i.Resumed())

    def do_restart(self) -> None:
        self.h.feed(i.Restarted())

    def do_void(self, *why: str) -> None:
        self.h.feed(i.Voided(" ".join(why)))

    def do_correct(self, back: str, card: str, *why: str) -> None:
        self.h.correct(int(back), card, " ".join(why))

    def do_answer(self, how: str) -> None:
        self.h.answer_holds(covered=how == "held")

    def do_limits(self, least: str, most: str) -> None:
        limits = dict.fromkeys(self.h.state.setup.table.limits, StakeLimits(int(least), int(most)))
        self.h.feed(i.LimitsSet(limits, {}))

    # --- seen

    def see_is(self, phase: str) -> None:
        assert self.h.state.phase == phase, self.h.state.phase

    def see_light(self, colour: str) -> None:
        shown = light(self.h.state.phase, self.h.state.paused)
        assert shown == colour, shown

    def see_until(self, seconds: str) -> None:
        assert self.h.state.deadline_ms is not None
        assert (self.h.state.deadline_ms - MIDNIGHT_MS) / 1000 == float(seconds), self.h.state.deadline_ms

    def see_refused(self, code: str) -> None:
        assert self.h.refusals, "nothing was refused"
        refusal = self.h.refusals.pop()
        assert refusal.code == code, refusal

    def see_balance(self, player: str, amount: str) -> None:
        assert self.h.balances[player] == int(amount), self.h.balances[player]

    def see_stake(self, player: str, amount: str) -> None:
        assert self.h.held[player] == int(amount), self.h.held[player]

    def see_made(self, player: str, *made: str) -> None:
        found = [f"{one.action}/{one.by}" for one in self.h.settled(player).decisions]
        assert found == list(made), found

    def see_wants(self, *words: str) -> None:
        assert self.h.state.wanted == " ".join(words), self.h.state.wanted

    def see_told(self, what: str, *reason: str) -> None:
        notices = [e.what for e in self.h.events if isinstance(e.what, Notice)]
        assert notices, "nobody was told anything"
        assert (notices[-1].what, notices[-1].reason) == (what, " ".join(reason)), notices[-1]

    def see_options(self, player: str, *options: str) -> None:
        state = self.h.state
        assert state.play is not None
        wants = state.play.decisions(player)
        found = [option.action for want in wants for option in want.options]
        assert found == list(options), found

    def see_shares(self, player: str, *expected: str) -> None:
        shares = group_shares(self.h.state, group(self.h.state, player))
        found = [f"{share.action} {share.chose}/{share.decided}" for share in shares if share.chose]
        assert " ".join(found) == " ".join(expected), found

    def see_number(self, number: str) -> None:
        entered = [e.what for e in self.h.events if isinstance(e.what, PhaseEntered)]
        assert entered[-1].number == number, entered[-1]

    def see_seat(self, seat: str, player: str) -> None:
        assert self.h.state.seats.get(int(seat), "free") == player, self.h.state.seats

    def see_left(self, player: str, device: str) -> None:
        notices = [p for p in self.h.private if p.player == player and isinstance(p.what, DeviceReplaced)]
        assert notices, "nobody was told to leave"
        assert notices[-1].what == DeviceReplaced(device)

    def see_hand(self, player: str, *expected: str) -> None:
        shown = shared_view(self.h.state, group(self.h.state, player))
        hands = [" ".join(hand.cards) for box in shown.boxes for hand in box.hands]  # type: ignore[union-attr]
        assert hands == " ".join(expected).split(" | "), hands
