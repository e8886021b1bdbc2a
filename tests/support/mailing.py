"""A server that writes its mail into a folder."""

from collections.abc import Iterator

import pytest

from tests.support.server_process import ServerProcess

SITE = "https://casino.example.org"
CONFIG = f'[mail]\nsender = "Casino <play@example.org>"\nsite = "{SITE}"\nfolder = "mails"\n'


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that writes its mail into the folder `mails` beside its data."""
    folder = tmp_path_factory.mktemp("mailing")
    (folder / "croupier.toml").write_text(CONFIG)
    process = ServerProcess(folder / "data", options=("--config", str(folder / "croupier.toml"))).start()
    yield process
    process.stop()
