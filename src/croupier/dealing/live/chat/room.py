"""The chat of a live table: its rules and its moderation, without a clock or I/O."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from croupier.dealing.live.chat.plain_text import has_address, plain
from croupier.protocol.wire import ChatLine
from croupier.refusal import Refused

TEXT_MAX = 200
"""Characters in a line."""
SNAPSHOT_LINES = 50
"""Lines in the snapshot of a player who joins."""
LINES_KNOWN = 500
"""Lines that can still be reported or removed."""
REPEAT_MS = 60_000
"""Minimum time before a player may post the same text again."""


class PostingRate(NamedTuple):
    """A token bucket: `burst` at once, then one per `each_ms`."""

    burst: int
    each_ms: int

    def paid_until_ms(self, before_ms: int, now_ms: int) -> int:
        """Charge for one more when all until `before_ms` is used; Refused `chat_too_fast`.

        A value further ahead than the burst allows was set before the clock was put back, and is ignored.
        """
        ahead_ms = self.burst * self.each_ms
        paid_ms = (before_ms if now_ms < before_ms <= now_ms + ahead_ms else now_ms) + self.each_ms
        if paid_ms > now_ms + ahead_ms:
            raise Refused("chat_too_fast", again_ms=paid_ms - ahead_ms)
        return paid_ms


PLAYER_RATE = PostingRate(burst=4, each_ms=2_500)
"""Lines and reports of one player."""
ROOM_RATE = PostingRate(burst=40, each_ms=50)
"""Lines of all players of a table, each of which is sent to everyone."""


class LinePosted(NamedTuple):
    """The note of a posted line.

    `by`: the player's id; empty: staff or the server.
    """

    line: ChatLine
    by: str


class LineRemoved(NamedTuple):
    line: int
    at_ms: int


class PlayerMuted(NamedTuple):
    """The note of a player who was muted or unmuted.

    `player` as in `ChatLine.player`. `until_ms` 0: unmuted.
    """

    player: str
    until_ms: int
    at_ms: int


class LineReported(NamedTuple):
    """The note of a reported line.

    `by`: the id of the player who reported it.
    """

    line: int
    by: str
    at_ms: int


class ReportsDismissed(NamedTuple):
    line: int
    at_ms: int


ChatEvent = LinePosted | LineRemoved | PlayerMuted | LineReported | ReportsDismissed
"""Changes of a room, for the table's players, for staff, and for the record."""


class ReportSummary(NamedTuple):
    """A line, and the number of players who have reported it."""

    line: ChatLine
    times: int


class _Speaker(NamedTuple):
    paid_ms: int = 0
    last: str = ""


