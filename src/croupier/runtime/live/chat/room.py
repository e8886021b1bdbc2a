"""A table's chat: who may say what and how often, and what the floor does about it. The time comes in."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from croupier.protocol.wire import ChatLine
from croupier.refusal import Refused
from croupier.runtime.live.chat.plain_text import has_address, plain

TEXT_MOST = 200
"""Characters in a line."""
LINES_TOLD = 50
"""Lines that somebody who joins is told."""
LINES_KNOWN = 500
"""Lines that may still be reported or taken away."""
REPEAT_MS = 60_000
"""So long, at least, a player doesn't say the same thing again."""


class Pace(NamedTuple):
    """`in_a_row` at once; then one for each `each_ms`."""

    in_a_row: int
    each_ms: int

    def paid_ms(self, before_ms: int, now_ms: int) -> int:
        """Up to when one thing more is paid for, if all was up to `before_ms`; Refused: it comes too fast.

        What is paid for further ahead than can be was so before the clock was put back.
        """
        ahead_ms = self.in_a_row * self.each_ms
        paid_ms = (before_ms if now_ms < before_ms <= now_ms + ahead_ms else now_ms) + self.each_ms
        if paid_ms > now_ms + ahead_ms:
            raise Refused("chat_too_fast", again_ms=paid_ms - ahead_ms)
        return paid_ms


PLAYERS = Pace(in_a_row=4, each_ms=2_500)
"""Lines and reports of one player."""
ROOMS = Pace(in_a_row=40, each_ms=50)
"""Lines of all players of a table: each is sent to everybody, and nobody reads more."""


class Said(NamedTuple):
    """A line as everybody is told it. `by`: the player's id, or empty for staff and the house."""

    line: ChatLine
    by: str


class TakenAway(NamedTuple):
    line: int
    at_ms: int


class Muted(NamedTuple):
    """`player` as in `ChatLine.player`. `until_ms` 0: he may speak again."""

    player: str
    until_ms: int
    at_ms: int


class Reported(NamedTuple):
    """`by`: the id of who reported it."""

    line: int
    by: str
    at_ms: int


class Dismissed(NamedTuple):
    """The floor has seen the reports of a line and leaves it."""

    line: int
    at_ms: int


Note = Said | TakenAway | Muted | Reported | Dismissed
"""What happened in a room: for the table's players, for the floor, and for the record."""


class Report(NamedTuple):
    """A line that players told the floor of, and how many did."""

    line: ChatLine
    times: int


class _Speaker(NamedTuple):
    paid_ms: int = 0
    last: str = ""


