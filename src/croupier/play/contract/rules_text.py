"""The canonical text of a table's rules, and its digest, which records and reports cite."""

from hashlib import sha256
from typing import Any

import msgspec

from croupier.canonical_json import canonical_json
from croupier.play.contract.game import Game


def rules_text(game: Game, rules: Any) -> str:
    """Return a game and rules as canonical JSON: the same text for the same rules."""
    record = {"game": game.name, "rules": msgspec.to_builtins(rules)}
    return canonical_json(record).decode()


def rules_key(game: Game, rules: Any) -> str:
    """Return the digest that names a game's rules in the journal, in records and in reports."""
    return "rules:" + sha256(rules_text(game, rules).encode()).hexdigest()[:32]
