"""Text cases of shared dealing, `cases/*.shared`: several players, decision windows, and each player's hands.

`player NAME BETS`, `cards`, `window NAME [PLACE] ACTION, ...`, `asks NAME ...`, `hand NAME CARDS`,
`dealer CARDS`, `settles NAME ...`; the rest is as in `tests/conformance/text_cases.py`.
"""

import re
from collections import defaultdict

from croupier.equipment.cards import card
from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.settlement import settle
from croupier.games.blackjack.shared import SharedRounds, open_shared, path_after
from croupier.play.contract.bets import Wager
from croupier.play.contract.live import Path
from croupier.play.contract.wants import At
from tests.conformance.text_cases import Case, items


class SharedCase:
    """Plays and checks a case, with a method for each word that starts a line."""

    shared: SharedRounds

    def __init__(self, case: Case) -> None:
        self.paths: dict[str, Path] = {}
        self.wagers: dict[str, list[Wager]] = {}
        for line in case.lines:
            try:
                getattr(self, f"on_{line.word}")(line.text)
            except (AssertionError, ValueError) as error:
                where = f"{case.file}:{line.number}: {line.word} {line.text}"
                raise AssertionError(f"{where}: {error}") from error
        assert not self.shared.open_decisions, f"{case.name}: {self.shared.open_decisions}"
        assert not self.shared.source.shoe.remaining, f"{case.name}: cards are left in the shoe"

    def round_of(self, name: str) -> Round:
        return self.shared.round_for(self.paths[name], self.wagers[name])

    def on_table(self, text: str) -> None:
        self.rules = published_tables()[text].rules

    def on_player(self, text: str) -> None:
        name, _, bets = text.partition(" ")
        self.wagers[name] = [Wager(0, bet, int(stake)) for bet, stake in map(str.split, items(bets))]
        self.paths[name] = ()

    def on_cards(self, text: str) -> None:
        cards = tuple(card(word.strip("()")) for word in text.split())
        all_wagers = [wager for wagers in self.wagers.values() for wager in wagers]
        self.shared = open_shared(self.rules, all_wagers, Shoe(cards, 0, len(cards)))

    def on_asks(self, text: str) -> None:
        names = [name for name, path in self.paths.items() if path in self.shared.open_decisions]
        assert names == text.split(), names

    def on_window(self, text: str) -> None:
        decisions: defaultdict[str, dict[At, str]] = defaultdict(dict)
        for item in items(text):
            name, *place, action = item.split()
            decisions[name][At(0, int(place[0][-1]) if place else 0)] = action
        window = {
            path: [choices for name, choices in decisions.items() if self.paths[name] == path]
            for path in {self.paths[name] for name in decisions}
        }
        self.shared = self.shared.decide(window)
        self.paths |= {name: path_after(self.paths[name], choices) for name, choices in decisions.items()}

    def on_hand(self, text: str) -> None:
        name, _, expected = text.partition(" ")
        hands = " | ".join(" ".join(map(str, hand.cards)) for hand in self.round_of(name).boxes[0].hands)
        assert hands == expected, hands

    def on_dealer(self, text: str) -> None:
        assert " ".join(map(str, self.shared.dealer)) == text, self.shared.dealer

    def on_settles(self, text: str) -> None:
        name, _, expected = text.partition(" ")
        assert self.round_of(name).ended, self.round_of(name).wants()
        lines = [line if re.match(r"\d\.\d ", line) else f"0.0 {line}" for line in items(expected)]
        settled = [
            f"{line.box}.{line.hand} {line.bet} {line.stake_minor} {line.outcome} {line.returned_minor}"
            for line in settle(self.round_of(name))
        ]
        assert sorted(settled) == sorted(lines), settled
