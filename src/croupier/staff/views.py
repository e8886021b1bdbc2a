"""Views for staff: an overview of all tables, and one table. No bets are shown before betting closes."""

from collections.abc import Iterable

from croupier.dealing.live.table import LiveTable
from croupier.equipment.cards import DECK
from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.game import Table
from croupier.play.contract.wants import DealFaceDown, Peek, RollDice, SpinWheel, Want
from croupier.protocol import staff_wire
from croupier.protocol.staff_camera import StaffCamera
from croupier.protocol.wire import OccupiedSeat
from croupier.tables.live.shoes import dealt_out
from croupier.tables.live.state import State
from croupier.tables.live.view import dealer_view


def table_summary(live: LiveTable, dealers: Iterable[str]) -> staff_wire.TableSummary:
    """Summarize a table; `dealers` are those who have its page open."""
    state = live.state
    seen = dealer_view(state)
    return staff_wire.TableSummary(
        table=live.table.id,
        title=live.table.title,
        clock=seen.clock,
        closing=state.closing,
        players=seen.players,
        seats_taken=len(seen.seats),
        seats=state.setup.seats,
        dealer=live.dealer,
        dealers=tuple(sorted(dealers)),
        wanted=seen.wanted,
        limits=_limits(state),
        reports=len(live.chat.reports),
    )


def dealer_table(
    live: LiveTable, camera: StaffCamera, equipment_camera: StaffCamera
) -> staff_wire.DealerTableUpdate:
    state = live.state
    seen = dealer_view(state)
    cards = state.setup.cards
    now = staff_wire.DealerTableState(
        clock=seen.clock,
        closing=state.closing,
        wanted=seen.wanted,
        form=_form(state),
        ask=seen.ask,
        pockets=_spun(state),
        dice=_rolled(state),
        dealt=seen.dealt,
        shuffle=_to_shuffle(state),
        behind_cut=0 if cards.every_round else len(DECK) * cards.decks - cards.cut,
        shoe=seen.shoe,
        shoes=cards.shoes,
        cut_card=seen.cut_card,
        last_round=dealt_out(state),
        players=seen.players,
        seats=state.setup.seats,
        seats_taken=tuple(OccupiedSeat(seat.seat, live.name_of(seat.player)) for seat in seen.seats),
        dealer=live.dealer,
        camera=camera,
        equipment_camera=equipment_camera,
        round=seen.round,
    )
    return staff_wire.DealerTableUpdate(live.table.id, live.table.title, live.table.game.name, now)


def chat_state(live: LiveTable, *, reports: bool) -> staff_wire.ChatState:
    reported = live.chat.reports if reports else ()
    lines = tuple(staff_wire.ReportedLine(report.line, report.times) for report in reported)
    return staff_wire.ChatState(live.table.id, live.chat.lines, lines)


def _form(state: State) -> staff_wire.AnswerForm:
    """Return the form of the expected answer."""
    match state.want:
        case None:
            return ""
        case DealFaceDown():
            return "down"
        case Peek():
            return "look"
        case SpinWheel():
            return "pocket"
        case RollDice():
            return "dice"
    return "card"


def _spun(state: State) -> tuple[str, ...]:
    """Return the pockets of the wheel that this round spins."""
    want = _first_want(state)
    return want.pockets if isinstance(want, SpinWheel) else ()


def _rolled(state: State) -> int:
    """Return the number of dice that this round rolls."""
    want = _first_want(state)
    return want.dice if isinstance(want, RollDice) else 0


def _first_want(state: State) -> Want | None:
    """Return the oldest request whose answer may still be corrected."""
    wanted = state.checkpoint.play.next_want if state.checkpoint and state.checkpoint.play else None
    return wanted[1] if wanted else None


def _to_shuffle(state: State) -> tuple[int, ...]:
    """Return the shoes that are neither in use nor ready."""
    if state.phase == "closed":
        return ()
    in_use = {state.shoe} if state.phase != "shuffling" else set()
    return tuple(shoe for shoe in range(state.setup.cards.shoes) if shoe not in state.ready_shoes | in_use)


def _limits(state: State) -> tuple[staff_wire.CurrencyLimitRanges, ...]:
    table = (state.next_setup or state.setup).table
    return tuple(_ranges(table, currency) for currency in table.limits)


def _ranges(table: Table, currency: str) -> staff_wire.CurrencyLimitRanges:
    kinds = {kind: _range(each[currency]) for kind, each in table.kind_limits.items() if currency in each}
    side, whole = table.side_limits.get(currency), table.table_limits.get(currency)
    span, main = _range(table.main_limits(currency)), _range(table.limits[currency])
    return staff_wire.CurrencyLimitRanges(
        currency, span, main, side and _range(side), kinds, whole and _range(whole)
    )


def _range(limits: StakeLimits) -> staff_wire.LimitRange:
    return staff_wire.LimitRange(limits.min_minor, limits.max_minor)
