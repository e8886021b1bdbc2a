"""All checks, in the order in which they run."""

from croupier.integration.wallet_check.checks import (
    bodies,
    ids,
    money,
    races,
    restart,
    rollbacks,
    rounds,
    signatures,
)

CHECKS = (
    *money.CHECKS,
    *ids.CHECKS,
    *rollbacks.CHECKS,
    *rounds.CHECKS,
    *races.CHECKS,
    *signatures.CHECKS,
    *bodies.CHECKS,
    *restart.CHECKS,
)
