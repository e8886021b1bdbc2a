"""The conditions of deposits, checked in the transactions that begin and that credit them.

Whatever is checked before, such as when the player asks, may have changed until the money arrives.
"""

from collections.abc import Mapping
from typing import Protocol

from croupier.accounts.days import period_start_ms
from croupier.accounts.payment_rules import PaymentRules
from croupier.accounts.payment_states import OPEN_DEPOSITS, PaymentState
from croupier.accounts.payments import Payment, PaymentNews
from croupier.accounts.responsible_gaming import PlayerRestrictions
from croupier.refusal import Refused

REASONS: Mapping[str, str] = {
    "account_closed": "The account was closed before the payment arrived.",
    "barred": "The player was excluded before the payment arrived.",
    "over_own_limit": "It would exceed the deposit limit.",
}
"""Reasons for which a deposit that was paid isn't credited, by the code of the refusal."""

LATE: Mapping[PaymentState, str] = {
    "expired": "It was paid after it had expired.",
    "denied": "It was paid after it had been denied.",
    "charged_back": "It was paid again after a charge-back.",
}
"""Reasons for which a deposit isn't credited that is paid in a state other than OPEN_DEPOSITS."""


class DepositFacts(Protocol):
    """Facts about a player at the moment of a transaction."""

    @property
    def rules(self) -> PaymentRules:
        """The rules of the configuration."""
        ...

    def jurisdiction(self, player: str) -> str:
        """Return the jurisdiction that an operator named for a player, or else the default one."""

    def limit_answered_ms(self, player: str) -> int | None:
        """Return when the player last answered the question for a deposit limit; None: never."""

    def restrictions(self, player: str) -> PlayerRestrictions: ...

    def deposited_minor(self, player: str, currency: str, since_ms: int) -> int:
        """Return the sum of the deposits that were credited since then."""

    def open_deposits_minor(self, player: str, currency: str) -> int:
        """Return the sum of the deposits that will be credited once they are paid."""


def check_new_deposit(payment: Payment, facts: DepositFacts) -> None:
    """Refuse a deposit during a break, to a closed account, and above a limit.

    Where the player's jurisdiction asks for a deposit limit, refuse it before the answer.
    """
    restrictions = facts.restrictions(payment.player)
    _check_open(restrictions)
    if restrictions.is_barred(payment.created_ms):
        barred = restrictions.barred
        raise Refused("barred", why=barred.why, until_ms=barred.until_ms)
    _check_answered(payment, facts)
    open_minor = facts.open_deposits_minor(payment.player, payment.currency)
    _check_limits(payment, payment.amount_minor, open_minor, facts, restrictions, payment.created_ms)


def check_credit(payment: Payment, amount_minor: int, facts: DepositFacts, now_ms: int) -> None:
    """Refuse to credit an excluded player, a closed account, and an amount above a limit.

    A player who takes a break without being excluded has asked for the deposit before, and may not play.
    """
    restrictions = facts.restrictions(payment.player)
    _check_open(restrictions)
    if restrictions.is_excluded(now_ms):
        excluded = restrictions.excluded
        raise Refused("barred", why=excluded.why, until_ms=excluded.until_ms)
    _check_limits(payment, amount_minor, 0, facts, restrictions, now_ms)


def withhold_if_forbidden(
    payment: Payment, news: PaymentNews, facts: DepositFacts, now_ms: int
) -> PaymentNews:
    """Return the event of a payment that arrives: `withheld` instead of `paid` if it can't be credited.

    Refuse staff who credit a deposit that still can't be.
    """
    if payment.direction == "withdrawal":
        return news
    if news.event == "credited":
        check_credit(payment, payment.moved_minor, facts, now_ms)
    if news.event != "paid":
        return news
    if payment.state not in OPEN_DEPOSITS:
        return PaymentNews("paid", news.moved_minor, reason=LATE.get(payment.state, ""))
    try:
        check_credit(payment, news.moved_minor, facts, now_ms)
    except Refused as refused:
        return PaymentNews("withheld", news.moved_minor, reason=REASONS[refused.code])
    return news


def _check_open(restrictions: PlayerRestrictions) -> None:
    if restrictions.closed:
        raise Refused("account_closed")


def _check_answered(payment: Payment, facts: DepositFacts) -> None:
    """Refuse `deposit_limit_unanswered` while the player's jurisdiction asks for a deposit limit."""
    jurisdiction = facts.jurisdiction(payment.player)
    question = facts.rules.question_in(jurisdiction)
    answered_ms = facts.limit_answered_ms(payment.player) if question.asked else None
    if question.is_due(answered_ms, payment.created_ms, facts.rules.zone):
        raise Refused("deposit_limit_unanswered", rule="ask_deposit_limit", jurisdiction=jurisdiction)


def _check_limits(
    payment: Payment,
    amount_minor: int,
    open_minor: int,
    facts: DepositFacts,
    restrictions: PlayerRestrictions,
    now_ms: int,
) -> None:
    for measure in restrictions.limits:
        most = restrictions.limit_at(measure, now_ms)
        if measure.what != "deposit" or measure.currency != payment.currency or most is None:
            continue
        since_ms = period_start_ms(measure.period, now_ms, facts.rules.zone)
        used_minor = facts.deposited_minor(payment.player, payment.currency, since_ms) + open_minor
        if amount_minor > most - used_minor:
            left_minor = max(0, most - used_minor)
            raise Refused(
                "over_own_limit",
                what=measure.what,
                period=measure.period,
                most_minor=most,
                left_minor=left_minor,
            )
