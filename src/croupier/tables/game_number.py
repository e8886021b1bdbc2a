"""The game number: how players and staff refer to a round."""

from functools import lru_cache


@lru_cache(maxsize=64)
def game_number(began_ms: int) -> str:
    """Return `#HH:MM:SS`, the time of day in GMT at which the round began (003 Game Number)."""
    seconds = began_ms // 1000
    return f"#{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
