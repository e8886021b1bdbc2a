"""Parser of chart files, which have an action for each hand against each card of the dealer.

    dealer   A  2  3  4  5  6  7  8  9  T
    hard 12  H  H  H  S  S  S  H  H  H  H
    soft 18  H  S  DS DS DS DS S  S  H  H
    pair A   P  P  P  P  P  P  P  P  P  P
    insurance no
    even_money no

H hit, S stand, DH double or else hit, DS double or else stand, P split, - play the pair by its total. Totals
above or below all lines of their kind use the nearest line. If both of the dealer's cards are face up, the
columns are the dealer's totals, soft ones written s17. `#` starts a comment.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.equipment.cards import RANKS, Card
from croupier.games.blackjack.hands import VALUE, is_soft, total
from croupier.games.blackjack.strategy import VisibleState, by_total
from croupier.play.contract.model import Strategy

ACTIONS: dict[str, tuple[str, ...]] = {
    "H": ("hit",),
    "S": ("stand",),
    "DH": ("double", "hit"),
    "DS": ("double", "stand"),
    "P": ("split",),
    "-": (),
}
"""Actions of each letter, in order of preference."""

OFFERS = {
    "insurance": ("decline_insurance", "insure"),
    "even_money": ("decline_even_money", "take_even_money"),
}
TOTALS = {"hard": range(4, 22), "soft": range(12, 22)}
ANSWERS = ("no", "yes")


@dataclass(frozen=True, slots=True)
class Chart:
    """A parsed chart: `lines[kind][hand]` has an entry of ACTIONS for each of the dealer's `columns`."""

    columns: tuple[str, ...] = ()
    lines: dict[str, dict[int, tuple[str, ...]]] = field(
        default_factory=lambda: {"hard": {}, "soft": {}, "pair": {}}
    )
    offers: dict[str, str] = field(default_factory=lambda: {name: no for name, (no, _) in OFFERS.items()})

    def decide(self, seen: VisibleState) -> str:
        """Return the first available action of the chart's entry; ValueError if there is none."""
        for action in self._preferences(seen):
            if action in seen.options:
                return action
        hand = " ".join(card.rank for card in seen.cards)
        raise ValueError(f"the chart has nothing that is allowed for {hand}: {', '.join(seen.options)}")

    def _preferences(self, seen: VisibleState) -> Iterator[str]:
        yield from self.offers.values()
        column = self._column(seen.dealer)
        if "split" in seen.options and (line := self.lines["pair"].get(VALUE[seen.cards[0].rank])):
            yield from ACTIONS[line[column]]
        yield from ACTIONS[
            self._by_total("soft" if is_soft(seen.cards) else "hard", total(seen.cards))[column]
        ]

    def _column(self, dealer: tuple[Card, ...]) -> int:
        name = column_of(dealer)
        if name not in self.columns:
            raise ValueError(f"the chart has no column {name}; its first line has to name it")
        return self.columns.index(name)

    def _by_total(self, kind: str, points: int) -> tuple[str, ...]:
        lines = self.lines[kind]
        return lines[min(max(points, min(lines)), max(lines))]


def column_of(dealer: tuple[Card, ...]) -> str:
    """Return the column of the dealer's face-up cards: `T`, or `12` and `s17` for two cards."""
    if len(dealer) == 1:
        return dealer[0].rank
    return f"{'s' if is_soft(dealer) else ''}{total(dealer)}"


def strategy_of(text: str) -> Strategy:
    """Return the strategy of a chart file; ValueError names the line and what is allowed."""
    return by_total(read_chart(text).decide)


def read_chart(text: str) -> Chart:
    chart = Chart()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if words := line.partition("#")[0].split():
                chart = _with(chart, words)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
    for kind in TOTALS:
        _complete(kind, chart.lines[kind])
    return chart


def _with(chart: Chart, words: list[str]) -> Chart:
    kind, *rest = words
    if kind == "dealer":
        return Chart(tuple(rest), chart.lines, chart.offers)
    if kind in OFFERS:
        chart.offers[kind] = _offer(kind, rest)
    elif kind in chart.lines:
        hand = _hand(kind, rest[:1])
        chart.lines[kind][hand] = _letters(kind, rest[1:], len(chart.columns))
    else:
        raise ValueError(f"begins with {kind!r}; allowed are: dealer, {', '.join([*chart.lines, *OFFERS])}")
    return chart


def _offer(kind: str, rest: list[str]) -> str:
    if len(rest) != 1 or rest[0] not in ANSWERS:
        raise ValueError(f"write {kind} yes or {kind} no")
    return OFFERS[kind][ANSWERS.index(rest[0])]


def _hand(kind: str, word: list[str]) -> int:
    if kind == "pair":
        allowed = {rank: VALUE[rank] for rank in RANKS[:10]}
    else:
        allowed = {str(points): points for points in TOTALS[kind]}
    if not word or word[0] not in allowed:
        raise ValueError(f"{kind} is followed by one of: {', '.join(allowed)}")
    return allowed[word[0]]


def _letters(kind: str, words: list[str], columns: int) -> tuple[str, ...]:
    allowed = [word for word in ACTIONS if kind == "pair" or word not in {"P", "-"}]
    for word in words:
        if word not in allowed:
            raise ValueError(f"{word!r} isn't an action here; allowed are: {', '.join(allowed)}")
    if not columns or len(words) != columns:
        raise ValueError(f"{len(words)} actions for {columns} columns; the line `dealer` names the columns")
    return tuple(words)


def _complete(kind: str, lines: dict[int, tuple[str, ...]]) -> None:
    if not lines:
        raise ValueError(f"the chart has no line {kind}")
    missing = [points for points in range(min(lines), max(lines)) if points not in lines]
    if missing:
        raise ValueError(f"the chart has no line {kind} {missing[0]}")
