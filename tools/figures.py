"""Exact figures for the rules pages, computed in advance and committed with the package.

    python -m tools.figures            # writes src/croupier/games/GAME/figures.json for every game

A test checks that the committed files are current.
"""

from collections import defaultdict
from pathlib import Path

import msgspec

from croupier.games import published_tables
from croupier.maths.exact.coup_figures import figures_of
from croupier.play.contract.published_figures import PublishedFigures, publish

GAMES = Path(__file__).parents[1] / "src" / "croupier" / "games"


def texts() -> dict[Path, str]:
    """Return the content of each file."""
    found: defaultdict[str, dict[str, PublishedFigures]] = defaultdict(dict)
    for table in published_tables().values():
        found[table.game.name][table.id] = publish(figures_of(table))
    return {GAMES / game / "figures.json": _text(tables) for game, tables in found.items()}


def _text(tables: dict[str, PublishedFigures]) -> str:
    return msgspec.json.format(msgspec.json.encode(tables), indent=1).decode() + "\n"


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")
