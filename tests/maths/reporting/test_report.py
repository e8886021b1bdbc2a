"""The report's plots can be read, and the page says how to make the very same page again."""

import re
import shlex
from html import unescape
from pathlib import Path

import matplotlib as mpl
import pytest
from typer.testing import CliRunner

import croupier
from croupier.cli.main import app
from croupier.maths.reporting.plots import chances
from croupier.maths.simulation.convergence import convergence_points, running_estimate
from croupier.maths.simulation.simulate import prepare, simulate
from croupier.play.contract.rules_text import rules_key
from tests.maths.tables import TABLES

WORDS = ("croupier", "report", "premium", "--rounds")


def report(folder: Path, *words: str) -> str:
    file = folder / "page.html"
    result = CliRunner().invoke(app, [*words, "--output", str(file)])
    assert result.exit_code == 0, result.output
    return file.read_text()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """With a seed of its own, and two chunks of rounds."""
    return report(tmp_path_factory.mktemp("first"), *WORDS[1:], "3e6")


def made(page: str) -> dict[str, str]:
    rows = re.findall(r'<th scope="row">([^<]*)</th><td>(.*?)</td>', page)
    return {name: unescape(re.sub("<[^>]*>", "", told)) for name, told in rows}


def plots(page: str) -> list[str]:
    return re.findall(r"<svg.*?</svg>", page, re.DOTALL)


def texts(plot: str) -> list[str]:
    return [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", plot)]


def test_the_command_on_the_page_makes_it_again_but_for_the_date(page: str, tmp_path: Path) -> None:
    command = shlex.split(made(page)["the same page again"])
    assert tuple(command[:4]) == WORDS
    again = report(tmp_path, *command[1:])
    undated = [re.sub("<time>[0-9-]{10}</time>", "", one) for one in (page, again)]
    assert undated[0] == undated[1] != page


def test_a_page_says_what_it_was_made_from(page: str) -> None:
    told, table = made(page), TABLES["premium"]
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", told["date"])
    assert told["rules"] == rules_key(table.game, table.rules)
    assert told["software"].startswith(f"croupier {croupier.__version__} of ")
    assert told["the same page again"].endswith(f"--rounds 3000000 --seed {told['seed']}")
    assert all(name in told["libraries"] for name in ("Python", "numpy", "numba", "matplotlib"))


def test_the_api_says_the_command_too(tmp_path: Path) -> None:
    study = croupier.table("roulette").with_rules(even_chance=["win 1:1", "zero half back"])
    command = shlex.split(made(study.report())["the same page again"])
    assert command[3:] == ["--set", 'even_chance=["win 1:1","zero half back"]', "--rounds", "0"]
    assert made(study.report()) == made(report(tmp_path, *command[1:]))


def test_ticks_are_round_numbers_with_units(page: str) -> None:
    distribution, busts, convergence = map(texts, plots(page))
    assert [tick for tick in ("0.01 %", "0.1 %", "1 %", "10 %", "100 %") if tick not in distribution] == []
    assert [tick for tick in ("0 %", "10 %", "20 %", "30 %", "40 %") if tick not in busts] == []
    assert {"100,000", "1 million", "rounds (logarithmic scale)", "standard errors"} <= {*convergence}
    assert all(len(tick) <= len("100.25 %") for tick in convergence if tick.endswith("0 %"))


def test_a_convergence_has_many_points_from_few_rounds() -> None:
    table = TABLES["classic"]
    job = prepare(table.game, table.rules, "mimic", rounds=1_000_000, seed=5, fresh_shoe=True)
    found = simulate(job)
    points = convergence_points(job, "", [running_estimate(found, "")])
    assert len(points) > 50
    assert points[0].rounds == 1_000_000 // 64
    assert points[-1] == running_estimate(found, "")
    assert len(convergence_points(job._replace(rounds=1), "", [running_estimate(found, "")])) == 1


def test_plots_have_titles_and_share_no_ids(page: str) -> None:
    drawn = plots(page)
    assert all("Premium Blackjack" in " ".join(texts(plot)) for plot in drawn)
    assert all('role="img" aria-label="' in plot for plot in drawn)
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]*)', page)) <= set(ids)


def test_a_users_style_changes_no_plot() -> None:
    drawn = chances({"6": 0.42, "7": 0.26}, "Busts", "seen", "says")
    with mpl.rc_context({"axes.facecolor": "black", "font.size": 30, "svg.fonttype": "path"}):
        assert chances({"6": 0.42, "7": 0.26}, "Busts", "seen", "says") == drawn
