"""Live tables for the load test, and the files that servers read them from."""

from collections.abc import Sequence
from pathlib import Path

from croupier.bench.growing_load import PlayedTable

CURRENCY = "EUR"
BET, STAKE_MINOR = "red", 100
TABLE = """[{id}]
game = "roulette"
title = "Roulette {id}"
line = "Single zero"
dealing = "live"
limits = {{ EUR = "1-5000" }}
wheel = "single_zero"
straight = ["win 35:1"]
split = ["win 17:1"]
street = ["win 11:1"]
corner = ["win 8:1"]
five_number = []
six_line = ["win 5:1"]
column = ["win 2:1"]
dozen = ["win 2:1"]
even_chance = ["win 1:1"]
"""
PARTS = {"betting_ms": 0.6, "warning_ms": 0.15, "spin_ms": 0.1, "ball_ms": 0.05, "pause_ms": 0.1}
"""The phases of a round, as parts of it."""


def live_tables(number: int) -> tuple[PlayedTable, ...]:
    return tuple(PlayedTable(f"bench_{place}", BET, STAKE_MINOR) for place in range(number))


def write_table_options(folder: Path, tables: Sequence[PlayedTable], round_s: float) -> Sequence[str]:
    """Write tables, and the times of their rounds, to a new folder; return a server's options for them."""
    folder.mkdir()
    (folder / "tables.toml").write_text("\n".join(TABLE.format(id=table.id) for table in tables))
    times = "\n".join(f"{name} = {round(part * round_s * 1000)}" for name, part in PARTS.items())
    (folder / "croupier.toml").write_text("\n".join(f"[{table.id}]\n{times}\n" for table in tables))
    return "--tables", str(folder / "tables.toml"), "--config", str(folder / "croupier.toml")
