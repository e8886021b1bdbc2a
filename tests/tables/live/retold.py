"""Live blackjack told once more, by itself: what a player gets back, from his wagers and his record alone.

Nothing of the house's rules is used; both live tables' rules stand here as the published pages give them.
"""

from collections.abc import Sequence

from croupier.play.contract.bets import Wager

PIPS = {**{str(pips): pips for pips in range(2, 10)}, "A": 1, **dict.fromkeys("TJQK", 10)}
ORDER = "A23456789TJQKA"
CHARLIE = {"infinite": 6, "seven_seat": 99}
BUST_IT = {3: 1, 4: 2, 5: 9, 6: 50, 7: 100, 8: 250}


def points(hand: Sequence[str]) -> int:
    low = sum(PIPS[card[0]] for card in hand)
    return low + 10 if low < 12 and any(card[0] == "A" for card in hand) else low


class Retold:
    """One box of a record, read line by line."""

    def __init__(self, steps: Sequence[str], box: int) -> None:
        self.hands: list[list[str]] = [[]]
        self.raised: list[int | None] = [0]
        self.dealer: list[str] = []
        self.insured = False
        for step in steps:
            where, what = step.split(" ")
            if where == "dealer" and what not in ("down", "yes", "no"):
                self.dealer.append(what)
            elif where.startswith(f"{box}."):
                self._player(int(where[-1]), what)
        self.split = len(self.hands) == 2
        self.first = [hand[0] for hand in self.hands] if self.split else self.hands[0][:2]

    def _player(self, place: int, what: str) -> None:
        action, _, stake = what.partition("=")
        if action == "double":
            self.raised[place] = int(stake) if stake else None
        elif action == "split":
            self.hands = [[card] for card in self.hands[0]]
            self.raised = [0, 0]
        elif action == "insure":
            self.insured = True
        elif len(action) == 2:
            self.hands[place].append(action)

    def returns(self, table: str, wagers: Sequence[Wager]) -> tuple[int, int]:
        """All that was staked, and all that comes back."""
        (main,) = [wager.stake_minor for wager in wagers if wager.bet == "main"]
        staked, back = 0, 0
        for hand, raised in zip(self.hands, self.raised, strict=True):
            stake = main + (main if raised is None else raised)
            staked, back = staked + stake, back + stake * self._hand(table, hand) // 2
        if self.insured:
            staked, back = staked + main // 2, back + 3 * (main // 2) * self._dealer_natural
        for wager in wagers:
            if wager.bet != "main":
                staked, back = staked + wager.stake_minor, back + wager.stake_minor * self._side(wager.bet)
        return staked, back

    @property
    def _dealer_natural(self) -> bool:
        return len(self.dealer) == 2 and points(self.dealer) == 21

    def _hand(self, table: str, hand: Sequence[str]) -> int:
        """In halves of the stake."""
        if points(hand) > 21:
            return 0
        if len(hand) >= CHARLIE[table]:
            return 4
        if not self.split and len(hand) == 2 and points(hand) == 21:
            return 2 if self._dealer_natural else 5
        if self._dealer_natural:
            return 0
        mine, his = points(hand), points(self.dealer)
        return 4 if his > 21 or mine > his else 2 * (mine == his)

    def _side(self, bet: str) -> int:
        """How many times the stake comes back."""
        won = int(getattr(self, f"_{bet}")())
        return won + 1 if won >= 0 else 0

    def _any_pair(self) -> int:
        one, other = self.first
        return -1 if one[0] != other[0] else 25 if one == other else 8

    def _perfect_pairs(self) -> int:
        one, other = self.first
        if one[0] != other[0]:
            return -1
        return 25 if one == other else 12 if (one[1] in "DH") == (other[1] in "DH") else 6

    def _twenty_one_plus_three(self) -> int:
        three = [*self.first, self.dealer[0]]
        ranks, suits = {card[0] for card in three}, {card[1] for card in three}
        straight = any(ranks == set(ORDER[at : at + 3]) for at in range(12))
        if len(ranks) == 1:
            return 100 if len(suits) == 1 else 30
        if straight:
            return 40 if len(suits) == 1 else 10
        return 5 if len(suits) == 1 else -1

    def _hot_3(self) -> int:
        three = [*self.first, self.dealer[0]]
        if [card[0] for card in three] == ["7", "7", "7"]:
            return 100
        if points(three) == 21:
            return 20 if len({card[1] for card in three}) == 1 else 4
        return {20: 2, 19: 1}.get(points(three), -1)

    def _bust_it(self) -> int:
        if not self.split and points(self.first) == 21:
            return 0
        return BUST_IT[min(8, len(self.dealer))] if points(self.dealer) > 21 else -1


def returns(table: str, steps: Sequence[str], wagers: Sequence[Wager]) -> tuple[int, int]:
    """Over all boxes of one player."""
    boxes = sorted({wager.box for wager in wagers})
    each = [
        Retold(steps, box).returns(table, [wager for wager in wagers if wager.box == box]) for box in boxes
    ]
    return sum(staked for staked, _ in each), sum(back for _, back in each)
