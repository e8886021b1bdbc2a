"""Checks that every round of every game must pass, at every table. Each raises AssertionError.

They use no game's own names: a round is driven by its wants alone.
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

MAX_STEPS = 200
"""Maximum number of steps, more than any round of any game takes."""
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
"""The type of answer to each want; other wants are undeclared."""
SAMPLES: tuple[Answer, ...] = (None, True, card("AS"), Pocket("17"), Roll((1, 3)), Choice("nonsense"))
IMPOSSIBLE: dict[type[Want], tuple[Answer, ...]] = {
    SpinWheel: (Pocket("37"), Pocket("")),
    RollDice: (Roll((1, 3, 6, 2)), Roll((1, 3, 7)), Roll((0, 3)), Roll(())),
}
"""Answers of the right type that are wrong for any such want."""

Pick = Callable[[Sequence[tuple[At, Choice]]], tuple[At, Choice]]


def check_wants(round_: Any) -> None:
    """Check that wants are declared: one thing to deal, or decisions of different hands with options."""
    wants = round_.wants()
    assert round_.ended == (not wants), "a round must have wants or have ended, not both"
    assert all(type(want) in ANSWERS for want in wants), f"undeclared wants: {wants}"
    decisions = [want for want in wants if isinstance(want, Decision)]
    assert len(wants) <= 1 or len(decisions) == len(wants), f"dealing and deciding at once: {wants}"
    assert len({want.to for want in wants}) == len(wants), f"two wants for one place: {wants}"
    for want in decisions:
        actions = [option.action for option in want.options]
        assert actions, f"a decision without a legal option: {want}"
        assert len(set(actions)) == len(actions), f"duplicate option: {want}"


def check_options(round_: Any) -> None:
    """Check that each option can be taken, and raises the stake by its cost."""
    for want in round_.wants():
        if isinstance(want, Decision):
            for option in want.options:
                for stake in (option.cost_minor, option.cost_min_minor):
                    after = round_.answer(want, Choice(option.action, stake))
                    assert after.staked_minor - round_.staked_minor == stake, f"{option} costs something else"
                assert after != round_, f"{option} decides nothing"


def illegal(round_: Any) -> Iterable[tuple[Want, Answer]]:
    """Generate answers that a round must refuse."""
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
    """Check that illegal answers are refused, name an existing rule, and change nothing."""
    before, text = hash(round_), repr(round_)
    for want, answer in illegal(round_):
        try:
            round_.answer(want, answer)
        except Refused as refused:
            assert refused.code, "a refusal without a code"
            assert refused.rule in ("", *table.game.rules.__struct_fields__), f"unknown rule {refused.rule!r}"
        else:
            raise AssertionError(f"accepted: {answer!r} to {want}")
        assert (hash(round_), repr(round_)) == (before, text), f"changed by a refused answer: {answer!r}"


def check_moment(table: Table, round_: Any) -> None:
    """Check a round at one moment: wants, options, refusals and view."""
    check_wants(round_)
    check_options(round_)
    check_illegal(table, round_)
    check_view(table, round_)


def check_view(table: Table, round_: Any) -> None:
    """Check that the view has the game's type and the round's amounts, and survives encoding."""
    shown = table.game.show(round_, 0)
    assert isinstance(shown, table.game.view), f"the view isn't the game's: {type(shown)}"
    view: Any = shown
    assert (view.ended, view.staked_minor) == (round_.ended, round_.staked_minor), f"the view is {view}"
    if not view.ended:
        assert view.returned_minor == 0, f"returned before the end: {view.returned_minor}"
    assert msgspec.json.decode(msgspec.json.encode(view), type=table.game.view) == view, (
        "the decoded view differs"
    )


def play_out(deal: DealtRound[Any], pick: Pick, check: Callable[[Any], None]) -> DealtRound[Any]:
    """Play a round to its end; `pick` chooses among the options, `check` is called at every moment."""
    check(deal.round)
    while wants := deal.round.wants():
        assert len(deal.steps) < MAX_STEPS, "the round doesn't end"
        deal = (
            deal.decide(*pick(open_)) if (open_ := choices(deal.round)) else deal.answer_from_source(wants[0])
        )
        check(deal.round)
    return deal


def choices(round_: Any) -> list[tuple[At, Choice]]:
    """Return all decisions that are possible now, for the full and for the lowest stake."""
    return [
        (want.to, choice)
        for want in round_.wants()
        if isinstance(want, Decision)
        for option in want.options
        for choice in (Choice(option.action), Choice(option.action, option.cost_min_minor))
        if choice.stake_minor != option.cost_minor
    ]


def check_replay(start: Any, deal: DealtRound[Any], source: ChanceSource) -> None:
    """Check that the record reproduces the round, alone and with the source."""
    record = [str(step) for step in deal.steps]
    again = replay(start, record)
    assert again == deal.round, "the replay is another round"
    assert hash(again) == hash(deal.round), "equal rounds have different hashes"
    assert DealtRound(start, source).restore(record) == deal, "restored from the source, it is another round"


def check_settlements(table: Table, wagers: Sequence[Wager], round_: Any) -> tuple[Settled, ...]:
    """Check that every stake is settled once, according to the paytable."""
    lines: tuple[Settled, ...] = table.game.settle(round_)
    assert sum(line.stake_minor for line in lines) == round_.staked_minor, "settled stakes don't add up"
    assert len({(line.box, line.hand, line.bet) for line in lines}) == len(lines), "a stake is settled twice"
    assert all(line.returned_minor >= 0 and line.stake_minor > 0 for line in lines), lines
    assert {(wager.box, wager.bet) for wager in wagers} <= {(line.box, line.bet) for line in lines}
    view: Any = table.game.show(round_, 0)
    assert view.returned_minor == sum(line.returned_minor for line in lines), "the view has another sum"
    paytables = {bet.name: dict(bet.pays) for bet in table.game.bets(table.rules)}
    for line in lines:
        if odds := paytables.get(line.bet, {}).get(line.outcome):
            due = line.stake_minor + odds.winnings(line.stake_minor)
            assert line.returned_minor == due, f"the paytable requires {due}: {line}"
    return lines


def check_shared(table: Table, wagers: Sequence[Wager], deal: DealtRound[Any]) -> None:
    """Check that a round without decisions has the same result if all players share the deal."""
    live = table.game.live if not any(table.game.rule_errors(table.rules, "live")) else None
    if live is None or live.seats(table.rules) or any(isinstance(step.want, Decision) for step in deal.steps):
        return
    shared = live.share(table.rules, wagers)
    for step in deal.steps:
        if shared.open_decisions:
            return  # players with larger stakes may have a decision here
        assert shared.next_to_deal is not None, "the shared deal ended earlier"
        shared = shared.answer(step.answer)
    assert shared.round_for((), wagers) == deal.round, "the shared deal is another round"
    parts = shared.unit_settlement(())
    for line in table.game.settle(deal.round):
        due = {_portion(part, line.stake_minor, shared.unit_minor) for part in parts[line.bet]}
        assert (line.outcome, line.returned_minor) in due, f"the shared deal returns {due}: {line}"


def _portion(part: Settled, stake_minor: int, unit_minor: int) -> tuple[str, int]:
    return part.outcome, part.returned_minor * stake_minor // unit_minor


def check_ledger(start: Any, deal: DealtRound[Any], lines: Sequence[Settled]) -> None:
    """Check that the entries post the settlement: nothing stays in play, and the net result is right."""
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
    assert net == sum(line.returned_minor - line.stake_minor for line in lines), "the entries' net differs"


def raises(start: Any, steps: Iterable[RoundStep]) -> Iterable[int]:
    """Return the additional stake of each decision, as a table derives it from the step's text."""
    round_ = start
    for step in steps:
        before = round_.staked_minor
        round_ = round_.answer(*parse_step(round_, str(step)))
        if isinstance(step.want, Decision):
            yield round_.staked_minor - before
        else:
            assert round_.staked_minor == before, f"dealing raised a stake: {step}"
