"""Challenges are accepted once, for their purpose and in time, and their number is bounded."""

from hypothesis import given
from hypothesis import strategies as st

from croupier.accounts.challenges import CHALLENGE_BYTES, Challenges

VALID_MS, MOST = 100, 5
PURPOSES = st.sampled_from(["sign in", "p_1", "p_2"])


def challenges() -> Challenges:
    return Challenges(VALID_MS, MOST)


def test_a_challenge_is_accepted_once() -> None:
    waiting = challenges()
    challenge = waiting.issue("sign in", 0)
    assert len(challenge) == CHALLENGE_BYTES
    assert waiting.take(challenge, "sign in", VALID_MS - 1)
    assert not waiting.take(challenge, "sign in", VALID_MS - 1)


def test_a_challenge_expires() -> None:
    waiting = challenges()
    assert not waiting.take(waiting.issue("sign in", 0), "sign in", VALID_MS)


def test_a_challenge_for_another_purpose_is_used_up() -> None:
    waiting = challenges()
    challenge = waiting.issue("sign in", 0)
    assert not waiting.take(challenge, "p_1", 0)
    assert not waiting.take(challenge, "sign in", 0)


@given(st.lists(st.tuples(st.booleans(), PURPOSES, st.integers(0, VALID_MS))))
def test_the_newest_are_kept_and_each_is_taken_at_most_once(
    steps: list[tuple[bool, str, int]],
) -> None:
    """A model with a list: what was issued, and isn't taken, expired or displaced."""
    waiting, model, now = challenges(), list[tuple[bytes, str, int]](), 0
    for issue, purpose, later in steps:
        now += later
        if issue:
            model.append((waiting.issue(purpose, now), purpose, now))
            model = [each for each in model if now - each[2] < VALID_MS][-MOST:]
        elif model:
            challenge, wanted, at = model.pop(0)
            assert waiting.take(challenge, purpose, now) == (wanted == purpose and now - at < VALID_MS)
        assert len(waiting) <= MOST
        assert not waiting.take(b"unknown", purpose, now)
