"""Text cases: rounds written for readers of the rules, in a game's `cases/*.txt`.

A case is a paragraph. Its first line is `# CLAUSE: text of the clause`; these lines follow, in order:

| line                                     | meaning                                                    |
|------------------------------------------|------------------------------------------------------------|
| `table classic`                          | the table                                                  |
| `bets main 100, any_pair 5 \\| - \\| main 20` | the wagers, box by box; `-`: an empty box               |
| `cards 9H 6D TS (AC) 4D`                 | all cards of the shoe, in order; in brackets: face down    |
| `wheel 17`, `dice 1-3-6`                 | the result of a game without a shoe                        |
| `asks 0.0 0.1`                           | the open decisions by box and hand; `nobody`: none         |
| `offers hit stand, 0.1 hit stand`        | the options of the first open decision, or of those named  |
| `refused double: not_offered by splits`  | a refusal, with its code and the rule                      |
| `do insure, 0.1 hit, double=50`          | decisions for the first open hand, or for those named      |
| `peeks no`                               | the result of the dealer's peek; `never`: no peek          |
| `dealer 6D AC 4D`                        | the dealer's face-up cards                                 |
| `at 0.1 6D AC`                           | the cards or result at a place, as in the record           |
| `result 1-3-6`                           | the result as the lobby shows it                           |
| `settles main 100 won 200, 0.1 main ...` | all settlements: bet, stake, outcome, returned             |
| `net +100`                               | returned minus staked                                      |

A paragraph of `#` lines only is a comment. Every card must be dealt, and the case must have `settles` if
the round has ended.
"""

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

from croupier.equipment.cards import card
from croupier.equipment.shoe import Shoe
from croupier.games import games
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Table
from croupier.play.contract.wants import At, Choice, DealCard, DealFaceDown, Decision, Peek
from croupier.play.driving.dealing import DealtRound, replay
from croupier.play.driving.sources import ChanceSource, PredrawnSource, ShoeSource
from croupier.refusal import Refused
from tests.conformance.strategies import TABLES


class Line(NamedTuple):
    number: int
    word: str
    text: str


class Case(NamedTuple):
    """A paragraph; `clause` is the rule that it demonstrates."""

    file: str
    number: int
    clause: str
    title: str
    lines: tuple[Line, ...]

    @property
    def name(self) -> str:
        return f"{self.file}:{self.number} {self.clause}"


def case_files(game: str, ending: str) -> list[Traversable]:
    folder = files(f"croupier.games.{game}") / "cases"
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted((file for file in found if file.name.endswith(ending)), key=lambda file: file.name)


def all_cases(ending: str = ".txt") -> list[Case]:
    """Return all text cases of all games."""
    return [
        case
        for game in games()
        for file in case_files(game, ending)
        for case in read_cases(file.name, file.read_text(encoding="utf-8"))
    ]


def read_cases(file: str, text: str) -> Iterator[Case]:
    """Yield the cases of a file; raise AssertionError for a paragraph whose first line names no clause."""
    for paragraph in re.finditer(r"(?:^.+\n?)+", text, re.MULTILINE):
        start = text.count("\n", 0, paragraph.start()) + 1
        numbered = list(enumerate(paragraph.group().splitlines(), start))
        lines = tuple(Line(number, *_split(line)) for number, line in numbered if not line.startswith("#"))
        if lines:
            clause, colon, title = numbered[0][1].removeprefix("# ").partition(": ")
            assert colon, f"{file}:{start}: a case begins with '# CLAUSE: its text'"
            yield Case(file, start, clause, title, lines)


def _split(line: str) -> tuple[str, str]:
    word, _, text = line.partition(" ")
    return word, text.strip()


def items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",")]


