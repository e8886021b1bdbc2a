"""The cases of the campaign, in turn on one server, and the report on what they met."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from tests.faults.outside.calls import CALLS, KILLED
from tests.faults.outside.link import FAULTS, OutsideFault
from tests.faults.outside.run import Met, Run
from tests.faults.outside.site import Site, running_site


class Case(NamedTuple):
    system: str
    path: str
    fault: OutsideFault
    killed: bool = False


Result = tuple[Case, Met | str]
"""A case, and what it met, or why it failed."""


def cases() -> list[Case]:
    """Return every call with every fault, and those about money with a kill."""
    every = [Case(system, path, fault) for system, path in CALLS for fault in FAULTS]
    return every + [Case(system, path, "silence", killed=True) for system, path in CALLS if path in KILLED]


def sampled(of: Sequence[Case], number: int, seed: int) -> list[Case]:
    """Return some of the cases, in their order: each system at least once if there are enough."""
    shuffled = random.Random(seed).sample(of, len(of))
    first = {case.system: case for case in reversed(shuffled)}
    chosen = [*first.values(), *(case for case in shuffled if case not in first.values())][:number]
    return [case for case in of if case in chosen]


async def run_cases(folder: Path, chosen: Sequence[Case]) -> list[Result]:
    """Run cases one after another; go on after one that fails. At the end, all records must agree."""
    results = list[Result]()
    with running_site(folder) as site:
        for case in chosen:
            results.append((case, await run_case(site, case)))
            print(line(*results[-1]), flush=True)
        assert site.server.stop() == 0
        check_records(site)
    return results


async def run_case(site: Site, case: Case) -> Met | str:
    run = Run(site, case.system, case.path, case.fault, killed=case.killed)
    try:
        await CALLS[case.system, case.path](run)
    except Exception as error:  # noqa: BLE001 - the others go on
        return f"{type(error).__name__}: {error}"
    finally:
        run.link.heal()
    return run.met()


def check_records(site: Site) -> None:
    """Check the journal, and the wallet's and the provider's own records."""
    assert audit(site.server.data / DATABASE, site.server.data / SHOES_KEY, lambda *_: None).bad is None
    log = site.operator.log
    assert log.differing_ends == ()
    moved = [(move.operation, move.player, move.transaction) for move in log.movements]
    assert len({*moved}) == len(moved)
    assert len({*site.provider.log.executed}) == len(site.provider.log.executed)
    assert "Traceback" not in site.server.log.read_text()


def line(case: Case, result: Met | str) -> str:
    fault = f"{case.fault}, kill" if case.killed else case.fault
    head = f"{case.system:<9} {case.path[:12]:<12} {fault:<14}"
    if isinstance(result, str):
        return f"{head} FAILED {result}"
    staff = "-" if result.staff_s is None else f"{result.staff_s:.1f} s"
    return f"{head} {result.told:<22} {result.told_s:4.1f} s   {staff:>6} {result.ended_s:6.1f} s"


def report(results: Sequence[Result]) -> str:
    """Return a table of what was met."""
    head = f"{'system':<9} {'call':<12} {'fault':<14} {'the player is told':<22} within    staff   ended"
    failed = sum(isinstance(result, str) for _, result in results)
    return "\n".join([head, *(line(*each) for each in results), f"{len(results)} cases, {failed} failed"])
