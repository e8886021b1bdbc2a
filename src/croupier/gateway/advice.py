"""HTTP API of advice and training."""

from litestar import get, post

from croupier.accounts.identity import Player
from croupier.gateway.server import Server
from croupier.protocol import wire


@post("/advice", status_code=200)
async def advice(server: Server, player: Player, data: wire.AdviceRequest) -> wire.DecisionAdvice:
    """Return the values of the options of an open decision at an own table. The round's record notes it."""
    return await server.advice.advise(player.id, data)


@post("/training", status_code=200)
async def judge(server: Server, player: Player, data: wire.ReviewRequest) -> wire.DecisionReview:
    """Review a decision at an own table, and count it once in the player's training record."""
    return await server.advice.judge(player.id, data)


@get("/training")
async def training(server: Server, player: Player) -> wire.TrainingRecord:
    """Return the player's training record: decisions, mistakes and their cost, by table and kind of hand."""
    return await server.advice.training_record(player.id)


ADVICE_HANDLERS = (advice, judge, training)
