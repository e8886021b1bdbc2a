"""The report's plots are readable, and the page states the command that reproduces it."""

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

COMMAND = ("croupier", "report", "premium", "--rounds")


def write_report(folder: Path, *arguments: str) -> str:
    file = folder / "page.html"
    result = CliRunner().invoke(app, [*arguments, "--output", str(file)])
    assert result.exit_code == 0, result.output
    return file.read_text()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a report with a random seed and two chunks of rounds."""
    return write_report(tmp_path_factory.mktemp("first"), *COMMAND[1:], "3e6")


def provenance(page: str) -> dict[str, str]:
    """Return the table of the page that describes how the report was made."""
    rows = re.findall(r'<th scope="row">([^<]*)</th><td>(.*?)</td>', page)
    return {name: unescape(re.sub("<[^>]*>", "", cell)) for name, cell in rows}


def plots_of(page: str) -> list[str]:
    return re.findall(r"<svg.*?</svg>", page, re.DOTALL)


def texts_of(plot: str) -> list[str]:
    return [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", plot)]


def test_the_command_on_the_page_reproduces_it_except_for_the_date(page: str, tmp_path: Path) -> None:
    command = shlex.split(provenance(page)["the same page again"])
    assert tuple(command[:4]) == COMMAND
    again = write_report(tmp_path, *command[1:])
    undated = [re.sub("<time>[0-9-]{10}</time>", "", text) for text in (page, again)]
    assert undated[0] == undated[1] != page


def test_a_page_states_its_date_rules_software_and_command(page: str) -> None:
    rows, table = provenance(page), TABLES["premium"]
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", rows["date"])
    assert rows["rules"] == rules_key(table.game, table.rules)
    assert rows["software"].startswith(f"croupier {croupier.__version__} of ")
    assert rows["the same page again"].endswith(f"--rounds 3000000 --seed {rows['seed']}")
    assert all(name in rows["libraries"] for name in ("Python", "numpy", "numba", "matplotlib"))


def test_a_report_of_the_api_states_the_command_too(tmp_path: Path) -> None:
    study = croupier.table("roulette").with_rules(even_chance=["win 1:1", "zero half back"])
    command = shlex.split(provenance(study.report())["the same page again"])
    assert command[3:] == ["--set", 'even_chance=["win 1:1","zero half back"]', "--rounds", "0"]
    assert provenance(study.report()) == provenance(write_report(tmp_path, *command[1:]))


def test_ticks_are_round_numbers_with_units(page: str) -> None:
    distribution, busts, convergence = map(texts_of, plots_of(page))
    assert [tick for tick in ("0.01 %", "0.1 %", "1 %", "10 %", "100 %") if tick not in distribution] == []
    assert [tick for tick in ("0 %", "10 %", "20 %", "30 %", "40 %") if tick not in busts] == []
    assert {"100,000", "1 million", "rounds (logarithmic scale)", "standard errors"} <= {*convergence}
    assert all(len(tick) <= len("100.25 %") for tick in convergence if tick.endswith("0 %"))


def test_a_convergence_plot_has_many_points_from_few_rounds() -> None:
    table = TABLES["classic"]
    job = prepare(table.game, table.rules, "mimic", rounds=1_000_000, seed=5, fresh_shoe=True)
    result = simulate(job)
    points = convergence_points(job, "", [running_estimate(result, "")])
    assert len(points) > 50
    assert points[0].rounds == 1_000_000 // 64
    assert points[-1] == running_estimate(result, "")
    assert len(convergence_points(job._replace(rounds=1), "", [running_estimate(result, "")])) == 1


def test_plots_have_titles_and_share_no_ids(page: str) -> None:
    plots = plots_of(page)
    assert all("Premium Blackjack" in " ".join(texts_of(plot)) for plot in plots)
    assert all('role="img" aria-label="' in plot for plot in plots)
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]*)', page)) <= set(ids)


def test_plots_ignore_the_users_matplotlib_style() -> None:
    plot = chances({"6": 0.42, "7": 0.26}, "Busts", "upcard", "description")
    with mpl.rc_context({"axes.facecolor": "black", "font.size": 30, "svg.fonttype": "path"}):
        assert chances({"6": 0.42, "7": 0.26}, "Busts", "upcard", "description") == plot