class ChatRoom:
    """The chat of one table. `open`: players may post; dealer and server always do.

    `events`: of the room before a restart, in order; the room continues there. Other players know a player
    by `ChatLine.player`, which differs from table to table.
    """

    def __init__(self, table: str, *, open: bool = True, events: Iterable[ChatEvent] = ()) -> None:  # noqa: A002
        self.table = table
        self.open = open
        self._lines: dict[int, ChatLine] = {}
        self._last_line = 0
        self._mutes: dict[str, int] = {}
        self._reports: dict[int, set[str]] = {}
        self._speakers: dict[str, _Speaker] = {}
        self._paid_ms = 0
        self._watchers: list[Callable[[ChatEvent], None]] = []
        for event in events:
            self._apply(event)

    @property
    def lines(self) -> tuple[ChatLine, ...]:
        """The newest lines, oldest first, for a player who joins."""
        return tuple(self._lines.values())[-SNAPSHOT_LINES:]

    @property
    def reports(self) -> tuple[ReportSummary, ...]:
        """Reported lines that staff haven't decided on."""
        return tuple(ReportSummary(self._lines[line], len(by)) for line, by in self._reports.items())

    def watch(self, call: Callable[[ChatEvent], None]) -> Callable[[], None]:
        """`call` with each new event; return a function that ends it."""
        self._watchers.append(call)
        return lambda: self._watchers.remove(call)

    def pseudonym(self, player: str) -> str:
        """Return a player's name in the lines of this room: constant, and another at each table."""
        return sha256(f"{self.table} {player}".encode()).hexdigest()[:12]

    # --- posting

    def post(self, player: str, name: str, text: str, now_ms: int) -> ChatLine:
        """Post a player's line.

        Refused: chat_off, chat_muted, chat_empty, chat_too_long, chat_no_links, chat_too_fast, chat_repeated.
        """
        self._check_may_post(player, now_ms)
        text = _checked(text)
        if has_address(text):
            raise Refused("chat_no_links")
        before = self._speakers.get(player, _Speaker())
        if text.casefold() == before.last:
            raise Refused("chat_repeated")
        speaker = _Speaker(PLAYER_RATE.paid_until_ms(before.paid_ms, now_ms), text.casefold())
        self._paid_ms = ROOM_RATE.paid_until_ms(self._paid_ms, now_ms)
        self._remember(player, speaker, now_ms)
        line = ChatLine(self._next_line, now_ms, "player", self.pseudonym(player), name, text, "", {})
        return self._add(LinePosted(line, player))

    def post_as_dealer(self, name: str, text: str, now_ms: int) -> ChatLine:
        """Post a line of the dealer; Refused: chat_empty, chat_too_long."""
        line = ChatLine(self._next_line, now_ms, "dealer", "", name, _checked(text), "", {})
        return self._add(LinePosted(line, ""))

    def post_notice(self, code: str, args: Mapping[str, str | int], now_ms: int) -> ChatLine:
        """Post a line of the server: a code that the client has words for."""
        line = ChatLine(self._next_line, now_ms, "house", "", "", "", code, dict(args))
        return self._add(LinePosted(line, ""))

    # --- moderation

    def report(self, by: str, line: int, now_ms: int) -> None:
        """Report another player's line to staff, once.

        Refused: no_such_line, chat_not_reportable, chat_too_fast.
        """
        reported = self._known(line)
        if reported.role != "player" or reported.player == self.pseudonym(by):
            raise Refused("chat_not_reportable")
        if by in self._reports.get(line, ()):
            return
        before = self._speakers.get(by, _Speaker())
        paid_ms = PLAYER_RATE.paid_until_ms(before.paid_ms, now_ms)
        self._remember(by, before._replace(paid_ms=paid_ms), now_ms)
        self._happened(LineReported(line, by, now_ms))

    def dismiss(self, line: int, now_ms: int) -> None:
        """Dismiss the reports of a line; Refused: no_such_line."""
        self._known(line)
        self._happened(ReportsDismissed(line, now_ms))

    def mute(self, player: str, until_ms: int, now_ms: int) -> None:
        """Mute a pseudonym until then; 0 unmutes it."""
        self._happened(PlayerMuted(player, until_ms, now_ms))

    def remove(self, line: int, now_ms: int) -> None:
        """Remove a line from the room; Refused: no_such_line."""
        self._known(line)
        self._happened(LineRemoved(line, now_ms))

    # --- internals

    def _check_may_post(self, player: str, now_ms: int) -> None:
        if not self.open:
            raise Refused("chat_off")
        until_ms = self._mutes.get(self.pseudonym(player), 0)
        if now_ms < until_ms:
            raise Refused("chat_muted", until_ms=until_ms)

    def _remember(self, player: str, speaker: _Speaker, now_ms: int) -> None:
        """Put the player last; forget those at the front who have been silent."""
        self._speakers.pop(player, None)
        self._speakers[player] = speaker
        while self._speakers[oldest := next(iter(self._speakers))].paid_ms < now_ms - REPEAT_MS:
            del self._speakers[oldest]

    def _known(self, line: int) -> ChatLine:
        if line not in self._lines:
            raise Refused("no_such_line", line=line)
        return self._lines[line]

    @property
    def _next_line(self) -> int:
        return self._last_line + 1

    def _add(self, posted: LinePosted) -> ChatLine:
        self._happened(posted)
        return posted.line

    def _happened(self, event: ChatEvent) -> None:
        self._apply(event)
        for call in tuple(self._watchers):
            call(event)

    def _apply(self, event: ChatEvent) -> None:
        match event:
            case LinePosted(line):
                self._lines[line.line] = line
                self._last_line = line.line
                self._forget(line.line - LINES_KNOWN)
            case LineRemoved(number):
                self._forget(number)
            case PlayerMuted(player, until_ms):
                self._mutes[player] = until_ms
            case LineReported(number, by) if number in self._lines:
                self._reports.setdefault(number, set()).add(by)
            case ReportsDismissed(number):
                self._reports.pop(number, None)

    def _forget(self, line: int) -> None:
        self._lines.pop(line, None)
        self._reports.pop(line, None)


def _checked(text: str) -> str:
    text = plain(text)
    if not text:
        raise Refused("chat_empty")
    if len(text) > TEXT_MAX:
        raise Refused("chat_too_long", most=TEXT_MAX)
    return text
