"""Game numbers: the time of day in GMT (003 Game Number), unique for each round, and read back as typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.tables.game_number import RANDOM_BITS, game_number, round_id, round_of_number

ROUNDS = st.builds(round_id, st.integers(0, 2**15 * 86_400_000 - 1), st.integers(0, 2**RANDOM_BITS - 1))
AT_21_10_10 = 1_795_900_210_123


def test_a_number_begins_with_the_time_of_day() -> None:
    assert game_number(round_id(AT_21_10_10, 1)).startswith("#21:10:10-")


@given(ROUNDS, ROUNDS)
def test_every_round_has_its_own_number(one: str, other: str) -> None:
    assert (game_number(one) == game_number(other)) == (one == other)


def test_rounds_of_one_second_have_different_numbers() -> None:
    ids = [round_id(AT_21_10_10 + ms, random) for ms in range(6) for random in range(6)]
    assert len({game_number(each) for each in ids}) == len(ids)


@given(ROUNDS)
def test_a_number_names_its_round(round_: str) -> None:
    assert round_of_number(game_number(round_)) == round_


@pytest.mark.parametrize(("letter", "mistaken"), [("0", "o"), ("1", "l"), ("1", "I"), ("-", " "), ("-", "")])
def test_a_number_may_be_typed_in_several_ways(letter: str, mistaken: str) -> None:
    round_ = round_id(AT_21_10_10, 0b00001_00000_00001_00000_00001)
    time, code = game_number(round_).split("-", 1)
    typed = f"  {time.removeprefix('#')}-{code.replace(letter, mistaken)} "
    assert round_of_number(typed) == round_of_number(typed.lower()) == round_


@pytest.mark.parametrize(
    "text",
    ["", "#21:10:10", "#24:10:10-00000-00000", "#21:10:10-0000U-00000", "r019f", "#21:10:10-00000-000000"],
)
def test_other_texts_are_not_numbers(text: str) -> None:
    assert round_of_number(text) is None


def test_rounds_of_version_0_1_have_the_time_alone() -> None:
    assert game_number(f"r{AT_21_10_10:012x}0123456789") == "#21:10:10"


def test_other_ids_have_no_number() -> None:
    with pytest.raises(ValueError, match="isn't the id of a round"):
        game_number("r1")
