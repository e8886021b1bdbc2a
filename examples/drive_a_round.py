"""Drive a round by hand: cards from a shoe, decisions by the dealer's own rules.

Needs nothing besides `croupier`.
"""

from croupier.equipment.rng import OsRandomSource
from croupier.equipment.shoe import fresh_shoe
from croupier.games import published_tables
from croupier.maths.strategies import strategy_of
from croupier.play.contract.bets import Wager
from croupier.play.driving.dealing import DealtRound
from croupier.play.driving.sources import ShoeSource

table = published_tables()["classic"]
mimic = strategy_of(table, "mimic")
deal = DealtRound(
    table.game.start(table.rules, [Wager(0, "main", 1_000)]), ShoeSource(fresh_shoe(6, OsRandomSource()))
).deal()
while wants := deal.round.wants():
    deal = deal.decide(wants[0].to, mimic.decide(deal.round, wants[0]))

print(*deal.steps, sep="\n")
for line in table.game.settle(deal.round):
    print(f"{line.bet}: staked {line.stake_minor}, returned {line.returned_minor}, {line.outcome}")
