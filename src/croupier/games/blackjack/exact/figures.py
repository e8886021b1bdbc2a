"""The figures of one set of rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from croupier.games.blackjack.chart import OFFERS, column_of
from croupier.games.blackjack.chart_text import SOFT as SOFT_PREFIX
from croupier.games.blackjack.chart_text import chart_advice
from croupier.games.blackjack.exact.analysis import analysis
from croupier.games.blackjack.exact.by_total import Column, column_value, columns
from croupier.games.blackjack.exact.distribution import Distribution, distribution, mean, standard_deviation
from croupier.games.blackjack.exact.plans import best_plans, chart_plans
from croupier.games.blackjack.exact.results import Analysis, OpeningAnalysis
from croupier.games.blackjack.exact.solution import DealerSolution, Solution
from croupier.games.blackjack.exact.space import CELLS, HARD, SOFT
from croupier.games.blackjack.hands import is_soft, total
from croupier.games.blackjack.outcomes import accept_offer, unit_box
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.shoe import CARDS, VALUES, RankCounts
from croupier.games.blackjack.side_bet_odds import side_bets
from croupier.play.contract.figures import Bar, BetOdds, ChanceTable, Chart, ChartPart, Opening, PlayFigures

BY_TOTAL = "total-dependent"
"""A strategy that decides by the own total, hard or soft, by pairs, and by the dealer's cards."""

UPCARDS = VALUES[1:] + VALUES[:1]
"""Upcards in the order of chart columns."""

WORDS = {
    "H": "hit",
    "S": "stand",
    "DH": "double (else hit)",
    "DS": "double (else stand)",
    "P": "split",
}
"""Words for a chart's letters."""

Lines = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class BlackjackFigures:
    """Figures of the first round of a fresh shoe."""

    rules: Rules

    @cached_property
    def solution(self) -> Solution:
        return Solution(self.rules, RankCounts.of_decks(self.rules.decks))

    @cached_property
    def analysis(self) -> Analysis[float]:
        """The value of every option of every hand."""
        return analysis(self.solution)

    @property
    def mean(self) -> float:
        return self.analysis.value.net

    @cached_property
    def best(self) -> PlayFigures:
        return PlayFigures(
            self.analysis.strategy, *self.analysis.value, standard_deviation(self._distribution)
        )

    @cached_property
    def _distribution(self) -> Distribution:
        return distribution(self.solution, best_plans(self.solution))

    @cached_property
    def openings(self) -> tuple[Opening, ...]:
        return tuple(
            Opening(deal.hand, deal.dealer, deal.chance, dict(deal.options))
            for deal in self.analysis.openings
            if deal.options
        )

    @cached_property
    def bets(self) -> tuple[BetOdds, ...]:
        return tuple(side_bets(self.rules))

    @cached_property
    def distribution(self) -> tuple[Bar, ...]:
        return tuple(Bar(float(net), chance) for net, chance in self._distribution.items())

    @cached_property
    def chance_tables(self) -> dict[str, ChanceTable]:
        chances = self._bust_chances()
        soft = " (s: soft)" if any(seen.startswith(SOFT_PREFIX) for seen in chances) else ""
        table = ChanceTable(
            title="Bust chances of the dealer",
            note="By what the player sees of the dealer's cards.",
            plot_title="chance that the dealer busts",
            axis=f"what is seen of the dealer's hand{soft}",
            chances=chances,
        )
        return {"busts": table}

    def _bust_chances(self) -> dict[str, float]:
        """Return the dealer's bust chances by the dealer's visible cards, over all hands of the box."""
        named: dict[str, list[DealerSolution]] = {}
        for against in self.solution.dealers:
            named.setdefault(column_of(against.cards), []).append(against)
        return {name: self._bust_chance(named[name]) for name in sorted(named, key=_order)}

    def _bust_chance(self, dealers: Sequence[DealerSolution]) -> float:
        solution, bust, seen = self.solution, 0.0, 0.0
        for against in dealers:
            likely = solution.chances * against.chances
            bust += float(likely @ against.dealer.ends[solution.rows, 0])
            seen += float(likely.sum())
        return bust / seen

    @cached_property
    def chart(self) -> Chart:
        found = sorted(columns(self.solution), key=lambda column: _order(column.name))
        names = tuple(column.name for column in found)
        parts = tuple(_parts(self.solution, found))
        takes = {name: gain > 0 for name, gain in self._gains().items()}
        offers = {name: "yes" if take else "no" for name, take in takes.items()}
        used = {letters for part in parts for line in part.lines.values() for letters in line}
        words = {letters: word for letters, word in WORDS.items() if letters in used}
        played, text = self._by(found, takes), _text(names, parts, offers)
        return Chart(names, parts, offers, words, played, text, tuple(chart_advice(names, parts, words)))

    def _by(self, found: Sequence[Column], takes: Mapping[str, bool]) -> PlayFigures:
        """Return the figures of play by the columns, with each offer always accepted or always declined."""
        tally = distribution(self.solution, chart_plans(self.solution, found, takes))
        stake = sum(column_value(self.solution, column).stake for column in found)
        stake += sum(_found_at_once(self.solution, against) for against in self.solution.dealers)
        if takes.get("insurance"):
            box = accept_offer(unit_box(self.rules, ()), "insurance")
            insured = sum(deal.chance for deal in self._offered("insurance"))
            stake += insured * box.insurance_minor / box.stake_minor
        return PlayFigures(BY_TOTAL, mean(tally), stake, standard_deviation(tally))

    def _gains(self) -> dict[str, float]:
        """Return the gain of always accepting each offer."""
        return {
            name: sum(deal.chance * deal.offer.gain for deal in deals if deal.offer)
            for name in OFFERS
            if (deals := self._offered(name))
        }

    def _offered(self, name: str) -> list[OpeningAnalysis[float]]:
        return [deal for deal in self.analysis.openings if deal.offer and deal.offer.name == name]


