"""Blackjack: every published table, and any variant that its rules can describe."""

from functools import lru_cache
from importlib.resources import files

from croupier.games.blackjack.advice import ADVICE
from croupier.games.blackjack.bets import bets
from croupier.games.blackjack.chart import strategy_of
from croupier.games.blackjack.labels import LABELS, cloth, rule_errors
from croupier.games.blackjack.largest_return import largest_returns
from croupier.games.blackjack.live import LIVE
from croupier.games.blackjack.observations import OBSERVATIONS
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.settlement import settle
from croupier.games.blackjack.show import show
from croupier.games.blackjack.side_bet_odds import side_bets
from croupier.games.blackjack.simulation import SIDE_BET_MODELS, rank_groups, state_key
from croupier.games.blackjack.start import check_wagers, start
from croupier.games.blackjack.strategy import mimic, never_bust
from croupier.games.blackjack.view import BlackjackView
from croupier.play.contract.figures import Figures
from croupier.play.contract.game import Game
from croupier.play.contract.model import Model, Strategy

_FOLDER = files(__name__)


@lru_cache(maxsize=16)
def _figures(rules: Rules) -> Figures:
    """Import numerical libraries here, as a server that only deals doesn't need them."""
    from croupier.games.blackjack.exact.figures import BlackjackFigures

    return BlackjackFigures(rules)


def _optimal(rules: Rules) -> Strategy:
    from croupier.games.blackjack.exact.play import optimal

    return optimal(rules)


def _basic(rules: Rules) -> Strategy:
    from croupier.games.blackjack.exact.play import basic

    return basic(rules)


STRATEGIES = {"optimal": _optimal, "basic": _basic, "mimic": mimic, "never_bust": never_bust}

GAME = Game(
    name="blackjack",
    title="Blackjack",
    rules=Rules,
    variants=(_FOLDER / "variants.toml").read_text(encoding="utf-8"),
    help=(_FOLDER / "help.md").read_text(encoding="utf-8"),
    labels=LABELS,
    bets=bets,
    check_wagers=check_wagers,
    start=start,
    settle=settle,
    largest_returns=largest_returns,
    view=BlackjackView,
    show=show,
    cloth=cloth,
    rule_errors=rule_errors,
    boxes=lambda rules: rules.boxes,
    decks=lambda rules: rules.decks,
    model=Model(state_key, rank_groups, STRATEGIES, strategy_of, SIDE_BET_MODELS),
    figures=_figures,
    bet_odds=lambda rules: tuple(side_bets(rules)),
    published_figures=(_FOLDER / "figures.json").read_text(encoding="utf-8"),
    observations=OBSERVATIONS,
    advice=ADVICE,
    live=LIVE,
    rank=10,
)
