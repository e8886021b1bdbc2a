"""Q-learning finds out when to hit, from scratch. Needs `croupier[gym]`.

The agent sees its total, whether it is soft, and the dealer's card, and only hits or stands.
"""

from collections import defaultdict

import gymnasium
import numpy as np

import croupier.gym

ROUNDS, RATE, CURIOUS = 20_000, 0.03, 0.15
STAND, HIT = 0, 1
rng = np.random.default_rng(1)
env = gymnasium.make("croupier/Blackjack-Classic-v0")
table = env.unwrapped
assert isinstance(table, croupier.gym.TableEnv)
assert table.observations.actions[:2] == ("stand", "hit")
observed = list(table.observations.sizes)
looks_at = [observed.index(name) for name in ("total", "soft", "upcard")]
decline = [table.observations.actions.index(action) for action in ("decline_insurance", "decline_even_money")]
values: defaultdict[tuple[int, ...], list[float]] = defaultdict(lambda: [0.0, 0.0])

for number in range(ROUNDS):
    seen, info = env.reset(seed=number)
    ended = False
    while not ended:
        here, mask = tuple(seen[looks_at].tolist()), info["action_mask"]
        playing = bool(mask[HIT])
        choice = int(rng.integers(2)) if rng.random() < CURIOUS else int(np.argmax(values[here]))
        action = choice if playing else next((number for number in decline if mask[number]), STAND)
        seen, reward, ended, _, info = env.step(np.int64(action))
        if playing:
            ahead = 0.0 if ended else max(values[tuple(seen[looks_at].tolist())])
            values[here][choice] += RATE * (float(reward) + ahead - values[here][choice])

for total in (8, 11, 17, 20):
    hits = sum(values[total, 0, card][HIT] > values[total, 0, card][STAND] for card in range(1, 11))
    print(f"hard {total}: it hits against {hits} of 10 cards")
