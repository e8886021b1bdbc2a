"""Journal entries of payments whose money didn't take the usual way: held in suspense, reversed, or owed."""

from croupier.ledger.entries import DEBT, HOUSE, Account, Entry, Kind, Move


def deposit_held(key: str, at_ms: int, player: str, currency: str, amount_minor: int, reason: str) -> Entry:
    """A deposit was paid that can't be credited: staff decide about it."""
    move = Move(Account(HOUSE, "cashier", currency), Account(player, "suspense", currency), amount_minor)
    return Entry(key, "deposit_held", at_ms, player, "", "", (move,), {"reason": reason})


def deposit_released(key: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """Staff credit a deposit that was held."""
    move = Move(Account(player, "suspense", currency), Account(player, "cash", currency), amount_minor)
    return Entry(key, "deposit", at_ms, player, "", "", (move,), {})


def deposit_sent_back(
    key: str, at_ms: int, player: str, currency: str, amount_minor: int, reason: str
) -> Entry:
    """A deposit that was held went back to whoever paid it."""
    move = Move(Account(player, "suspense", currency), Account(HOUSE, "cashier", currency), amount_minor)
    return Entry(key, "deposit_sent_back", at_ms, player, "", "", (move,), {"reason": reason})


def payout_returned(
    key: str, at_ms: int, player: str, currency: str, amount_minor: int, reason: str
) -> Entry:
    """A withdrawal that was paid came back: the money is the player's to play again."""
    move = Move(Account(HOUSE, "cashier", currency), Account(player, "cash", currency), amount_minor)
    return Entry(key, "payout_returned", at_ms, player, "", "", (move,), {"reason": reason})


def reversal(
    key: str,
    kind: Kind,
    at_ms: int,
    player: str,
    currency: str,
    amount_minor: int,
    cash_minor: int,
    reason: str,
) -> Entry:
    """Money leaves the player's cash, as far as there is any; they owe the rest.

    `kind` is `refund` or `charge_back` of a deposit, or `payout_repeated`: a withdrawal was paid whose money
    the player has had back.
    """
    cashier = Account(HOUSE, "cashier", currency)
    of_cash = min(amount_minor, max(cash_minor, 0))
    parts = ("cash", of_cash), (DEBT, amount_minor - of_cash)
    moves = tuple(Move(Account(player, of, currency), cashier, minor) for of, minor in parts if minor)
    return Entry(key, kind, at_ms, player, "", "", moves, {"reason": reason})


def debt_repaid(key: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """A player's cash pays what they owe."""
    move = Move(Account(player, "cash", currency), Account(player, DEBT, currency), amount_minor)
    return Entry(key, "debt_repaid", at_ms, player, "", "", (move,), {})
