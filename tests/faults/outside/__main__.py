"""Drops, delays, repeats, contradicts and silences each call of each outside system, with kills.

The wallet, the payment provider, its identity checks, the identity server, the exclusion registry and
the mail server are behind links that have one fault at a time. Meanwhile players and staff must be told
within 5 s, and others must be able to play. Afterwards each call ends, and the money is exact: in the
journal, in the wallet's records and in the provider's. `tests.faults.outages` does the same to PostgreSQL
and NATS.

    python -m tests.faults.outside                      # every call with every fault
    python -m tests.faults.outside --system wallet --fault silence
    python -m tests.faults.outside --sample 10 --seed 3
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from tests.faults.outside.campaign import cases, report, run_cases, sampled
from tests.faults.outside.link import FAULTS
from tests.support import loop_guard


def main() -> None:
    loop_guard.install()
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults.outside",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--system", help="only this one")
    parser.add_argument("--fault", choices=FAULTS, help="only this one")
    parser.add_argument("--sample", type=int, help="only so many cases, chosen by the seed")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chosen = [case for case in cases() if options.system in (None, case.system)]
    chosen = [case for case in chosen if options.fault in (None, case.fault)]
    if options.sample:
        chosen = sampled(chosen, options.sample, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        results = asyncio.run(run_cases(Path(folder), chosen))
    print(report(results))
    raise SystemExit(any(isinstance(result, str) for _, result in results))


if __name__ == "__main__":
    main()