class CaseRun:
    """A case being played, with a method for each kind of line."""

    hidden: Sequence[int] = ()

    def __init__(self, case: Case) -> None:
        self.case = case
        self.deal: DealtRound[Any] | None = None
        for line in case.lines:
            check = getattr(self, f"on_{line.word}", None)
            assert check, f"{case.file}:{line.number}: unknown line: {line.word}"
            try:
                check(line.text)
            except (AssertionError, Refused) as error:
                where = f"{case.file}:{line.number}: {line.word} {line.text}"
                raise AssertionError(f"{where}: {error}") from error
        self.finish()

    def on_table(self, text: str) -> None:
        self.table: Table = TABLES[text]

    def on_bets(self, text: str) -> None:
        self.wagers = [
            Wager(box, bet, int(stake))
            for box, wagers in enumerate(text.split("|"))
            for bet, stake in (wager.split() for wager in items(wagers) if wager != "-")
        ]

    def on_cards(self, text: str) -> None:
        words = text.split()
        self.hidden = [place for place, word in enumerate(words) if word.startswith("(")]
        shoe = tuple(card(word.strip("()")) for word in words)
        self.begin(ShoeSource(Shoe(shoe, dealt=0, cut=len(shoe))))

    def on_wheel(self, text: str) -> None:
        self.begin(PredrawnSource(tuple(text.split())))

    on_dice = on_wheel

    def begin(self, source: ChanceSource) -> None:
        self.start = self.table.game.start(self.table.rules, self.wagers)
        self.deal = DealtRound(self.start, source).deal()

    @property
    def now(self) -> DealtRound[Any]:
        assert self.deal is not None, "the case has no cards yet"
        return self.deal

    @property
    def decisions(self) -> dict[str, Decision]:
        return {str(want.to): want for want in self.now.round.wants() if isinstance(want, Decision)}

    def turn(self, item: str) -> tuple[str, list[str]]:
        """Return the place of the decision that an item is about, and the rest of its words."""
        words = item.split()
        if re.fullmatch(r"\d\.\d", words[0]):
            return words[0], words[1:]
        assert self.decisions, "there is no open decision"
        return next(iter(self.decisions)), words

    def on_asks(self, text: str) -> None:
        expected = [place for place in text.split() if place != "nobody"]
        assert list(self.decisions) == expected, self.decisions

    def on_offers(self, text: str) -> None:
        for item in items(text):
            place, actions = self.turn(item)
            assert [option.action for option in self.decisions[place].options] == actions, self.decisions

    def on_do(self, text: str) -> None:
        for item in items(text):
            place, words = self.turn(item)
            self.deal = self.now.decide(_at(place), Choice.parse(words[0]))

    def on_refused(self, text: str) -> None:
        what, _, why = text.partition(": ")
        code, _, rule = why.partition(" by ")
        before = self.deal
        try:
            self.begin(PredrawnSource(())) if what == "bets" else self.on_do(what)
        except Refused as refused:
            assert (refused.code, refused.rule) == (code, rule), refused
        else:
            raise AssertionError("it was not refused")
        assert self.deal == before

    def on_peeks(self, text: str) -> None:
        answers = [step.answer for step in self.now.steps if isinstance(step.want, Peek)]
        assert answers == {"never": [], "no": [False], "yes": [True]}[text], answers

    def on_dealer(self, text: str) -> None:
        seen = self.table.game.show(self.now.round, 0).dealer.cards  # type: ignore[attr-defined]
        assert list(seen) == text.split(), seen

    def on_at(self, text: str) -> None:
        place, _, expected = text.partition(" ")
        recorded = (str(step).partition(" ") for step in self.now.steps)
        found = " ".join(what for where, _, what in recorded if where == place)
        assert found == expected, found

    def on_result(self, text: str) -> None:
        assert self.table.game.live, f"{self.table.id} isn't dealt live"
        found = self.table.game.live.result(self.now.round)
        assert found == text, found

    def on_settles(self, text: str) -> None:
        assert self.now.round.ended, self.now.round.wants()
        expected = [line if re.match(r"\d\.\d ", line) else f"0.0 {line}" for line in items(text)]
        found = [
            f"{line.box}.{line.hand} {line.bet} {line.stake_minor} {line.outcome} {line.returned_minor}"
            for line in self.table.game.settle(self.now.round)
        ]
        assert sorted(found) == sorted(expected), found

    def on_net(self, text: str) -> None:
        lines = self.table.game.settle(self.now.round)
        net = sum(line.returned_minor - line.stake_minor for line in lines)
        assert f"{net:+d}" == text, net

    def finish(self) -> None:
        """Check that nothing is left undealt and that the record reproduces the round, if there is one."""
        if self.deal is None:
            return
        deal = self.deal
        words = [line.word for line in self.case.lines]
        dealt = [step.want for step in deal.steps if isinstance(step.want, DealCard | DealFaceDown)]
        hidden = [place for place, want in enumerate(dealt) if isinstance(want, DealFaceDown)]
        where = self.case.name
        assert not undealt(deal.source), f"{where}: {undealt(deal.source)} left undealt"
        assert hidden == list(self.hidden), f"{where}: dealt face down: {hidden}"
        assert deal.round.ended == ("settles" in words), f"{where}: now {deal.round.wants()}"
        assert replay(self.start, map(str, deal.steps)) == deal.round, where


def undealt(source: ChanceSource) -> int:
    """Return how many cards or results are left in the source."""
    match source:
        case ShoeSource(shoe):
            return shoe.remaining
        case PredrawnSource(words, drawn):
            return len(words) - drawn
    raise AssertionError(f"no case deals from {source}")


def _at(place: str) -> At:
    box, hand = place.split(".")
    return At(int(box), int(hand))
