"""A round is a value that asks. Here one is answered by a few lines: the dealer's own way of playing.

Needs nothing beside `croupier`.
"""

from croupier.equipment.rng import OsDraws
from croupier.equipment.shoe import fresh_shoe
from croupier.games import published_tables
from croupier.maths.strategies import strategy_of
from croupier.play.contract.bets import Wager
from croupier.play.driving.dealing import Deal
from croupier.play.driving.sources import FromShoe

table = published_tables()["classic"]
mimic = strategy_of(table, "mimic")
deal = Deal(
    table.game.start(table.rules, [Wager(0, "main", 1_000)]), FromShoe(fresh_shoe(6, OsDraws()))
).dealt()
while wants := deal.round.wants():
    deal = deal.decided(wants[0].to, mimic.decide(deal.round, wants[0]))

print(*deal.steps, sep="\n")
for line in table.game.settled(deal.round):
    print(f"{line.bet}: staked {line.stake_minor}, returned {line.returned_minor}, {line.outcome}")
