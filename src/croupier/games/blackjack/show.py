"""The view of a round."""

from collections.abc import Collection
from typing import cast

from msgspec.structs import replace

from croupier.games.blackjack.boxes import Box
from croupier.games.blackjack.default_choice import default_choice
from croupier.games.blackjack.hands import is_bust, is_natural, low_total, total
from croupier.games.blackjack.options import is_complete
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.settlement import settle, settle_side_bets
from croupier.games.blackjack.view import (
    Action,
    BlackjackView,
    BoxView,
    DealerView,
    HandView,
    InsuranceView,
    OptionView,
    Outcome,
    SideBetView,
    TurnView,
)
from croupier.play.contract.bets import Settled
from croupier.play.contract.wants import Decision, Option

Lines = dict[tuple[int, int, str], Settled]
"""Settlements by box, hand and bet."""


def show(round_: Round, balance_minor: int) -> BlackjackView:
    """Return the view; options that `balance_minor` doesn't cover are marked."""
    wants = round_.wants()
    every = settle_side_bets(round_) if wants else settle(round_)
    lines = {(line.box, line.hand, line.bet): line for line in every}
    return BlackjackView(
        boxes=tuple(_box(round_, box, lines) for box in round_.boxes),
        dealer=_dealer(round_),
        turns=tuple(_turn(round_, want, balance_minor) for want in wants if isinstance(want, Decision)),
        ended=not wants,
        staked_minor=round_.staked_minor,
        returned_minor=0 if wants else sum(line.returned_minor for line in every),
    )


def _dealer(round_: Round) -> DealerView:
    cards = round_.dealer
    return DealerView(
        cards=tuple(map(str, cards)),
        face_down=round_.face_down,
        low=low_total(cards),
        total=total(cards),
        blackjack=is_natural(cards),
        bust=is_bust(cards),
    )


def _turn(round_: Round, want: Decision, balance_minor: int) -> TurnView:
    return TurnView(
        box=want.to.box,
        hand=want.to.hand,
        options=tuple(_option(round_, want, option, balance_minor) for option in want.options),
    )


def _option(round_: Round, want: Decision, option: Option, balance_minor: int) -> OptionView:
    instead = default_choice(round_, want, option.action).action if option.cost_minor else ""
    return OptionView(
        cast("Action", option.action),
        option.cost_minor,
        option.cost_min_minor,
        option.cost_min_minor <= balance_minor,
        cast("Action", instead),
    )


def _box(round_: Round, box: Box, lines: Lines) -> BoxView:
    insurance = lines.get((box.number, 0, "insurance"))
    return BoxView(
        box=box.number,
        stake_minor=box.stake_minor,
        hands=tuple(_hand(round_, box, place, lines) for place in range(len(box.hands))),
        side_bets=tuple(
            _side_bet(wager.bet, wager.stake_minor, lines.get((box.number, 0, wager.bet)))
            for wager in box.side_bets
        ),
        insurance=InsuranceView(box.insurance_minor, insurance.returned_minor if insurance else None)
        if box.insured
        else None,
    )


def _hand(round_: Round, box: Box, place: int, lines: Lines) -> HandView:
    hand = box.hands[place]
    line = lines.get((box.number, place, "main"))
    bust: Outcome | None = "bust" if is_bust(hand.cards) else None
    return HandView(
        cards=tuple(map(str, hand.cards)),
        low=low_total(hand.cards),
        total=total(hand.cards),
        blackjack=hand.blackjack,
        doubled=hand.doubled,
        finished=is_complete(round_.rules, box, place),
        stake_minor=box.hand_stake(hand),
        returned_minor=line.returned_minor if line else None,
        outcome=cast("Outcome", line.outcome) if line else bust,
    )


def _side_bet(bet: str, stake_minor: int, line: Settled | None) -> SideBetView:
    return SideBetView(
        bet, stake_minor, line.returned_minor if line else None, line.outcome if line else None
    )


def hide_other_amounts(view: BlackjackView, boxes: Collection[int]) -> BlackjackView:
    """Return the view with the amounts of these boxes only, but the hands of all boxes."""
    shown = tuple(box if box.box in boxes else _without_amounts(box) for box in view.boxes)
    parts = [part for box in shown for part in (*box.hands, *box.side_bets, box.insurance) if part]
    return replace(
        view,
        boxes=shown,
        turns=tuple(turn if turn.box in boxes else _without_costs(turn) for turn in view.turns),
        staked_minor=sum(part.stake_minor for part in parts),
        returned_minor=sum(part.returned_minor or 0 for part in parts) if view.ended else 0,
    )


def only_boxes(view: BlackjackView, boxes: Collection[int]) -> BlackjackView:
    """Return the view of these boxes and the dealer."""
    return replace(
        view,
        boxes=tuple(box for box in view.boxes if box.box in boxes),
        turns=tuple(turn for turn in view.turns if turn.box in boxes),
    )


def _without_amounts(box: BoxView) -> BoxView:
    hands = tuple(
        replace(hand, stake_minor=0, returned_minor=None if hand.returned_minor is None else 0)
        for hand in box.hands
    )
    return BoxView(box.box, 0, hands, side_bets=(), insurance=None)


def _without_costs(turn: TurnView) -> TurnView:
    options = (replace(option, cost_minor=0, cost_min_minor=0) for option in turn.options)
    return replace(turn, options=tuple(options))
