"""The automatic dealer's shoes: shuffled by the certified RNG, sealed, in the books before a card is out.

What comes up on his wheel or dice is drawn when he is asked for it: nobody knows it before.
"""

import secrets
from dataclasses import dataclass

from croupier import clock
from croupier.equipment.rng import RNG_VERSION, OsDraws
from croupier.equipment.shoe import encode, fresh_shoe
from croupier.ledger import entries
from croupier.ledger.entries import Json
from croupier.play.contract.live import Cards
from croupier.play.contract.wants import RollDice, SpinWheel
from croupier.play.driving.sources import FromShoe, drawn
from croupier.runtime.ledger_gateway import Bank
from croupier.tables.live import AutomaticDealer
from croupier.tables.live.effects import RequestCard
from croupier.tables.live.inputs import AnyInput, Dealt


@dataclass(frozen=True, slots=True)
class Sealed:
    """A shoe in use, and the key of the note that has its order."""

    key: str
    dealer: AutomaticDealer


class Shoes:
    """Those of one table, by their numbers. Nothing but a card that is dealt ever leaves here."""

    def __init__(self, bank: Bank, table: str, cards: Cards) -> None:
        self._bank = bank
        self._table = table
        self._cards = cards
        self._in_use: dict[int, Sealed] = {}
        self._offered: tuple[int, int, Sealed] | None = None

    async def shuffle(self, number: int) -> None:
        """The order of the new shoe is in the books, sealed, when this returns."""
        shoe = fresh_shoe(self._cards.decks, OsDraws(), self._cards.cut)
        now_ms = clock.now_ms()
        key = f"shoe:{self._table}:{now_ms:012x}{secrets.token_hex(5)}"
        sealed = self._bank.seal.close(encode(shoe.cards), key)
        body: dict[str, Json] = {"shoe": sealed, "cut": shoe.cut, "rng": RNG_VERSION, "number": number}
        await self._bank.enter([entries.note(key, now_ms, body, table=self._table)])
        self._in_use[number] = Sealed(key, AutomaticDealer(FromShoe(shoe)))

    def deals(self, number: int, asked: RequestCard) -> tuple[AnyInput, ...]:
        """What the dealer says; a card is out of the shoe when it `stands`."""
        if isinstance(asked.want, SpinWheel | RollDice):
            return (Dealt(str(drawn(asked.want, OsDraws())), asked.ask),)
        shoe = self._in_use[number]
        dealer, said = shoe.dealer.deals(asked)
        self._offered = asked.ask, number, Sealed(shoe.key, dealer)
        return said

    def foreseen(self, number: int, asked: RequestCard) -> tuple[AnyInput, ...]:
        """What the dealer will say, if that is known before he says it."""
        return () if isinstance(asked.want, SpinWheel | RollDice) else self.deals(number, asked)

    def stands(self, ask: int) -> None:
        """The answer to that ask lies on the table."""
        if self._offered is not None and self._offered[0] == ask:
            _, number, after = self._offered
            self._in_use[number] = after

    def position(self, number: int) -> dict[str, Json]:
        """Which shoe it is, and how many of its cards are out: for the books."""
        shoe = self._in_use.get(number)
        return {"shoe": shoe.key, "dealt": shoe.dealer.source.shoe.dealt} if shoe else {}
