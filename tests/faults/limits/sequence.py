"""Sequences of commands: carried out, made from a seed, and shortened to what shows a failure."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from croupier.storage.stores import Stores
from tests.faults.limits.account_commands import AccountCommands
from tests.faults.limits.comparison import Wrong
from tests.faults.limits.play_commands import PlayCommands


class Player(PlayCommands, AccountCommands):
    """One player with all of their commands."""


WEIGHTS = {
    "bet_own": 12,
    "bet_live": 12,
    "raise_stake": 6,
    "settle": 14,
    "void": 2,
    "race": 4,
    "sign_in": 3,
    "connect": 8,
    "disconnect": 3,
    "come_back": 14,
    "open_table": 2,
    "deposit": 8,
    "begin_payment": 4,
    "end_payment": 4,
    "withdraw": 2,
    "grant_bonus": 3,
    "set_limit": 14,
    "set_session_limit": 2,
    "take_time_out": 2,
    "exclude": 2,
    "list_in_registry": 1,
    "wait": 6,
    "wait_for_a_change": 10,
    "sweep": 1,
    "step_clock": 1,
    "restart": 2,
    "reboot": 1,
}
"""The commands, and how often each comes in a random sequence."""
NUMBERS, NUMBERS_DRAWN = 12, 4
"""The two numbers of a command are below, and a scenario draws from a few of them."""
ALWAYS, DRAWN = ("bet_own", "set_limit"), 0.5
"""The commands of every random sequence, and the chance of each other one."""
LENGTH_MIN, LENGTH_MAX = 4, 24
LAUNCHED = 0.2
"""The fraction of scenarios with an operator's player: reading their token takes long."""
START_MS, STARTS_WITHIN_MS = 1_800_000_000_000, 400 * 86_400_000
"""Sequences start at a random time from January 2027 on, in a year and more with all changes of months."""


class Command(NamedTuple):
    name: str
    first: int
    second: int


class Scenario(NamedTuple):
    """A player and their commands; `launched`: an operator's player instead of an account."""

    start_ms: int
    launched: bool
    commands: tuple[Command, ...]


async def carry_out(scenario: Scenario, stores: Stores) -> int:
    """Carry out a scenario and return the number of its commands; Wrong names the command that failed."""
    player = Player(stores, scenario.start_ms, launched=scenario.launched)
    await player.world.start()
    for number, command in enumerate(scenario.commands, 1):
        try:
            await getattr(player, command.name)(command.first, command.second)
            await player.compare()
        except Wrong as wrong:
            raise Wrong(f"command {number}, {command}: {wrong}") from wrong
    return len(scenario.commands)


def random_scenario(seed: int) -> Scenario:
    """Return the scenario of a seed.

    It draws from half of the commands and a few numbers: what matters together comes together more often.
    """
    rng = Random(seed)
    numbers = rng.sample(range(NUMBERS), NUMBERS_DRAWN)
    names = [name for name in WEIGHTS if name in ALWAYS or rng.random() < DRAWN]
    length = rng.randint(LENGTH_MIN, LENGTH_MAX)
    drawn = rng.choices(names, [WEIGHTS[name] for name in names], k=length)
    commands = (Command(name, rng.choice(numbers), rng.choice(numbers)) for name in drawn)
    return Scenario(START_MS + rng.randrange(STARTS_WITHIN_MS), rng.random() < LAUNCHED, tuple(commands))


async def shortened(scenario: Scenario, new_stores: Callable[[], Stores]) -> Scenario:
    """Return the shortest scenario that still fails and is found by leaving out one command at a time."""
    shortest = scenario
    for number in reversed(range(len(scenario.commands))):
        commands = shortest.commands
        shorter = shortest._replace(commands=(*commands[:number], *commands[number + 1 :]))
        if await _fails(shorter, new_stores()):
            shortest = shorter
    return shortest


async def _fails(scenario: Scenario, stores: Stores) -> bool:
    try:
        await carry_out(scenario, stores)
    except Wrong:
        return True
    return False
