"""Restart a wallet's server with the operator's own command."""

import asyncio

from croupier.integration.wallet_check.expectations import fail

RESTARTED_S = 60.0


async def restart_wallet(command: str) -> None:
    """Run a command, which must end successfully once the wallet answers again; fail otherwise."""
    process = await asyncio.create_subprocess_shell(command)
    try:
        status = await asyncio.wait_for(process.wait(), RESTARTED_S)
    except TimeoutError:
        process.kill()
        fail("a restart of the wallet", f"no end of {command!r} within {RESTARTED_S:g} s")
    if status:
        fail("a restart of the wallet", f"exit status {status} of {command!r}")
