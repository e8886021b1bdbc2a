"""The live table: a pure state machine for every game.

`step(state, input, now_ms)` returns the next state and the effects for the driver to carry out. It reads no
clock, draws no card and does no I/O: time, cards and players' actions are inputs. `new_table` returns the
first state, `shared_view` the view of a group of players, `dealer_view` that of the dealer; `record` converts
inputs to text and replays them.
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
