"""Tables of coups as environments: which bet, one step a coup, a shoe an episode."""

from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from croupier.gym import CoupEnv, name_of
from croupier.maths.exact.coup_figures import figures_of
from tests.maths.tables import COUPS

ROUNDS = 4_000
DECK_COLUMNS = 52


def env_of(name: str, **changes: Any) -> CoupEnv:
    env = gymnasium.make(f"croupier/{name}-v0", **changes).unwrapped
    assert isinstance(env, CoupEnv)
    return env


def bet(env: CoupEnv, name: str) -> np.int64:
    return np.int64(env.senses.actions.index(name))


def shoe(env: CoupEnv, name: str, seed: int | None) -> list[tuple[list[int], float]]:
    """What was seen before the first coup of an episode and after each, and what a bet won in it."""
    seen, _ = env.reset(seed=seed)
    found, ended = [(seen.tolist(), 0.0)], False
    while not ended:
        seen, reward, ended, truncated, info = env.step(bet(env, name))
        assert (truncated, info["staked"], info["action_mask"].all()) == (False, 1.0, True)
        found.append((seen.tolist(), reward))
    return found


@pytest.mark.parametrize("name", [name_of(table) for table in COUPS.values()])
def test_gymnasiums_own_checker_finds_nothing(name: str) -> None:
    env = gymnasium.make(name).unwrapped
    assert isinstance(env, CoupEnv)
    check_env(env)


def test_a_table_with_its_games_name_goes_by_its_own() -> None:
    assert {"croupier/Roulette-v0", "croupier/AmericanRoulette-v0", "croupier/LiveSicBo-v0"} <= set(
        gymnasium.registry
    )


@pytest.mark.parametrize(("name", "on"), [("Roulette", "red"), ("Baccarat", "banker"), ("SicBo", "single_3")])
def test_rewards_are_what_the_bet_is_worth(name: str, on: str) -> None:
    env = env_of(name)
    (odds,) = (odds for odds in figures_of(env.table).bets if odds.bet == on)
    rewards = [reward for seed in range(ROUNDS) for _, reward in shoe(env, on, seed)[1:]]
    assert len(rewards) == ROUNDS
    error = odds.standard_deviation / ROUNDS**0.5
    assert abs(np.mean(rewards) - float(odds.returned - 1)) < 4 * error
    assert set(rewards) == {float(net) for net in odds.nets}


def test_a_straight_is_won_by_its_pocket_alone() -> None:
    env = env_of("Roulette", render_mode="ansi")
    won = set()
    for seed in range(400):
        ((_, _), (seen, reward)) = shoe(env, "straight_17", seed)
        assert (env.render() == "wheel 17") == (reward == 35)
        won |= {seen[0]} if reward > 0 else set()
    assert len(won) == 1


def test_what_came_up_last_is_known_until_another_seed() -> None:
    env = env_of("AmericanRoulette")
    came = shoe(env, "red", 5)[-1][0]
    assert came != [0]
    assert env.reset()[0].tolist() == came
    assert env.reset(seed=5)[0].tolist() == [0]
    assert shoe(env, "red", 5)[-1][0] == came


def test_a_shoe_is_dealt_to_its_end_as_the_house_deals_it() -> None:
    """404 cards before the cut card of live baccarat lie, 405 to 416 in the end; all are kept count of."""
    env = env_of("LiveBaccarat")
    cards = env.table.game.live.shoe_policy(env.table.rules)  # type: ignore[union-attr]
    found = shoe(env, "player", 3)
    coups = [seen[6:] for seen, _ in found]
    assert sum(coups[0]) == 1, "the first card is turned, and burned with others"
    assert all(4 <= sum(after) - sum(before) <= 6 for before, after in pairwise(coups))
    assert max(coups[-1]) <= 4 * 32
    assert sum(coups[-2]) < cards.cut <= sum(coups[-1]) + 10
    assert len(found) > 60
    assert found == shoe(env, "player", 3) != shoe(env, "player", 4)


def test_a_shoe_that_goes_on_shows_which_cards_are_out() -> None:
    env = env_of("LiveDragonTiger")
    for seen, _ in shoe(env, "tiger", 2)[1:]:
        came, out = seen[:2], seen[2:]
        assert len(out) == DECK_COLUMNS
        assert all(out[column - 1] for column in came)


def test_an_own_table_has_a_fresh_shoe_each_coup() -> None:
    env = env_of("Baccarat")
    assert list(env.senses.sizes) == [f"came_{nth}" for nth in range(1, 7)]
    assert len(shoe(env, "tie", 1)) == 2


def test_rules_may_be_changed_for_a_what_if() -> None:
    env = env_of("Baccarat", rules={"player_pair": [], "banker_pair": [], "decks": 1})
    assert env.senses.actions == ("player", "banker", "tie")
