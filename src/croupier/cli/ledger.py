"""`replay`, `verify` and `anchor-key`: replay a round, and verify the database."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.admin import existing_database
from croupier.cli.output import (
    DATA,
    Data,
    DatabaseUrl,
    JsonFlag,
    print_json,
    progress_bar,
    progress_step,
    refuse,
)
from croupier.cli.problems import report_problems
from croupier.games import published_tables
from croupier.play.contract.amounts import Currency

NOT_ANCHORED = "No anchors were given, so a journal that was rewritten as a whole isn't detected."

if TYPE_CHECKING:
    from croupier.audit.evidence import Evidence
    from croupier.ledger.audit import AuditReport
    from croupier.protocol.wire import HistoryRound


def replay(
    name: Annotated[
        str,
        typer.Argument(
            metavar="ROUND",
            help="The round's number, as shown at the table and in History, or its id, as on its page there.",
        ),
    ],
    data: Data = DATA,
    database: DatabaseUrl = "",
    json: JsonFlag = False,
) -> None:
    """Replay a round from its record, card by card.

    The number of a live round names the rounds of all its players; their ids are printed then.

    The server may be running. Examples: `croupier replay '#21:10:10-MT6J0-4KX7R'`, `croupier replay
    r019f0c2ad1c7e2a4b6c`
    """
    from croupier.gateway.pages.history import history_round
    from croupier.ledger.stores import open_ledger_reader
    from croupier.money.currencies import remembered_currencies
    from croupier.rounds.ids import find_rounds
    from croupier.rounds.round_entries import steps_of

    with report_problems(data):
        ledger = open_ledger_reader(existing_database(data, database))
        found = find_rounds(ledger, name)
        if len(found) > 1:
            ids = "\n".join(f"  {each.id}" for each in found)
            refuse(f"{name} is a live round; replay the part of one of its players:\n{ids}")
        record = ledger.round(found[0].id) if found else None
        if record is None:
            refuse(f"no round {name!r} in this database; the table and History show a round's number")
        shown = history_round(ledger, published_tables(), record)
        currency = remembered_currencies(ledger)[record.currency]
    if json:
        print_json(shown)
    else:
        _print_round(shown, steps_of(record), currency)


def _print_round(round_: "HistoryRound", steps: tuple[str, ...], currency: Currency) -> None:
    """Print the steps; those that only the player can have decided don't name who decided."""
    line, amount = round_.line, currency.text
    typer.echo(f"{line.title} {line.number}, round {line.round}, {line.status}")
    for stake in round_.stakes:
        typer.echo(f"  stake  box {stake.box} {stake.bet} {amount(stake.stake_minor)} {line.currency}")
    # At a live table, some steps are other players' cards.
    for step, shown in zip(steps, round_.steps, strict=False):
        typer.echo(f"  {step}{f'  ({shown.did.by})' if shown.did.by else ''}")
    for part, version in round_.versions.items():
        typer.echo(f"  {part}  {version}")
    net = line.returned_minor - line.staked_minor
    typer.echo(
        f"  staked {amount(line.staked_minor)}, returned {amount(line.returned_minor)}, net {amount(net)}"
    )


def verify(
    anchor: Annotated[
        Path | None,
        typer.Option("--anchor", help="A file of anchors that was stored elsewhere.", show_default=False),
    ] = None,
    anchor_key: Annotated[
        str,
        typer.Option(
            "--anchor-key", help="The public key they are signed with, as `croupier anchor-key` printed it."
        ),
    ] = "",
    receipt: Annotated[
        list[str] | None,
        typer.Option("--receipt", metavar="SEQ:HASH", help="A player's receipt of a round."),
    ] = None,
    data: Data = DATA,
    database: DatabaseUrl = "",
    json: JsonFlag = False,
) -> None:
    """Verify the database: the journal's chain, every sum and balance, and the replay of every round.

    Whoever can write the files can also forge a consistent journal. Anchors that were stored elsewhere, and
    players' receipts, reveal changes made since.

    Exit 0: no errors. Exit 1: the first wrong row is printed. The server may be running.

    Example: `croupier verify --anchor /mnt/auditor/anchors.jsonl --anchor-key 5f0c...`
    """
    from croupier.app.serve import SHOES_KEY
    from croupier.audit.data_folder import audit
    from croupier.audit.evidence import evidence

    audited = existing_database(data, database)
    with report_problems(data):
        try:
            known = evidence(data, audited, anchor, anchor_key, receipt or ())
        except ValueError as error:
            refuse(str(error))
        with progress_bar(hidden=json) as progress:
            report = audit(audited, data / SHOES_KEY, progress_step(progress, "entries"), known)
    if json:
        found = {"bad": report.bad._asdict() if report.bad else None}
        print_json(report._asdict() | found | {"anchors": known.anchors, "anchors_from": known.source})
    else:
        _print_report(report, known)
    raise typer.Exit(1 if report.bad else 0)


def anchor_key(
    data: Data = DATA,
    anchor_key: Annotated[
        Path | None, typer.Option("--anchor-key", help="The key's file.  [default: anchor.key in the data]")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Print the public key of the anchors, for the auditor. Creates the key if there is none.

    Example: `croupier anchor-key --data croupier-data`
    """
    from croupier.audit.anchoring.log import ANCHOR_KEY, signing_key

    with report_problems(data):
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        public = signing_key(anchor_key or data / ANCHOR_KEY).public_key().public_bytes_raw().hex()
    if json:
        print_json({"anchor_key": public})
    else:
        typer.echo(public)


def _print_report(report: "AuditReport", known: "Evidence") -> None:
    counts = f"{report.entries:,} entries, {report.rounds:,} rounds, {report.replayed:,} of them replayed"
    if report.bad:
        typer.echo(f"WRONG: {report.bad.table} {report.bad.row}: {report.bad.why}  ({counts} before it)")
        return
    typer.echo(f"No errors: {counts}. The journal's head is {report.head}")
    anchored = f"It agrees with {known.anchors:,} anchors in {known.source}, the last at entry {known.last:,}"
    typer.echo(f"{anchored}. {known.caution}".rstrip() if known.anchors else NOT_ANCHORED)
