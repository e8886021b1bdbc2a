"""The alerts' expressions, by Prometheus's own tool."""

import shutil
import subprocess
from pathlib import Path

import pytest

PROMTOOL = shutil.which("promtool") or ""
pytestmark = pytest.mark.skipif(not PROMTOOL, reason="promtool isn't installed")
RULES = Path(__file__).parents[2] / "deploy" / "prometheus" / "alerts.yml"
CASES = Path(__file__).with_name("alerts.yml")


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROMTOOL, *words], capture_output=True, text=True, check=False)


def test_the_rules_are_valid() -> None:
    checked = run("check", "rules", RULES)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_alerts_fire_when_they_should_and_only_then() -> None:
    tested = run("test", "rules", CASES)
    assert tested.returncode == 0, tested.stdout + tested.stderr


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("croupier_stream == 0", "croupier_stream == 2"),
        ("croupier_bus_refused_total[5m]", "croupier_bus_refused_total[1h]"),
        ("increase(croupier_unsettled_rounds_total[15m])", "croupier_unsettled_rounds_total"),
        ('event!="contradicted"', 'event!="charged_back"'),
        ("croupier_unknown_balances > 0\n        for: 1m", "croupier_unknown_balances > 0"),
        ("identity|registry", "identity"),
        ("payments|kyc|mail", "payments|kyc"),
        (" and delta(", " or delta("),
    ],
)
def test_a_wrong_expression_is_found(tmp_path: Path, right: str, wrong: str) -> None:
    rules = RULES.read_text()
    assert right in rules
    (tmp_path / "alerts.yml").write_text(rules.replace(right, wrong))
    cases = tmp_path / "cases.yml"
    cases.write_text(CASES.read_text().replace("../../deploy/prometheus/alerts.yml", "alerts.yml"))
    assert run("test", "rules", cases).returncode == 1
