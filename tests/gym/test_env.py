"""Environments of tables with decisions conform to Gymnasium and deal the table's rounds."""

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from croupier.gym import TableEnv, name_of
from croupier.play.tables.files import InvalidTables
from tests.maths.tables import DECISION_TABLES

NAMES = [name_of(table) for table in DECISION_TABLES.values()]
INFINITE = "croupier/Blackjack-Infinite-v0"


def env_of(name: str, **changes: Any) -> TableEnv:
    env = gymnasium.make(name, **changes).unwrapped
    assert isinstance(env, TableEnv)
    return env


def play_round(
    env: TableEnv, seed: int, preferences: tuple[str, ...]
) -> tuple[float, dict[str, Any], list[str]]:
    """Play a round with the first allowed action of the preferences; return net result, info and actions."""
    _, info = env.reset(seed=seed)
    terminated, reward, actions = False, 0.0, []
    while not terminated:
        allowed = [
            name for name, may in zip(env.observations.actions, info["action_mask"], strict=True) if may
        ]
        action = next(preference for preference in (*preferences, *allowed) if preference in allowed)
        actions.append(action)
        _, reward, terminated, _, info = env.step(np.int64(env.observations.actions.index(action)))
    return reward, info, actions


@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_checker_accepts_every_environment(name: str) -> None:
    check_env(env_of(name))


def test_gymnasium_imports_the_module_before_an_id() -> None:
    """Gymnasium has no plugin entry points any more; it imports the module named before the id."""
    program = f"import gymnasium; print(gymnasium.make('croupier.gym:{INFINITE}').unwrapped.table.title)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert done.stdout == "Infinite Blackjack\n"


def test_the_same_seed_deals_the_same_round() -> None:
    env = env_of(INFINITE, render_mode="ansi")
    rounds = []
    for seed in (5, 5, 6):
        play_round(env, seed, ("hit",))
        rounds.append(env.render())
    assert rounds[0] == rounds[1] != rounds[2]


@pytest.mark.parametrize("preference", ["split", "double", "insure", "take_even_money"])
def test_every_action_of_blackjack_is_available(preference: str) -> None:
    env = env_of("croupier/Blackjack-Multihand-v0")
    rounds = [
        round_
        for seed in range(400)
        if preference in (round_ := play_round(env, seed, (preference, "stand")))[2]
    ]
    assert rounds
    staked = {info["staked"] for _, info, _ in rounds}
    # A split or a double adds a stake or more to the round, insurance half a stake.
    expected = {"split": 2.0, "double": 2.0, "insure": 1.5, "take_even_money": 1.0}
    assert expected[preference] in staked
    assert 1.0 not in staked or preference == "take_even_money"


def test_even_money_wins_one_stake() -> None:
    env = env_of("croupier/Blackjack-Classic-v0")
    rounds = [play_round(env, seed, ("take_even_money", "stand")) for seed in range(800)]
    assert {net for net, _, actions in rounds if "take_even_money" in actions} == {1.0}


def test_a_forbidden_action_changes_nothing_and_states_the_rule() -> None:
    env = env_of(INFINITE)
    for seed in range(50):
        observation, info = env.reset(seed=seed)
        split = env.observations.actions.index("split")
        if info["action_mask"][0] and not info["action_mask"][split] and env.action_masks().sum() > 1:
            after, reward, ended, truncated, info = env.step(np.int64(split))
            assert (after.tolist(), reward, ended, truncated) == (observation.tolist(), 0.0, False, False)
            assert "not_offered by rule split" in info["refused"]
            return
    raise AssertionError("no round without a pair")


def test_a_blackjack_is_collected_and_pays_three_to_two() -> None:
    env = env_of(INFINITE)
    nets = []
    for seed in range(200):
        observation, info = env.reset(seed=seed)
        if observation[1] == 21 and info["action_mask"].sum() == 1:
            _, reward, ended, _, _ = env.step(np.int64(0))
            assert ended
            nets.append(reward)
    assert set(nets) == {1.5, 0.0} or set(nets) == {1.5}


def test_the_observation_has_both_face_up_cards_of_the_dealer() -> None:
    env = env_of("croupier/Blackjack-DoubleExposure-v0")
    second = list(env.observations.sizes).index("second")
    assert all(env.reset(seed=seed)[0][second] for seed in range(20))
    hidden = env_of(INFINITE)
    live = (hidden.reset(seed=seed) for seed in range(20))
    assert not any(observation[second] for observation, info in live if info["action_mask"].sum() > 1)


def test_an_episode_of_forbidden_actions_is_truncated() -> None:
    env = gymnasium.make(INFINITE)
    for seed in range(50):
        _, info = env.reset(seed=seed)
        if info["action_mask"][1]:
            break
    for _ in range(100):
        _, _, ended, truncated, _ = env.step(np.int64(6))
        if ended or truncated:
            break
    assert truncated
    assert not ended


def test_rules_can_be_changed() -> None:
    assert env_of(INFINITE, rules={"decks": 1}).table.rules.decks == 1
    with pytest.raises(InvalidTables, match="decks"):
        env_of(INFINITE, rules={"decks": 12})
