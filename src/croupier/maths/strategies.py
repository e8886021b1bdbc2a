"""Lookup of strategies by name or chart file."""

from pathlib import Path

from croupier.play.contract.game import Table
from croupier.play.contract.model import Model, Strategy


def strategy_of(table: Table, name: str) -> Strategy:
    """Return a strategy for the table's rules; `name` may be the path of a chart file.

    Raises ValueError that lists the known names, or points at the wrong line of the file.
    """
    found, model = find_strategy(table, name), model_of(table)
    return model.strategies[found](table.rules) if isinstance(found, str) else found


def find_strategy(table: Table, name: str) -> Strategy | str:
    """Return the name of one of the game's strategies, or the strategy of a chart file.

    Compiled results of named strategies are cached. Without a name, return the game's first strategy.
    """
    model = model_of(table)
    if not name or name in model.strategies:
        return name or next(iter(model.strategies))
    file = Path(name)
    if model.chart is None or not file.is_file():
        files = " or a chart file" if model.chart else ""
        raise ValueError(
            f"no strategy {name!r}; there are: {', '.join(model.strategies)},{files}".rstrip(",")
        )
    try:
        return model.chart(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError(
            f"{file} isn't a text; allowed is: a chart as `croupier strategy --chart` writes it"
        ) from None
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def model_of(table: Table) -> Model:
    """Return the model of the table's game. Raises ValueError if it can't be simulated."""
    if table.game.model is None:
        raise ValueError(f"{table.game.title} can't be simulated")
    return table.game.model
