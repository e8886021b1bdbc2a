"""Odds as they are printed on the cloth: "3:2" wins three for every two staked."""

from typing import NamedTuple, Self


class Odds(NamedTuple):
    """Winnings `wins` for every `staked`; the stake itself comes back on top. See PUSH and HALF_BACK."""

    wins: int
    staked: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """`"3:2"`, `"push"` or `"half back"` as odds; ValueError when it is none of them."""
        if text in _NAMED:
            return cls(*_NAMED[text])
        wins, colon, staked = text.partition(":")
        if not (colon and wins.isdecimal() and staked.isdecimal() and int(wins) and int(staked)):
            raise ValueError(f'{text!r} are no odds: write them as "3:2"')
        return cls(int(wins), int(staked))

    def __str__(self) -> str:
        return _NAMES.get(self, f"{self.wins}:{self.staked}")

    def winnings(self, stake_minor: int) -> int:
        """What `stake_minor` wins, rounded down to a whole smallest unit; negative where a part is lost."""
        return stake_minor * self.wins // self.staked


PUSH = Odds(0, 1)
"""The stake comes back."""
HALF_BACK = Odds(-1, 2)
"""Half of the stake is lost."""
_NAMED = {"push": PUSH, "half back": HALF_BACK}
_NAMES = {odds: name for name, odds in _NAMED.items()}
