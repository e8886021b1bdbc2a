"""Lets tests read a database on the event loop, which they share with the server they test."""

import inspect
import sys

from croupier.ledger.sql import loop_guard


def install() -> None:
    """Exempt the tests' own reads from the contract from now on, but no coroutine of the program."""
    loop_guard.check_off_loop = _check_program_off_loop


def _check_program_off_loop() -> None:
    """Check, unless a test reads, perhaps through functions of the program."""
    frame = sys._getframe().f_back
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith("tests."):
            return
        if module.startswith("croupier.") and frame.f_code.co_flags & inspect.CO_COROUTINE:
            break
        frame = frame.f_back
    loop_guard.strict_check()
