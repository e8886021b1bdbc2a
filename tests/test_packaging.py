"""The wheel contains the whole package with the built client, so that installing it needs no Node."""

import json
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from croupier.games import published_tables
from hatch_build import ClientHook

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "croupier"


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command and return its output; fail the test if the command fails."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the source distribution."""
    if not (PACKAGE / "static" / "index.html").exists():
        pytest.fail("the client isn't built: run `make test`, or `make wheel` first")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def file_names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as files:
        return set(files.namelist())


def test_every_source_and_the_built_client_are_in_the_wheel(wheel: Path) -> None:
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    missing = {str(path.relative_to(PACKAGE.parent)) for path in files} - file_names(wheel)
    assert missing == set()
    assert "croupier/static/index.html" in file_names(wheel)


@pytest.mark.parametrize("suffix", [".js", ".css", ".woff2", ".toml", ".md", ".txt"])
def test_data_of_each_kind_is_in_the_wheel(wheel: Path, suffix: str) -> None:
    assert any(name.startswith("croupier/") and name.endswith(suffix) for name in file_names(wheel))


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    assert {name.split("/")[0].split("-")[0] for name in file_names(wheel)} == {"croupier"}


@pytest.fixture
def pip(tmp_path: Path) -> tuple[str | Path, ...]:
    """Return the command that installs into a new environment."""
    venv.create(tmp_path / "venv")
    options = ("--python", tmp_path / "venv", "--disable-pip-version-check", "--quiet")
    return sys.executable, "-m", "pip", *options


def check_installed(wheel: Path, folder: Path, pip: tuple[str | Path, ...]) -> None:
    """Install the wheel alone, and list its tables."""
    run(*pip, "install", "--no-compile", "--no-deps", "--no-index", wheel, cwd=folder)
    tables = json.loads(run(folder / "venv" / "bin" / "croupier", "tables", "--json", cwd=folder))
    assert [table["table"] for table in tables] == list(published_tables())


def test_the_wheel_installs_and_lists_its_tables(
    wheel: Path, tmp_path: Path, pip: tuple[str | Path, ...]
) -> None:
    """The packages that it needs are those of the tests; the campaign installs them."""
    (packages,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    # Further .pth files, such as that of the installed sources, aren't read in a folder of a .pth file.
    (packages / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    check_installed(wheel, tmp_path, pip)
    where = run(tmp_path / "venv" / "bin" / "python", "-c", "import croupier; print(croupier)", cwd=tmp_path)
    assert str(packages) in where


@pytest.mark.campaign
def test_the_wheel_runs_with_the_locked_packages(
    wheel: Path, tmp_path: Path, pip: tuple[str | Path, ...]
) -> None:
    lock = ("--require-hashes", "--requirement", ROOT / "requirements.lock")
    run(*pip, "install", "--no-compile", *lock, cwd=tmp_path)
    check_installed(wheel, tmp_path, pip)
    run(*pip, "check", cwd=tmp_path)


# --- the build hook ------------------------------------------------------------------------------


def project(folder: Path, build: str) -> Path:
    """Create a project whose client is built by the shell command `build`."""
    (folder / "web").mkdir()
    package = {"name": "client", "version": "1.0.0", "scripts": {"build": build}}
    lock = {"name": "client", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": package}}
    (folder / "web" / "package.json").write_text(json.dumps(package))
    (folder / "web" / "package-lock.json").write_text(json.dumps(lock))
    return folder


def hook(root: Path) -> ClientHook:
    metadata: Any = None
    config: Any = None
    return ClientHook(str(root), {}, config, metadata, str(root / "dist"), "wheel")


@pytest.fixture(autouse=True)
def build_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CROUPIER_SKIP_CLIENT", raising=False)


BUILD_COMMAND = "mkdir -p ../src/croupier/static && echo built > ../src/croupier/static/index.html"


def test_the_hook_builds_the_client_once(tmp_path: Path) -> None:
    index = project(tmp_path, BUILD_COMMAND) / "src/croupier/static/index.html"
    hook(tmp_path).initialize("standard", {})
    assert index.read_text() == "built\n"
    index.write_text("built before\n")
    hook(tmp_path).initialize("standard", {})
    assert index.read_text() == "built before\n"


@pytest.mark.parametrize(("build", "message"), [("true", "must not ship"), ("false", "npm run build failed")])
def test_a_wheel_without_a_client_is_refused(tmp_path: Path, build: str, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        hook(project(tmp_path, build)).initialize("standard", {})


def test_an_editable_install_builds_nothing(tmp_path: Path) -> None:
    hook(project(tmp_path, BUILD_COMMAND)).initialize("editable", {})
    assert not (tmp_path / "src").exists()


def test_a_variable_leaves_the_client_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_SKIP_CLIENT", "1")
    hook(project(tmp_path, BUILD_COMMAND)).initialize("standard", {})
    assert not (tmp_path / "src").exists()
