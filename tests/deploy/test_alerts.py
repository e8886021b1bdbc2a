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


def test_a_wrong_expression_is_found(tmp_path: Path) -> None:
    wrong = tmp_path / "alerts.yml"
    wrong.write_text(RULES.read_text().replace("croupier_stream == 0", "croupier_stream == 2"))
    cases = tmp_path / "cases.yml"
    cases.write_text(CASES.read_text().replace("../../deploy/prometheus/alerts.yml", "alerts.yml"))
    assert run("test", "rules", cases).returncode == 1