def _found_at_once(solution: Solution, against: DealerSolution) -> float:
    """Return the chance that a dealer's blackjack ends the round before play."""
    return float((solution.chances * against.chances * (1 - against.live)).sum())


def _order(column: str) -> tuple[bool, int]:
    """Return a sort key: upcards from deuce to ace; totals ascending, soft ones after hard ones."""
    soft, points = column.startswith("s"), column.removeprefix("s")
    return soft, UPCARDS.index(points) if points in UPCARDS else int(points)


def _parts(solution: Solution, found: Sequence[Column]) -> Iterator[ChartPart]:
    for kind, name in ((HARD, "hard"), (SOFT, "soft")):
        lines = {
            str(points): tuple(column.letters[CELLS.index((kind, points))] for column in found)
            for points in sorted(points for soft, points in CELLS if soft == kind)
        }
        yield ChartPart(name, _trimmed(lines))
    if solution.pairs:
        yield ChartPart(
            "pair", {VALUES[value]: tuple(_pair(value, found)) for value in sorted(solution.pairs)}
        )


def _pair(value: int, found: Sequence[Column]) -> Iterator[str]:
    """Yield the letters of a pair; an unsplit pair is played like its total."""
    cards = (CARDS[value], CARDS[value])
    cell = CELLS.index((SOFT if is_soft(cards) else HARD, total(cards)))
    return ("P" if value in column.splits else column.letters[cell] for column in found)


def _trimmed(lines: Lines) -> Lines:
    """Drop lines at either end that equal their neighbour, as readers extend a chart's outer lines."""
    hands = list(lines)
    while len(hands) > 1 and lines[hands[0]] == lines[hands[1]]:
        del hands[0]
    while len(hands) > 1 and lines[hands[-1]] == lines[hands[-2]]:
        del hands[-1]
    return {hand: lines[hand] for hand in hands}


def _text(names: Sequence[str], parts: Sequence[ChartPart], offers: Mapping[str, str]) -> str:
    """Format a chart file."""
    lines = {f"{part.name} {hand}": line for part in parts for hand, line in part.lines.items()}
    grid = [_line(head, line) for head, line in {"dealer": names, **lines}.items()]
    return "\n".join([*grid, *(f"{name} {answer}" for name, answer in offers.items()), ""])


def _line(head: str, words: Sequence[str]) -> str:
    return f"{head:<8} {' '.join(f'{word:<3}' for word in words)}".rstrip()
