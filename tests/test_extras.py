"""The error about a missing extra says which command installs it."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "statement", "extra"),
    [
        ("numba", "from croupier import blackjack", "maths"),
        ("numpy", "import croupier; croupier.table('classic')", "maths"),
        ("gymnasium", "import croupier.gym", "gym"),
        ("numpy", "import croupier.gym", "gym"),
    ],
)
def test_the_error_says_what_to_install(module: str, statement: str, extra: str) -> None:
    program = f"import sys; sys.modules[{module!r}] = None; {statement}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, text=True)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    message = f"{module} isn't installed; run: pip install 'croupier[{extra}]'"
    assert last == f"ModuleNotFoundError: {message}"
