"""The live table: one pure machine for every game.

`step(state, input, now_ms)` gives the next state and what is to be done about it. It reads no clock, draws
no card and waits for nobody: time, cards and people come in as inputs. `new_table` makes the first state,
`shared_view` what a group of players see of it, `dealer_view` what the dealer may; `record` keeps it as text.
"""

from croupier.tables.live.automatic import AutomaticDealer
from croupier.tables.live.machine import step
from croupier.tables.live.outstanding import outstanding
from croupier.tables.live.setup import Setup, TableProfile, Timings
from croupier.tables.live.state import State, new_table
from croupier.tables.live.view import dealer_view, group, groups, shared_view

__all__ = [
    "AutomaticDealer",
    "Setup",
    "State",
    "TableProfile",
    "Timings",
    "dealer_view",
    "group",
    "groups",
    "new_table",
    "outstanding",
    "shared_view",
    "step",
]
