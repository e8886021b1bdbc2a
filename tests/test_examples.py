"""Every example runs as written and prints the figures that its docstring states."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = {path.stem: path for path in (Path(__file__).parents[1] / "examples").glob("*.py")}
EXPECTED_OUTPUT = {
    "best_and_worst_bets": r"live_baccarat +best banker 1\.0579 % +worst tie 14\.3596 %(.|\n)*7\.8947",
    "drive_a_round": r"main: staked 1000, returned \d+, \w+",
    "hardest_hands": r"TT against 8: stand \(stand \+0\.79",
    "learn_to_play": r"hard 8: it hits against 10 of 10 cards(.|\n)*hard 20: it hits against 0 of 10",
    "published_and_exact": r"multihand    main +99\.59 % of total stake.*: 0\.995948, reproduced",
    "what_decks_are_worth": r"1 decks: house edge -0\.1541 %(.|\n)*8 decks: house edge \+0\.4858 %",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_and_prints_its_figures(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES[name]], capture_output=True, check=True, text=True
    )
    assert re.search(EXPECTED_OUTPUT[name], done.stdout), done.stdout
    assert "NOT" not in done.stdout
