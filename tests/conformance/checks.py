"""What every round of every game must do, at every table. Each check raises AssertionError.

Nothing here knows a game: a round is driven by its wants alone.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from croupier.equipment.cards import card
from croupier.ledger import entries
from croupier.ledger.entry_checks import check
from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.game import Table
from croupier.play.contract.wants import (
    DEALER,
    Answer,
    At,
    Choice,
    DealCard,
    DealFaceDown,
    Decision,
    Option,
    Peek,
    Pocket,
    Roll,
    RollDice,
    SpinWheel,
    TurnCard,
    Want,
)
from croupier.play.driving.dealing import DealtRound, RoundStep, parse_step, replay
from croupier.play.driving.sources import ChanceSource
from croupier.refusal import Refused

MOST_STEPS = 200
"""More than any round of any game takes."""
ACTIONS = ("hit", "stand", "double", "split", "insure", "decline_insurance", "take_even_money", "nonsense")
WANTS: tuple[Want, ...] = (
    *(want(to) for want in (DealCard, DealFaceDown, TurnCard) for to in (DEALER, At(0), At(0, 1), At(6))),
    Peek(DEALER, "A"),
    SpinWheel(("17", "0")),
    RollDice(2),
    Decision(At(0), (Option("stand"),)),
)
ANSWERS: dict[type[Want], type[Answer]] = {
    DealCard: type(card("AS")),
    DealFaceDown: type(None),
    Peek: bool,
    TurnCard: type(card("AS")),
    SpinWheel: Pocket,
    RollDice: Roll,
    Decision: Choice,
}
"""What a want is answered with; nothing else is declared."""
SAMPLES: tuple[Answer, ...] = (None, True, card("AS"), Pocket("17"), Roll((1, 3)), Choice("nonsense"))
IMPOSSIBLE: dict[type[Want], tuple[Answer, ...]] = {
    SpinWheel: (Pocket("37"), Pocket("")),
    RollDice: (Roll((1, 3, 6, 2)), Roll((1, 3, 7)), Roll((0, 3)), Roll(())),
}
"""What is no answer to any such want, though it is of the right kind."""

Pick = Callable[[Sequence[tuple[At, Choice]]], tuple[At, Choice]]


def check_wants(round_: Any) -> None:
    """Only declared wants; one thing to deal, or decisions of different hands, each with an option."""
    wants = round_.wants()
    assert round_.ended == (not wants), "ended, and yet something is wanted"
    assert all(type(want) in ANSWERS for want in wants), f"undeclared wants: {wants}"
    decisions = [want for want in wants if isinstance(want, Decision)]
    assert len(wants) <= 1 or len(decisions) == len(wants), f"dealing and deciding at once: {wants}"
    assert len({want.to for want in wants}) == len(wants), f"one place is asked twice: {wants}"
    for want in decisions:
        actions = [option.action for option in want.options]
        assert actions, f"a decision without a legal option: {want}"
        assert len(set(actions)) == len(actions), f"an option twice: {want}"


def check_options(round_: Any) -> None:
    """Each option on offer may be taken, and what it costs is what more is staked."""
    for want in round_.wants():
        if isinstance(want, Decision):
            for option in want.options:
                for stake in (option.cost_minor, option.cost_min_minor):
                    after = round_.answer(want, Choice(option.action, stake))
                    assert after.staked_minor - round_.staked_minor == stake, f"{option} cost something else"
                assert after != round_, f"{option} decides nothing"


def illegal(round_: Any) -> Iterable[tuple[Want, Answer]]:
    """Answers that a round must refuse."""
    wants = round_.wants()
    yield from ((want, sample) for want in WANTS if want not in wants for sample in SAMPLES)
    for want in wants:
        yield from ((want, sample) for sample in SAMPLES if type(sample) is not ANSWERS[type(want)])
        yield from ((want, answer) for answer in IMPOSSIBLE.get(type(want), ()))
        if isinstance(want, Decision):
            offered = {option.action for option in want.options}
            yield from ((want, Choice(action)) for action in ACTIONS if action not in offered)
            for option in want.options:
                yield want, Choice(option.action, option.cost_min_minor - 1)
                yield want, Choice(option.action, option.cost_minor + 1)


def check_illegal(table: Table, round_: Any) -> None:
    """What is illegal is refused, by a rule there is, and changes nothing."""
    before, text = hash(round_), repr(round_)
    for want, answer in illegal(round_):
        try:
            round_.answer(want, answer)
        except Refused as refused:
            assert refused.code, "a refusal without a code"
            assert refused.rule in ("", *table.game.rules.__struct_fields__), f"no rule {refused.rule!r}"
        else:
            raise AssertionError(f"accepted: {answer!r} to {want}")
        assert (hash(round_), repr(round_)) == (before, text), f"changed by what was refused: {answer!r}"


def check_moment(table: Table, round_: Any) -> None:
    """All that can be said of a round at one moment."""
    check_wants(round_)
    check_options(round_)
    check_illegal(table, round_)
    check_shown(table, round_)


def check_shown(table: Table, round_: Any) -> None:
    """The view is the game's own, says what all views say, and can be read as it was sent."""
    shown = table.game.show(round_, 0)
    assert isinstance(shown, table.game.view), f"another view than the game's: {type(shown)}"
    view: Any = shown
    assert (view.ended, view.staked_minor) == (round_.ended, round_.staked_minor), f"it is shown as {view}"
    if not view.ended:
        assert view.returned_minor == 0, f"returned before the end: {view.returned_minor}"
    assert msgspec.json.decode(msgspec.json.encode(view), type=table.game.view) == view, (
        "shown, it is another"
    )


