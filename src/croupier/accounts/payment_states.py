"""The states of payments, and the events that lead from one to the next.

An event that a state neither lists in NEXT nor expects (`SAME`, `EARLIER`) contradicts the payment: it is
refused to the provider, and staff are told.
"""

from collections.abc import Mapping
from typing import Literal

Direction = Literal["deposit", "withdrawal"]
PaymentState = Literal[
    "created",
    "pending",
    "confirmed",
    "denied",
    "expired",
    "in_suspense",
    "returning",
    "partly_reversed",
    "refunded",
    "charged_back",
    "requested",
    "held",
    "sent",
    "unknown",
    "paid",
    "partly_paid",
    "returned",
    "payout_returned",
    "disputed",
]
PaymentEvent = Literal[
    "accepted",
    "paid",
    "withheld",
    "in_part",
    "denied",
    "refunded",
    "charged_back",
    "came_back",
    "differs",
    "expired",
    "no_answer",
    "asked",
    "held",
    "cleared",
    "credited",
    "sent_back",
    "released",
    "refused",
]
"""`withheld`: the deposit was paid and can't be credited; `in_part`: only a part is paid, or left of it;
`came_back`: the player's bank returned a payout; `differs`: the provider reports another amount or currency;
`no_answer`: it doesn't answer an order; `asked`: an inquiry without news; `cleared`: the player is
identified; `credited` and `sent_back`: staff decide about a deposit in suspense; `released` and `refused`:
they decide about a withdrawal that is held after a change of credentials."""
PaymentDecision = Literal["credited", "sent_back", "released", "refused"]
"""Events that staff decide."""
Steps = Mapping[PaymentEvent, PaymentState]

FIRST: Mapping[Direction, PaymentState] = {"deposit": "created", "withdrawal": "requested"}
_REVERSED: Steps = {"refunded": "refunded", "charged_back": "charged_back"}
_TAKEN_BACK: Steps = {**_REVERSED, "denied": "charged_back"}
_CREDITED: Steps = {**_TAKEN_BACK, "in_part": "partly_reversed"}
_UNPAID: Steps = {
    **_REVERSED,
    "paid": "confirmed",
    "withheld": "in_suspense",
    "denied": "denied",
    "differs": "disputed",
    "expired": "expired",
}
_LATE: Steps = {**_REVERSED, "paid": "in_suspense", "withheld": "in_suspense"}
_ORDERED: Steps = {
    "paid": "paid",
    "in_part": "partly_paid",
    "denied": "returned",
    "came_back": "returned",
    "differs": "disputed",
}
_PAID_OUT: Steps = {"came_back": "payout_returned", "denied": "payout_returned", "in_part": "partly_paid"}
NEXT: Mapping[Direction, Mapping[PaymentState, Steps]] = {
    "deposit": {
        "created": {**_UNPAID, "accepted": "pending"},
        "pending": _UNPAID,
        "disputed": {**_REVERSED, "paid": "confirmed", "withheld": "in_suspense", "denied": "denied"},
        "expired": _LATE,
        "denied": _LATE,
        "confirmed": _CREDITED,
        "partly_reversed": _CREDITED,
        "in_suspense": {**_TAKEN_BACK, "credited": "confirmed", "sent_back": "returning"},
        "returning": _TAKEN_BACK,
        "refunded": {},
        "charged_back": {"paid": "in_suspense", "withheld": "in_suspense"},
    },
    "withdrawal": {
        "requested": {"cleared": "sent", "held": "held", "denied": "returned"},
        "held": {"cleared": "sent", "denied": "returned", "refused": "returned"},
        "sent": {**_ORDERED, "no_answer": "unknown"},
        "unknown": {**_ORDERED, "accepted": "sent"},
        "disputed": {event: state for event, state in _ORDERED.items() if event != "differs"},
        "paid": {"came_back": "payout_returned", "denied": "payout_returned", "in_part": "partly_paid"},
        "partly_paid": {
            "came_back": "payout_returned",
            "denied": "payout_returned",
            "in_part": "partly_paid",
        },
        "returned": {"paid": "paid"},
        "payout_returned": {"paid": "paid"},
    },
}
"""The next state by direction, state and event."""
SAME: Mapping[PaymentState, frozenset[PaymentEvent]] = {
    "pending": frozenset({"accepted"}),
    "disputed": frozenset({"accepted", "differs"}),
    "expired": frozenset({"accepted", "denied", "expired"}),
    "denied": frozenset({"denied"}),
    "confirmed": frozenset({"paid", "withheld"}),
    "in_suspense": frozenset({"paid", "withheld"}),
    "returning": frozenset({"paid", "withheld"}),
    "refunded": frozenset({"refunded"}),
    "charged_back": frozenset({"charged_back", "denied"}),
    "held": frozenset({"held"}),
    "sent": frozenset({"accepted"}),
    "unknown": frozenset({"no_answer"}),
    "paid": frozenset({"paid"}),
    "returned": frozenset({"denied", "came_back"}),
    "payout_returned": frozenset({"came_back", "denied"}),
}
"""Events that report a state again."""
EARLIER: Mapping[PaymentState, frozenset[PaymentEvent]] = {
    "partly_reversed": frozenset({"paid"}),
    "refunded": frozenset({"paid", "in_part"}),
    "charged_back": frozenset({"in_part"}),
    "partly_paid": frozenset({"paid"}),
    "payout_returned": frozenset({"in_part"}),
}
"""Events of a state before this one, which a notification may report late. So may `accepted`, anywhere."""
OPEN_DEPOSITS: frozenset[PaymentState] = frozenset({"created", "pending", "disputed"})
"""States of deposits that are credited once they are paid, and so count towards a deposit limit already."""
IN_SUSPENSE: frozenset[PaymentState] = frozenset({"in_suspense", "returning"})
"""States of deposits whose money is in the account `suspense`."""
ORDERED_WITHDRAWALS: frozenset[PaymentState] = frozenset({"sent", "unknown", "disputed"})
"""States of withdrawals whose money is in the account `withdrawing` and that the provider may pay."""
ENDED: frozenset[PaymentState] = frozenset(
    {
        "confirmed",
        "denied",
        "expired",
        "partly_reversed",
        "refunded",
        "charged_back",
        "paid",
        "partly_paid",
        "returned",
        "payout_returned",
    }
)
STUCK: frozenset[PaymentState] = frozenset({"disputed", "held", "unknown", "in_suspense", "returning"})
"""States in which a payment waits for its provider, an identity check or staff, however long that takes."""
PAID: frozenset[PaymentState] = frozenset(
    {"confirmed", "paid", "partly_reversed", "partly_paid", "in_suspense", "returning"}
)
"""States in which some of a payment's money has moved, and hasn't come back."""
REPORTED: frozenset[PaymentState] = frozenset(
    {"in_suspense", "partly_reversed", "refunded", "charged_back", "partly_paid", "payout_returned"}
)
"""States of which staff are told in the event log, and an alert."""
