"""The reference operator in a process of its own."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from croupier.integration.wallet_operator.operator import WalletControl, WalletFault, WalletLog, WalletPath
from tests.support.reference_process import ReferenceProcess


class OperatorProcess(ReferenceProcess):
    """A running reference operator; balances are like `anna:EUR:50000`."""

    def __init__(self, folder: Path, *balances: str) -> None:
        players = (part for each in balances for part in ("--player", each))
        super().__init__("wallet", "serve", *players, secret_file=folder / "wallet.secret")

    def control(self, change: WalletControl) -> None:
        self.post("/control", change)

    def misbehave(
        self, *faults: WalletFault, paths: tuple[WalletPath, ...] = (), times: int | None = None
    ) -> None:
        """Have these faults at these paths (none: all) for so many messages, and no others."""
        self.control(WalletControl(faults=faults, paths=paths, times=times))

    @property
    def log(self) -> WalletLog:
        return self.get("/log", WalletLog)


@contextmanager
def operator_process(folder: Path, *balances: str) -> Iterator[OperatorProcess]:
    with closing(OperatorProcess(folder, *balances)) as operator:
        yield operator
