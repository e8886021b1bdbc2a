"""The story of a player from the first round to self-exclusion, in steps that read like it.

Each step asserts what the player sees and what the ledger has. At each station `look` is called: the test
checks the page, `tools.pictures_journey` takes its picture.
"""

from tests.browser.journey.account import (
    a_guest_accepts_the_terms,
    the_account_goes_on_on_a_second_device,
    the_guest_becomes_an_account,
    the_guest_plays_a_round,
)
from tests.browser.journey.exclusion import (
    an_excluded_player_of_the_operator_may_not_play,
    the_excluded_player_can_only_withdraw,
    the_player_excludes_themselves_in_mid_round,
)
from tests.browser.journey.limits import (
    a_limit_is_set_and_reached,
    a_time_check_shows_the_result_of_the_session,
)
from tests.browser.journey.money import (
    a_manager_grants_a_bonus,
    the_bonus_is_played_through,
    the_player_deposits,
    the_player_withdraws,
)
from tests.browser.journey.stage import Journey

STORY = (
    a_guest_accepts_the_terms,
    the_guest_plays_a_round,
    the_guest_becomes_an_account,
    the_account_goes_on_on_a_second_device,
    the_player_deposits,
    a_manager_grants_a_bonus,
    the_bonus_is_played_through,
    a_limit_is_set_and_reached,
    a_time_check_shows_the_result_of_the_session,
    the_player_withdraws,
    the_player_excludes_themselves_in_mid_round,
    the_excluded_player_can_only_withdraw,
    an_excluded_player_of_the_operator_may_not_play,
)


def play(journey: Journey) -> None:
    """Tell the whole story."""
    for step in STORY:
        step(journey)
