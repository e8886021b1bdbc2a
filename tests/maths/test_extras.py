"""Without an extra the error says which command installs it."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "words", "extra"),
    [
        ("numba", "from croupier import blackjack", "maths"),
        ("numpy", "import croupier; croupier.table('classic')", "maths"),
        ("gymnasium", "import croupier.gym", "gym"),
        ("numpy", "import croupier.gym", "gym"),
    ],
)
def test_the_error_says_what_to_install(module: str, words: str, extra: str) -> None:
    program = f"import sys; sys.modules[{module!r}] = None; {words}"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, text=True)
    assert ended.returncode == 1
    last = ended.stderr.strip().splitlines()[-1]
    said = f"{module} isn't installed; run: pip install 'croupier[{extra}]'"
    assert last == f"ModuleNotFoundError: {said}"
