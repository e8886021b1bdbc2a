"""Reader of table files: TOML with one flat block for each table.

The keys are fields of the rules or of the table. There is no inheritance, so that a table's rules are visible
in one place. An invalid file is refused with the line, the field and what is allowed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from croupier.play.contract.amounts import CURRENCIES, Currency
from croupier.play.contract.game import Day, Dealing, Game, PublishedReturn, RulesVersion, Table
from croupier.play.tables import restrictions, wagering
from croupier.play.tables.largest_return import return_errors
from croupier.play.tables.limits import KindLimits, LimitsText, limit_errors, read_limits
from croupier.play.tables.restrictions import Restrictions
from croupier.play.tables.toml_blocks import (
    InvalidField,
    InvalidFile,
    StructT,
    check_known,
    convert,
    fields,
    read_blocks,
)

Called = Annotated[
    dict[str, Annotated[str, Meta(min_length=1, max_length=30)]],
    Meta(description='words of the table\'s own, such as { even_money = "Even Play" }'),
]
HISTORY = 'a list, newest first, such as [{ version = "1.0", date = "2026-11-21", changes = "First." }]'


class TableFields(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a block that aren't rules."""

    game: str
    title: Annotated[str, Meta(min_length=1, max_length=60)]
    limits: Annotated[dict[str, LimitsText], Meta(min_length=1)]
    line: Annotated[str, Meta(max_length=120)] = ""
    dealing: Dealing = "own"
    side_limits: dict[str, LimitsText] = {}
    kind_limits: KindLimits = {}
    table_limits: dict[str, LimitsText] = {}
    never_together: tuple[tuple[str, ...], ...] = ()
    covers_at_most_percent: Annotated[int, Meta(ge=1, le=100)] = 100
    wagering: str = ""
    called: Called = {}
    source: str = ""
    rules_version: str = "1.0"
    rules_date: Day = ""
    rules_history: Annotated[tuple[RulesVersion, ...], Meta(description=HISTORY)] = ()
    """Versions of the rules, newest first; the first is the current one."""
    published: tuple[PublishedReturn, ...] = ()
    allow_over_100: bool = False
    """True if the operator knows that a bet returns more than 100 %."""
    multi_play: bool = True
    """True if players may play here and at other tables at the same time."""


class InvalidTables(InvalidFile):
    """An invalid table file, or an invalid change of a table's rules."""


def read_tables(
    text: str, games: Mapping[str, Game], file: str, currencies: Mapping[str, Currency] = CURRENCIES
) -> dict[str, Table]:
    """Return the tables of a file by id, in file order; InvalidTables if anything in it is wrong.

    `currencies` are those that limits may use.
    """
    try:
        return read_blocks(text, file, partial(_table, games, currencies))
    except InvalidFile as error:
        raise InvalidTables(str(error)) from None


def _table(games: Mapping[str, Game], currencies: Mapping[str, Currency], name: str, block: Any) -> Table:
    if not isinstance(block, dict):
        raise InvalidField("", "a table is a block of its own: write [its_name] above its fields")
    if not re.fullmatch(r"[a-z0-9_]{1,40}", name):
        raise InvalidField("", "a table's name has a-z, 0-9 and _ only, 40 characters at most")
    game = games.get(str(block.get("game")))
    if game is None:
        raise InvalidField("game", f"allowed are: {', '.join(sorted(games))}")
    check_known(block, (*fields(TableFields), *fields(game.rules)))
    table = _part(block, TableFields)
    _check_history(table)
    rules = _part(block, game.rules)
    _check_rules(game, rules, table.dealing)
    limits = read_limits("limits", table.limits, currencies)
    return _checked(
        Table(
            id=name,
            title=table.title,
            line=table.line,
            game=game,
            rules=rules,
            dealing=table.dealing,
            currencies={code: currencies[code] for code in limits},
            limits=limits,
            side_limits=limits | read_limits("side_limits", table.side_limits, currencies),
            kind_limits={
                kind: read_limits("kind_limits", texts, currencies)
                for kind, texts in table.kind_limits.items()
            },
            table_limits=read_limits("table_limits", table.table_limits, currencies),
            restrictions=Restrictions(table.never_together, table.covers_at_most_percent),
            wagering=table.wagering,
            label_overrides=table.called,
            source=table.source,
            rules_version=table.rules_version,
            rules_date=table.rules_date,
            rules_history=table.rules_history,
            published=table.published,
            allow_over_100=table.allow_over_100,
            multi_play=table.multi_play,
        )
    )


def _check_history(table: TableFields) -> None:
    newest = table.rules_history[:1]
    if newest and (newest[0].version, newest[0].date) != (table.rules_version, table.rules_date):
        raise InvalidField(
            "rules_history", "its first entry must have the table's rules_version and rules_date"
        )


def _part(block: Mapping[str, Any], record: type[StructT]) -> StructT:
    """Convert the keys of the block that belong to this record."""
    return convert({key: value for key, value in block.items() if key in fields(record)}, record)


def with_rules(table: Table, changes: Mapping[str, Any]) -> Table:
    """Return the table under other rules, without published returns.

    InvalidTables names the field and what is allowed. Errors of only one way of dealing are ignored.
    """
    try:
        rules = _changed(table.game, table.rules, changes)
    except InvalidField as error:
        raise InvalidTables(f"{error.field}: {error}") from None
    return table if rules == table.rules else replace(table, rules=rules, published=())


def _changed(game: Game, rules: Any, changes: Mapping[str, Any]) -> Any:
    check_known(changes, fields(game.rules))
    changed = convert(msgspec.to_builtins(rules) | dict(changes), game.rules)
    live = set(game.rule_errors(changed, "live"))
    for field, why in game.rule_errors(changed, "own"):
        if (field, why) in live:
            raise InvalidField(field, why)
    return changed


def _check_rules(game: Game, rules: Any, dealing: Dealing) -> None:
    """Raise InvalidField for fields that are valid individually but not together."""
    for field, why in game.rule_errors(rules, dealing):
        raise InvalidField(field, why)


def _checked(table: Table) -> Table:
    """Return the table if the other fields of its block fit its rules."""
    bets = [bet.name for bet in table.game.bets(table.rules)]
    restricted = restrictions.restriction_errors(table.restrictions, table.coverage, bets)
    classed = wagering.wagering_errors(table.wagering, table.dealing)
    for field, why in (*limit_errors(table), *restricted, *classed, *_label_errors(table)):
        raise InvalidField(field, why)
    for field, why in return_errors(table):
        raise InvalidField(field, why)
    return table


def _label_errors(table: Table) -> Iterator[tuple[str, str]]:
    for name in table.label_overrides.keys() - table.game.labels.keys():
        yield "called", f"the game has no word for {name!r}; allowed are: {', '.join(table.game.labels)}"