class Room:
    """The chat of one table. `open`: players may speak; the dealer and the house always do.

    `notes` are of the room that was here before, in their order: this one goes on where it was. A player is
    known to the others as `ChatLine.player`, which says nothing of him elsewhere.
    """

    def __init__(self, table: str, *, open: bool = True, notes: Iterable[Note] = ()) -> None:  # noqa: A002
        self.table = table
        self.open = open
        self._lines: dict[int, ChatLine] = {}
        self._last_line = 0
        self._mutes: dict[str, int] = {}
        self._reports: dict[int, set[str]] = {}
        self._speakers: dict[str, _Speaker] = {}
        self._paid_ms = 0
        self._watching: list[Callable[[Note], None]] = []
        for note in notes:
            self._apply(note)

    @property
    def lines(self) -> tuple[ChatLine, ...]:
        """The newest, oldest first: what somebody who joins is told."""
        return tuple(self._lines.values())[-LINES_TOLD:]

    @property
    def reports(self) -> tuple[Report, ...]:
        """Lines that wait for the floor's judgement."""
        return tuple(Report(self._lines[line], len(by)) for line, by in self._reports.items())

    def watch(self, call: Callable[[Note], None]) -> Callable[[], None]:
        """`call` with each note as it is made, until what is given back is called."""
        self._watching.append(call)
        return lambda: self._watching.remove(call)

    def pseudonym(self, player: str) -> str:
        """A player's name in this room's lines: always the same, another at each table."""
        return sha256(f"{self.table} {player}".encode()).hexdigest()[:12]

    # --- speaking

    def say(self, player: str, name: str, text: str, now_ms: int) -> ChatLine:
        """A player's line.

        Refused as chat_off, chat_muted, chat_empty, chat_too_long, chat_no_links, chat_too_fast or
        chat_repeated.
        """
        self._check_may_speak(player, now_ms)
        text = _checked(text)
        if has_address(text):
            raise Refused("chat_no_links")
        before = self._speakers.get(player, _Speaker())
        if text.casefold() == before.last:
            raise Refused("chat_repeated")
        speaker = _Speaker(PLAYERS.paid_ms(before.paid_ms, now_ms), text.casefold())
        self._paid_ms = ROOMS.paid_ms(self._paid_ms, now_ms)
        self._remember(player, speaker, now_ms)
        line = ChatLine(self._next(), now_ms, "player", self.pseudonym(player), name, text, "", {})
        return self._add(Said(line, player))

    def dealer_says(self, name: str, text: str, now_ms: int) -> ChatLine:
        """A line of who deals, as `name`; Refused as chat_empty or chat_too_long."""
        line = ChatLine(self._next(), now_ms, "dealer", "", name, _checked(text), "", {})
        return self._add(Said(line, ""))

    def notice(self, code: str, args: Mapping[str, str | int], now_ms: int) -> ChatLine:
        """A line of the house: a code the client has words for."""
        return self._add(Said(ChatLine(self._next(), now_ms, "house", "", "", "", code, dict(args)), ""))

    # --- the floor

    def report(self, by: str, line: int, now_ms: int) -> None:
        """A player tells the floor of a line: once, whatever he does.

        Refused when it isn't there, when it isn't another player's, and as chat_too_fast.
        """
        said = self._known(line)
        if said.role != "player" or said.player == self.pseudonym(by):
            raise Refused("chat_not_reportable")
        if by in self._reports.get(line, ()):
            return
        before = self._speakers.get(by, _Speaker())
        self._remember(by, before._replace(paid_ms=PLAYERS.paid_ms(before.paid_ms, now_ms)), now_ms)
        self._happens(Reported(line, by, now_ms))

    def dismiss(self, line: int, now_ms: int) -> None:
        """The floor leaves a line that was reported; Refused when it isn't there."""
        self._known(line)
        self._happens(Dismissed(line, now_ms))

    def mute(self, player: str, until_ms: int, now_ms: int) -> None:
        """Who speaks as `player` doesn't until then; 0 lets him speak again."""
        self._happens(Muted(player, until_ms, now_ms))

    def take_away(self, line: int, now_ms: int) -> None:
        """Nobody who comes is told this line any more; Refused when it isn't there."""
        self._known(line)
        self._happens(TakenAway(line, now_ms))

    # --- within

    def _check_may_speak(self, player: str, now_ms: int) -> None:
        if not self.open:
            raise Refused("chat_off")
        until_ms = self._mutes.get(self.pseudonym(player), 0)
        if now_ms < until_ms:
            raise Refused("chat_muted", until_ms=until_ms)

    def _remember(self, player: str, speaker: _Speaker, now_ms: int) -> None:
        """And forget who has been silent: those who did something last stand last."""
        self._speakers.pop(player, None)
        self._speakers[player] = speaker
        while self._speakers[oldest := next(iter(self._speakers))].paid_ms < now_ms - REPEAT_MS:
            del self._speakers[oldest]

    def _known(self, line: int) -> ChatLine:
        if line not in self._lines:
            raise Refused("no_such_line", line=line)
        return self._lines[line]

    def _next(self) -> int:
        return self._last_line + 1

    def _add(self, said: Said) -> ChatLine:
        self._happens(said)
        return said.line

    def _happens(self, note: Note) -> None:
        self._apply(note)
        for call in tuple(self._watching):
            call(note)

    def _apply(self, note: Note) -> None:
        match note:
            case Said(line):
                self._lines[line.line] = line
                self._last_line = line.line
                self._forget(line.line - LINES_KNOWN)
            case TakenAway(number):
                self._forget(number)
            case Muted(player, until_ms):
                self._mutes[player] = until_ms
            case Reported(number, by) if number in self._lines:
                self._reports.setdefault(number, set()).add(by)
            case Dismissed(number):
                self._reports.pop(number, None)

    def _forget(self, line: int) -> None:
        self._lines.pop(line, None)
        self._reports.pop(line, None)


def _checked(text: str) -> str:
    text = plain(text)
    if not text:
        raise Refused("chat_empty")
    if len(text) > TEXT_MOST:
        raise Refused("chat_too_long", most=TEXT_MOST)
    return text