def played(deal: DealtRound[Any], pick: Pick, check: Callable[[Any], None]) -> DealtRound[Any]:
    """A round dealt to its end; `pick` chooses among what may be decided, `check` sees every moment."""
    check(deal.round)
    while wants := deal.round.wants():
        assert len(deal.steps) < MOST_STEPS, "the round doesn't end"
        deal = deal.decide(*pick(may)) if (may := choices(deal.round)) else deal.answer_from_source(wants[0])
        check(deal.round)
    return deal


def choices(round_: Any) -> list[tuple[At, Choice]]:
    """Everything that may be decided now, for the full and for the least stake."""
    return [
        (want.to, choice)
        for want in round_.wants()
        if isinstance(want, Decision)
        for option in want.options
        for choice in (Choice(option.action), Choice(option.action, option.cost_min_minor))
        if choice.stake_minor != option.cost_minor
    ]


def check_replay(start: Any, deal: DealtRound[Any], source: ChanceSource) -> None:
    """The record tells the same round, from what is written in it and from the source."""
    record = [str(step) for step in deal.steps]
    again = replay(start, record)
    assert again == deal.round, "the record tells another round"
    assert hash(again) == hash(deal.round), "equal rounds have different hashes"
    assert DealtRound(start, source).restore(record) == deal, "the source tells another round"


def check_settlements(table: Table, wagers: Sequence[Wager], round_: Any) -> tuple[Settled, ...]:
    """Every stake is settled once, for what was at risk."""
    lines: tuple[Settled, ...] = table.game.settle(round_)
    assert sum(line.stake_minor for line in lines) == round_.staked_minor, "stakes aren't all settled"
    assert len({(line.box, line.hand, line.bet) for line in lines}) == len(lines), "a stake settled twice"
    assert all(line.returned_minor >= 0 and line.stake_minor > 0 for line in lines), lines
    assert {(wager.box, wager.bet) for wager in wagers} <= {(line.box, line.bet) for line in lines}
    shown: Any = table.game.show(round_, 0)
    assert shown.returned_minor == sum(line.returned_minor for line in lines), "another sum is shown"
    paytables = {bet.name: dict(bet.pays) for bet in table.game.bets(table.rules)}
    for line in lines:
        if odds := paytables.get(line.bet, {}).get(line.outcome):
            due = line.stake_minor + odds.winnings(line.stake_minor)
            assert line.returned_minor == due, f"the paytable says {due}: {line}"
    return lines


def check_shared(table: Table, wagers: Sequence[Wager], deal: DealtRound[Any]) -> None:
    """A round in which nobody decided anything comes to the same where everybody shares the deal."""
    live = table.game.live if not any(table.game.rule_errors(table.rules, "live")) else None
    if live is None or live.seats(table.rules) or any(isinstance(step.want, Decision) for step in deal.steps):
        return
    shared = live.share(table.rules, wagers)
    for step in deal.steps:
        if shared.open_decisions:
            return  # others with larger stakes may decide something here
        assert shared.next_to_deal is not None, "the shared deal has ended sooner"
        shared = shared.answer(step.answer)
    assert shared.round_for((), wagers) == deal.round, "shared, it is another round"
    parts = shared.unit_settlement(())
    for line in table.game.settle(deal.round):
        due = {_portion(part, line.stake_minor, shared.unit_minor) for part in parts[line.bet]}
        assert (line.outcome, line.returned_minor) in due, f"shared, it comes to {due}: {line}"


def _portion(part: Settled, stake_minor: int, unit_minor: int) -> tuple[str, int]:
    return part.outcome, part.returned_minor * stake_minor // unit_minor


def check_ledger(start: Any, deal: DealtRound[Any], lines: Sequence[Settled]) -> None:
    """The books post what was settled: nothing stays in play, and the player has his net result."""
    ticket = entries.Ticket("r", "p", "t", "EUR")
    posted = [entries.deal(ticket, "0", 0, number="1", staked_minor=start.staked_minor)]
    posted += [
        entries.answer(ticket, str(number), 0, extra_minor=extra)
        for number, extra in enumerate(raises(start, deal.steps), 1)
    ]
    staked, returned = deal.round.staked_minor, sum(line.returned_minor for line in lines)
    posted.append(entries.settle(ticket, "end", 0, staked_minor=staked, returned_minor=returned))
    for entry in posted:
        check(entry)
    held = sum(entry.moved("cash", "in_play") - entry.moved("in_play", "table") for entry in posted)
    net = sum(entry.moved("table", "cash") - entry.moved("cash", "in_play") for entry in posted)
    assert held == 0, f"{held} is still in play"
    assert net == sum(line.returned_minor - line.stake_minor for line in lines), "the books say another net"


def raises(start: Any, steps: Iterable[RoundStep]) -> Iterable[int]:
    """What more was staked at each decision, as a table posts it from the text of the step."""
    round_ = start
    for step in steps:
        before = round_.staked_minor
        round_ = round_.answer(*parse_step(round_, str(step)))
        if isinstance(step.want, Decision):
            yield round_.staked_minor - before
        else:
            assert round_.staked_minor == before, f"chance raised a stake: {step}"
