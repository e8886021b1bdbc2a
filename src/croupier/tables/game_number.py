"""The number a round is known by to people."""

from functools import lru_cache


@lru_cache(maxsize=64)
def game_number(began_ms: int) -> str:
    """`#HH:MM:SS`, the time of day the round began, GMT (003 Game Number): asked for by thousands."""
    seconds = began_ms // 1000
    return f"#{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
