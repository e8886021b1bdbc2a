"""An independent implementation of live blackjack: a player's return from their wagers and record alone.

It uses none of the package's rules; the rules of both live tables are written here as their pages state them.
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


class BoxRecord:
    """The part of a record that concerns one box."""

    def __init__(self, steps: Sequence[str], box: int) -> None:
        self.hands: list[list[str]] = [[]]
        self.raised: list[int | None] = [0]
        self.dealer: list[str] = []
        self.insured = False
        for step in steps:
            place, answer = step.split(" ")
            if place == "dealer" and answer not in ("down", "yes", "no"):
                self.dealer.append(answer)
            elif place.startswith(f"{box}."):
                self._read_player_step(int(place[-1]), answer)
        self.split = len(self.hands) == 2
        self.first_two = [hand[0] for hand in self.hands] if self.split else self.hands[0][:2]

    def _read_player_step(self, hand: int, answer: str) -> None:
        action, _, stake = answer.partition("=")
        if action == "double":
            self.raised[hand] = int(stake) if stake else None
        elif action == "split":
            self.hands = [[card] for card in self.hands[0]]
            self.raised = [0, 0]
        elif action == "insure":
            self.insured = True
        elif len(action) == 2:
            self.hands[hand].append(action)

    def expected_amounts(self, table: str, wagers: Sequence[Wager]) -> tuple[int, int]:
        """Return the total stake and the total return of the box."""
        (main,) = [wager.stake_minor for wager in wagers if wager.bet == "main"]
        staked, returned = 0, 0
        for hand, raised in zip(self.hands, self.raised, strict=True):
            stake = main + (main if raised is None else raised)
            staked, returned = staked + stake, returned + stake * self._hand_return(table, hand) // 2
        if self.insured:
            staked, returned = staked + main // 2, returned + 3 * (main // 2) * self._dealer_blackjack
        for bet, stake in [(wager.bet, wager.stake_minor) for wager in wagers if wager.bet != "main"]:
            staked, returned = staked + stake, returned + stake * self._side_bet_return(bet)
        return staked, returned

    @property
    def _dealer_blackjack(self) -> bool:
        return len(self.dealer) == 2 and points(self.dealer) == 21

    def _hand_return(self, table: str, hand: Sequence[str]) -> int:
        """Return the payout of a hand in halves of its stake."""
        if points(hand) > 21:
            return 0
        if len(hand) >= CHARLIE[table]:
            return 4
        if not self.split and len(hand) == 2 and points(hand) == 21:
            return 2 if self._dealer_blackjack else 5
        if self._dealer_blackjack:
            return 0
        player, dealer = points(hand), points(self.dealer)
        return 4 if dealer > 21 or player > dealer else 2 * (player == dealer)

    def _side_bet_return(self, bet: str) -> int:
        """Return the payout of a side bet in stakes; each method below returns odds, or -1 for a loss."""
        odds = int(getattr(self, f"_{bet}")())
        return odds + 1 if odds >= 0 else 0

    def _any_pair(self) -> int:
        one, other = self.first_two
        return -1 if one[0] != other[0] else 25 if one == other else 8

    def _perfect_pairs(self) -> int:
        one, other = self.first_two
        if one[0] != other[0]:
            return -1
        return 25 if one == other else 12 if (one[1] in "DH") == (other[1] in "DH") else 6

    def _twenty_one_plus_three(self) -> int:
        three = [*self.first_two, self.dealer[0]]
        ranks, suits = {card[0] for card in three}, {card[1] for card in three}
        straight = any(ranks == set(ORDER[start : start + 3]) for start in range(12))
        if len(ranks) == 1:
            return 100 if len(suits) == 1 else 30
        if straight:
            return 40 if len(suits) == 1 else 10
        return 5 if len(suits) == 1 else -1

    def _hot_3(self) -> int:
        three = [*self.first_two, self.dealer[0]]
        if [card[0] for card in three] == ["7", "7", "7"]:
            return 100
        if points(three) == 21:
            return 20 if len({card[1] for card in three}) == 1 else 4
        return {20: 2, 19: 1}.get(points(three), -1)

    def _bust_it(self) -> int:
        if not self.split and points(self.first_two) == 21:
            return 0
        return BUST_IT[min(8, len(self.dealer))] if points(self.dealer) > 21 else -1


def expected_amounts(table: str, steps: Sequence[str], wagers: Sequence[Wager]) -> tuple[int, int]:
    """Return a player's total stake and total return over all their boxes."""
    boxes = sorted({wager.box for wager in wagers})
    each = [
        BoxRecord(steps, box).expected_amounts(table, [wager for wager in wagers if wager.box == box])
        for box in boxes
    ]
    return sum(staked for staked, _ in each), sum(returned for _, returned in each)
