"""Odds as printed on the cloth: "3:2" pays three for every two staked."""

from typing import NamedTuple, Self


class Odds(NamedTuple):
    """Winnings `wins` for every `staked`; the stake is returned too. See PUSH and HALF_BACK."""

    wins: int
    staked: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `"3:2"`, `"push"` or `"half back"`; ValueError for anything else."""
        if text in _NAMED:
            return cls(*_NAMED[text])
        wins, colon, staked = text.partition(":")
        if not (colon and wins.isdecimal() and staked.isdecimal() and int(wins) and int(staked)):
            raise ValueError(f'odds {text!r} can\'t be read: write them as "3:2"')
        return cls(int(wins), int(staked))

    def __str__(self) -> str:
        return _NAMES.get(self, f"{self.wins}:{self.staked}")

    def winnings(self, stake_minor: int) -> int:
        """Return the winnings, rounded down to a smallest unit; negative if a part of the stake is lost."""
        return stake_minor * self.wins // self.staked


PUSH = Odds(0, 1)
"""The stake is returned."""
HALF_BACK = Odds(-1, 2)
"""Half of the stake is lost."""
_NAMED = {"push": PUSH, "half back": HALF_BACK}
_NAMES = {odds: name for name, odds in _NAMED.items()}
