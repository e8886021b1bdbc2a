"""The environments are what Gymnasium expects, and deal the house's own rounds."""

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from croupier.gym import TableEnv, name_of
from croupier.play.tables.files import InvalidTables
from tests.maths.tables import DECIDED

NAMES = [name_of(table) for table in DECIDED.values()]
INFINITE = "croupier/Blackjack-Infinite-v0"


def env_of(name: str, **changes: Any) -> TableEnv:
    env = gymnasium.make(name, **changes).unwrapped
    assert isinstance(env, TableEnv)
    return env


def played(env: TableEnv, seed: int, wishes: tuple[str, ...]) -> tuple[float, dict[str, Any], list[str]]:
    """A round of someone who takes the first of his wishes that is allowed: its net, last info, actions."""
    _, info = env.reset(seed=seed)
    done, reward, taken = False, 0.0, []
    while not done:
        allowed = [name for name, may in zip(env.senses.actions, info["action_mask"], strict=True) if may]
        action = next(wish for wish in (*wishes, *allowed) if wish in allowed)
        taken.append(action)
        _, reward, done, _, info = env.step(np.int64(env.senses.actions.index(action)))
    return reward, info, taken


@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_own_checker_finds_nothing(name: str) -> None:
    check_env(env_of(name))


def test_gymnasium_imports_what_an_id_names() -> None:
    """Gymnasium has no entry points any more; a module before the id is imported by it."""
    program = f"import gymnasium; print(gymnasium.make('croupier.gym:{INFINITE}').unwrapped.table.title)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert done.stdout == "Infinite Blackjack\n"


def test_the_same_seed_deals_the_same_round() -> None:
    env = env_of(INFINITE, render_mode="ansi")
    rounds = []
    for seed in (5, 5, 6):
        played(env, seed, ("hit",))
        rounds.append(env.render())
    assert rounds[0] == rounds[1] != rounds[2]


@pytest.mark.parametrize("wish", ["split", "double", "insure", "take_even_money"])
def test_all_of_blackjack_can_be_done(wish: str) -> None:
    env = env_of("croupier/Blackjack-Multihand-v0")
    found = [round_ for seed in range(400) if wish in (round_ := played(env, seed, (wish, "stand")))[2]]
    assert found
    staked = {info["staked"] for _, info, _ in found}
    # A round with one split or double has two stakes on it or more; one insured for half a stake.
    expected = {"split": 2.0, "double": 2.0, "insure": 1.5, "take_even_money": 1.0}
    assert expected[wish] in staked
    assert 1.0 not in staked or wish == "take_even_money"


def test_even_money_is_one_stake_won() -> None:
    env = env_of("croupier/Blackjack-Classic-v0")
    rounds = [played(env, seed, ("take_even_money", "stand")) for seed in range(800)]
    assert {net for net, _, taken in rounds if "take_even_money" in taken} == {1.0}


def test_what_is_not_allowed_changes_nothing_and_says_why() -> None:
    env = env_of(INFINITE)
    for seed in range(50):
        seen, info = env.reset(seed=seed)
        split = env.senses.actions.index("split")
        if info["action_mask"][0] and not info["action_mask"][split] and env.action_masks().sum() > 1:
            after, reward, ended, truncated, info = env.step(np.int64(split))
            assert (after.tolist(), reward, ended, truncated) == (seen.tolist(), 0.0, False, False)
            assert "not_offered by rule split" in info["refused"]
            return
    raise AssertionError("no round without a pair")


def test_a_blackjack_is_collected_and_pays_three_to_two() -> None:
    env = env_of(INFINITE)
    nets = []
    for seed in range(200):
        seen, info = env.reset(seed=seed)
        if seen[1] == 21 and info["action_mask"].sum() == 1:
            _, reward, ended, _, _ = env.step(np.int64(0))
            assert ended
            nets.append(reward)
    assert set(nets) == {1.5, 0.0} or set(nets) == {1.5}


def test_a_dealer_who_shows_both_cards_is_seen_with_both() -> None:
    env = env_of("croupier/Blackjack-DoubleExposure-v0")
    second = list(env.senses.sizes).index("second")
    assert all(env.reset(seed=seed)[0][second] for seed in range(20))
    hidden = env_of(INFINITE)
    live = (hidden.reset(seed=seed) for seed in range(20))
    assert not any(seen[second] for seen, info in live if info["action_mask"].sum() > 1)


def test_one_who_asks_in_vain_for_ever_is_stopped() -> None:
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


def test_rules_may_be_changed_for_a_what_if() -> None:
    assert env_of(INFINITE, rules={"decks": 1}).table.rules.decks == 1
    with pytest.raises(InvalidTables, match="decks"):
        env_of(INFINITE, rules={"decks": 12})
