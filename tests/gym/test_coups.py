"""Environments of tables of coups: the action is the bet, a step is a coup, an episode a shoe."""

from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from croupier.gym import CoupEnv, name_of
from croupier.maths.exact.coup_figures import figures_of
from tests.maths.tables import COUP_TABLES

ROUNDS = 4_000
DECK_COLUMNS = 52


def env_of(name: str, **changes: Any) -> CoupEnv:
    env = gymnasium.make(f"croupier/{name}-v0", **changes).unwrapped
    assert isinstance(env, CoupEnv)
    return env


def bet(env: CoupEnv, name: str) -> np.int64:
    return np.int64(env.observations.actions.index(name))


def play_shoe(env: CoupEnv, name: str, seed: int | None) -> list[tuple[list[int], float]]:
    """Return the observation before the first coup and after each, with the reward of the bet in it."""
    observation, _ = env.reset(seed=seed)
    steps, terminated = [(observation.tolist(), 0.0)], False
    while not terminated:
        observation, reward, terminated, truncated, info = env.step(bet(env, name))
        assert (truncated, info["staked"], info["action_mask"].all()) == (False, 1.0, True)
        steps.append((observation.tolist(), reward))
    return steps


@pytest.mark.parametrize("name", [name_of(table) for table in COUP_TABLES.values()])
def test_gymnasiums_checker_accepts_every_environment(name: str) -> None:
    env = gymnasium.make(name).unwrapped
    assert isinstance(env, CoupEnv)
    check_env(env)


def test_an_id_does_not_repeat_the_games_name() -> None:
    assert {"croupier/Roulette-v0", "croupier/AmericanRoulette-v0", "croupier/LiveSicBo-v0"} <= set(
        gymnasium.registry
    )


@pytest.mark.parametrize(
    ("name", "bet_name"), [("Roulette", "red"), ("Baccarat", "banker"), ("SicBo", "single_3")]
)
def test_rewards_agree_with_the_exact_return(name: str, bet_name: str) -> None:
    env = env_of(name)
    (odds,) = (odds for odds in figures_of(env.table).bets if odds.bet == bet_name)
    rewards = [reward for seed in range(ROUNDS) for _, reward in play_shoe(env, bet_name, seed)[1:]]
    assert len(rewards) == ROUNDS
    error = odds.standard_deviation / ROUNDS**0.5
    assert abs(np.mean(rewards) - float(odds.returned - 1)) < 4 * error
    assert set(rewards) == {float(net) for net in odds.nets}


def test_a_straight_bet_wins_on_one_pocket_only() -> None:
    env = env_of("Roulette", render_mode="ansi")
    won = set()
    for seed in range(400):
        ((_, _), (observation, reward)) = play_shoe(env, "straight_17", seed)
        assert (env.render() == "wheel 17") == (reward == 35)
        won |= {observation[0]} if reward > 0 else set()
    assert len(won) == 1


def test_the_last_result_is_observed_until_a_new_seed() -> None:
    env = env_of("AmericanRoulette")
    last_result = play_shoe(env, "red", 5)[-1][0]
    assert last_result != [0]
    assert env.reset()[0].tolist() == last_result
    assert env.reset(seed=5)[0].tolist() == [0]
    assert play_shoe(env, "red", 5)[-1][0] == last_result


def test_a_shoe_is_dealt_to_its_cut_card() -> None:
    """In live baccarat 404 cards lie in front of the cut card; every card dealt is counted."""
    env = env_of("LiveBaccarat")
    cards = env.table.game.live.shoe_policy(env.table.rules)  # type: ignore[union-attr]
    steps = play_shoe(env, "player", 3)
    coups = [observation[6:] for observation, _ in steps]
    assert sum(coups[0]) == 1, "the first card is turned and burned with others"
    assert all(4 <= sum(after) - sum(before) <= 6 for before, after in pairwise(coups))
    assert max(coups[-1]) <= 4 * 32
    assert sum(coups[-2]) < cards.cut <= sum(coups[-1]) + 10
    assert len(steps) > 60
    assert steps == play_shoe(env, "player", 3) != play_shoe(env, "player", 4)


def test_the_observation_has_the_cards_dealt_from_the_shoe() -> None:
    env = env_of("LiveDragonTiger")
    for observation, _ in play_shoe(env, "tiger", 2)[1:]:
        last_result, out = observation[:2], observation[2:]
        assert len(out) == DECK_COLUMNS
        assert all(out[column - 1] for column in last_result)


def test_an_own_table_has_a_fresh_shoe_each_coup() -> None:
    env = env_of("Baccarat")
    assert list(env.observations.sizes) == [f"came_{nth}" for nth in range(1, 7)]
    assert len(play_shoe(env, "tie", 1)) == 2


def test_rules_can_be_changed() -> None:
    env = env_of("Baccarat", rules={"player_pair": [], "banker_pair": [], "decks": 1})
    assert env.observations.actions == ("player", "banker", "tie")
