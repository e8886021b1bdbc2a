"""The checks against an operator in this process, without HTTP."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from croupier.integration.wallet_check.checks import CHECKS
from croupier.integration.wallet_check.replies import WalletReply
from croupier.integration.wallet_check.report import WalletPlayers, WalletReport, WalletTester
from croupier.integration.wallet_check.trial import WalletCheck, WalletUnderTest
from croupier.integration.wallet_operator.operator import ReferenceOperator
from croupier.integration.wallet_operator.wallet import OperatorWallet, WalletAccount
from croupier.protocol.signatures import SIGNATURE_HEADER, TIMESTAMP_HEADER, Secret, SignedBody

SECRET = Secret(b"shared by tests only")
PLAYERS = WalletPlayers("anna", "bert", "EUR")
BALANCES = {WalletAccount("anna", "EUR"): 1_000, WalletAccount("bert", "EUR"): 500}


class InProcess:
    """Hands posts to an operator at once; `took_ms` is what each is said to have taken."""

    def __init__(self, operator: ReferenceOperator, took_ms: int = 1) -> None:
        self.operator = operator
        self._took_ms = took_ms

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> WalletReply:
        signed = SignedBody(headers.get(TIMESTAMP_HEADER, ""), headers.get(SIGNATURE_HEADER, ""), body)
        answer = self.operator.respond(path, signed)
        return WalletReply(answer.status, answer.body, self._took_ms)


def reference(
    wallet: type[OperatorWallet] = OperatorWallet, operator: type[ReferenceOperator] = ReferenceOperator
) -> ReferenceOperator:
    return operator(SECRET, wallet(BALANCES))


def checked(
    transport: InProcess,
    players: WalletPlayers = PLAYERS,
    checks: Sequence[WalletCheck] = CHECKS,
    restart: Callable[[], Awaitable[None]] | None = None,
) -> WalletReport:
    """Return the report on an operator."""
    tester = WalletTester(WalletUnderTest(transport, SECRET, [], restart), players)
    return asyncio.run(tester.run(checks, lambda _done, _total: None))


def names(report: WalletReport, *statuses: str) -> set[str]:
    return {result.name for result in report.results if result.status in statuses}
