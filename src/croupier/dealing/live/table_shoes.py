"""The automatic dealer's shoes: shuffled, sealed and in the ledger before a card is dealt.

Wheel and dice results are drawn when they are requested, so none is known before.
"""

import secrets
from dataclasses import dataclass

from croupier import clock
from croupier.dealing.random_numbers import CountedRandomSource
from croupier.dealing.table_services import TableServices
from croupier.equipment.rng import RNG_VERSION
from croupier.equipment.shoe import encode, fresh_shoe
from croupier.ledger import entries
from croupier.ledger.entries import Entry, Json
from croupier.play.contract.live import ShoePolicy
from croupier.play.contract.wants import RollDice, SpinWheel
from croupier.play.driving.sources import ShoeSource, draw
from croupier.tables.live import AutomaticDealer
from croupier.tables.live.effects import RequestCard
from croupier.tables.live.inputs import AnyInput, Dealt
from croupier.tables.live.state import State


@dataclass(frozen=True, slots=True)
class ShoeInUse:
    """A shoe with its dealer, and the key of the note that has its order."""

    key: str
    dealer: AutomaticDealer


class TableShoes:
    """The shoes of one table, by number. Only cards that are dealt leave this class."""

    def __init__(self, services: TableServices, table: str, cards: ShoePolicy) -> None:
        self._gateway = services.gateway
        self._measurements = services.measurements
        self._seal = services.seal
        self._table = table
        self._cards = cards
        self._in_use: dict[int, ShoeInUse] = {}
        self._offered: tuple[int, int, ShoeInUse] | None = None

    async def shuffle(self, number: int) -> None:
        """Shuffle a new shoe; return when its sealed order is in the ledger."""
        shoe = fresh_shoe(self._cards.decks, self._source(), self._cards.cut)
        now_ms = clock.now_ms()
        key = f"shoe:{self._table}:{now_ms:012x}{secrets.token_hex(5)}"
        sealed = self._seal.seal(encode(shoe.cards), key)
        body: dict[str, Json] = {"shoe": sealed, "cut": shoe.cut, "rng": RNG_VERSION, "number": number}
        await self._gateway.post([entries.note(key, now_ms, body, table=self._table)])
        self._in_use[number] = ShoeInUse(key, AutomaticDealer(ShoeSource(shoe)))

    def inputs(self, number: int, request: RequestCard) -> tuple[AnyInput, ...]:
        """Return the dealer's inputs; the card stays in the shoe until `confirm`."""
        if isinstance(request.want, SpinWheel | RollDice):
            return (Dealt(str(draw(request.want, self._source())), request.ask),)
        shoe = self._in_use[number]
        dealer, inputs = shoe.dealer.deal(request)
        self._offered = request.ask, number, ShoeInUse(shoe.key, dealer)
        return inputs

    def known_inputs(self, number: int, request: RequestCard) -> tuple[AnyInput, ...]:
        """Return the dealer's inputs if they are known before they are due; else none."""
        return () if isinstance(request.want, SpinWheel | RollDice) else self.inputs(number, request)

    def confirm(self, ask: int) -> None:
        """Take the card out of the shoe: the request of this number is fulfilled."""
        if self._offered is not None and self._offered[0] == ask:
            _, number, after = self._offered
            self._in_use[number] = after

    def _source(self) -> CountedRandomSource:
        return CountedRandomSource(self._measurements)

    def closed_note(self, state: State, players: int, at_ms: int) -> Entry:
        """Return the note that is durable, like all stakes before it, before a card is dealt."""
        body = {"number": state.number, "players": players, **self._position(state.shoe)}
        return entries.note(f"{state.round}:closed", at_ms, body, table=self._table)

    def _position(self, number: int) -> dict[str, Json]:
        """Return the shoe's key and the number of cards dealt, as notes have them."""
        shoe = self._in_use.get(number)
        return {"shoe": shoe.key, "dealt": shoe.dealer.source.shoe.dealt} if shoe else {}
