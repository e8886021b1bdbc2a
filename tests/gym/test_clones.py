"""Every environment pickles and copies; a clone continues like the original."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv

from croupier.games import published_tables
from croupier.gym import CoupEnv, TableEnv, name_of

Env = TableEnv | CoupEnv
STEPS = 12
TABLES = published_tables()


def by_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


CLONES = pytest.mark.parametrize("clone", [by_pickle, copy.deepcopy], ids=["pickle", "copy"])


def env_of(name: str, **changes: Any) -> Env:
    env = gymnasium.make(name_of(TABLES[name]), render_mode="ansi", **changes).unwrapped
    assert isinstance(env, Env)
    return env


def play(env: Env) -> list[Any]:
    """Play with the environment's own samples of actions, and return everything seen."""
    seen: list[Any] = []
    for _ in range(STEPS):
        observation, reward, terminated, _, info = env.step(env.action_space.sample(env.action_masks()))
        seen.append((observation.tolist(), reward, terminated, info["action_mask"].tolist(), env.render()))
        if terminated:
            seen.append(env.reset()[0].tolist())
    return seen


@CLONES
@pytest.mark.parametrize("name", TABLES)
def test_a_clone_continues_like_the_original(name: str, clone: Callable[[Env], Env]) -> None:
    env = env_of(name)
    env.reset(seed=7)
    env.action_space.seed(7)
    play(env)
    other = clone(env)
    assert other.render() == env.render()
    assert play(other) == play(env)


@CLONES
def test_a_clone_is_independent(clone: Callable[[Env], Env]) -> None:
    env = env_of("premium")
    env.reset(seed=1)
    before = env.render()
    play(clone(env))
    assert env.render() == before


@CLONES
@pytest.mark.parametrize("name", ["premium", "live_baccarat"])
def test_an_environment_clones_before_its_first_round(name: str, clone: Callable[[Env], Env]) -> None:
    env = env_of(name, rules={"decks": 2})
    other = clone(env)
    assert other.table.rules == env.table.rules
    assert other.table.game is env.table.game
    assert (other.reset(seed=3)[0] == env.reset(seed=3)[0]).all()


def test_wrapped_environments_pickle() -> None:
    env = gymnasium.make("croupier/Blackjack-Infinite-v0")
    env.reset(seed=2)
    assert by_pickle(env).unwrapped.render() == env.unwrapped.render()


def test_environments_run_in_processes_of_a_vector() -> None:
    name = "croupier/Roulette-v0"
    envs = AsyncVectorEnv([lambda: gymnasium.make(name)] * 2, context="fork")
    try:
        observations, _ = envs.reset(seed=[4, 5])
        _, rewards, *_ = envs.step(np.array([0, 0]))
        assert observations.shape[0] == rewards.shape[0] == 2
    finally:
        envs.close()
