"""Finds a strategy by its name, or reads it from a chart file."""

from pathlib import Path

from croupier.play.contract.game import Table
from croupier.play.contract.model import Model, Strategy


def strategy_of(table: Table, name: str) -> Strategy:
    """A strategy of the table's game under its rules; `name` may be the path of a chart file.

    ValueError says which there are, or what is wrong in which line of the file.
    """
    found, model = find_strategy(table, name), model_of(table)
    return model.strategies[found](table.rules) if isinstance(found, str) else found


def find_strategy(table: Table, name: str) -> Strategy | str:
    """A name that the game knows, by which a simulation finds what was compiled before; else a chart's.

    Without a name the game's first strategy.
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
    """ValueError when the table's game can't be simulated."""
    if table.game.model is None:
        raise ValueError(f"{table.game.title} can't be simulated")
    return table.game.model
