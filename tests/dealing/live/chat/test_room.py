"""A table's chat room: plain text, limits against floods, and moderation by staff."""

import pytest

from croupier.dealing.live.chat.room import (
    LINES_KNOWN,
    PLAYER_RATE,
    REPEAT_MS,
    ROOM_RATE,
    SNAPSHOT_LINES,
    TEXT_MAX,
    ChatEvent,
    ChatRoom,
    LinePosted,
    LineRemoved,
    LineReported,
    PlayerMuted,
    ReportsDismissed,
    ReportSummary,
)
from croupier.refusal import Refused

T = 1_764_028_800_000


@pytest.fixture
def room() -> ChatRoom:
    return ChatRoom("infinite")


def refused(room: ChatRoom, text: str, *, by: str = "ann", now_ms: int = T) -> Refused:
    """Return the refusal of a line, which must change nothing."""
    before = room.lines
    with pytest.raises(Refused) as caught:
        room.post(by, by.title(), text, now_ms)
    assert room.lines == before
    return caught.value


def test_a_line_has_the_typed_text_and_a_pseudonym(room: ChatRoom) -> None:
    line = room.post("ann", "Ann", "  <b>Hello</b>\t&amp;\n all ", T)
    assert (line.line, line.at_ms, line.role, line.who) == (1, T, "player", "Ann")
    assert line.text == "<b>Hello</b> &amp; all"
    assert "ann" not in line.player
    assert room.post("ann", "Ann", "Again", T).player == line.player
    assert ChatRoom("seven_seat").post("ann", "Ann", "Hello", T).player != line.player
    assert room.post("bob", "Bob", "Hello", T).player != line.player


def test_lines_of_dealer_and_server_differ(room: ChatRoom) -> None:
    dealer = room.post_as_dealer("Dana", "Place your bets", T)
    server = room.post_notice("paused", {"reason": "a card fell"}, T)
    assert (dealer.role, dealer.player, dealer.who, dealer.text) == ("dealer", "", "Dana", "Place your bets")
    assert (server.role, server.code, server.args) == ("house", "paused", {"reason": "a card fell"})
    assert (server.who, server.text) == ("", "")
    assert room.lines == (dealer, server)


def test_a_snapshot_has_the_newest_lines(room: ChatRoom) -> None:
    for number in range(1, SNAPSHOT_LINES + 8):
        room.post_notice("shuffling", {"n": number}, T)
    assert [line.line for line in room.lines] == list(range(8, SNAPSHOT_LINES + 8))


def test_a_room_is_restored_from_its_events(room: ChatRoom) -> None:
    events: list[ChatEvent] = []
    room.watch(events.append)
    visible = room.post("ann", "Ann", "Hello", T)
    removed = room.post("bob", "Bob", "Rude words", T)
    for line in (visible.line, removed.line):
        room.report("cid", line, T)
    room.remove(removed.line, T)
    room.mute(removed.player, T + 9, T)
    restored = ChatRoom("infinite", events=events)
    assert restored.lines == (visible,)
    assert list(restored.reports) == [ReportSummary(visible, 1)]
    assert refused(restored, "Still here", by="bob").args_ == {"until_ms": T + 9}
    assert restored.post("ann", "Ann", "Welcome back", T).line == removed.line + 1


# --- refused lines


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u202e", "\n\t", "\u3164", "\u2800 \u2800", "\x00\x07"])
def test_an_empty_line_is_refused(room: ChatRoom, text: str) -> None:
    assert refused(room, text).code == "chat_empty"


def test_a_line_has_a_maximum_length(room: ChatRoom) -> None:
    assert refused(room, "x" * (TEXT_MAX + 1)).args_ == {"most": TEXT_MAX}
    assert len(room.post("ann", "Ann", " " * 50 + "x" * TEXT_MAX + " " * 50, T).text) == TEXT_MAX


@pytest.mark.parametrize(
    "text",
    [
        "see http://a.example/x",
        "see HTTPS://A.EXAMPLE",
        "ftp://a",
        "www.somewhere",
        "go to evil.com now",
        "go to \uff45vil\uff0e\uff43om now",
        "evil\u3002com",
        "evil.c\u200bom",
        "sub.evil.co.uk",
        "a.example/offer",
        "a.example:8080",
        "me@mail.example",
        "first.last@mail.example.org",
        "10.0.0.1",
        "bücher.de",
    ],
)
def test_an_address_is_refused(room: ChatRoom, text: str) -> None:
    assert refused(room, text).code == "chat_no_links"


@pytest.mark.parametrize(
    "text",
    [
        "Well played.Again!",
        "It pays 1.50 or 3:2",
        "wait... what?",
        "and/or",
        "@ann hi",
        "21!!!",
        "e.g. this",
        "a combination",
        "16 v. 10",
        "at 12:30",
        "Schöne Hand. Glück gehabt",
        "运气不错。再来",
    ],
)
def test_text_without_an_address_is_posted(room: ChatRoom, text: str) -> None:
    assert room.post("ann", "Ann", text, T).text == text


def test_a_player_cannot_flood_the_room(room: ChatRoom) -> None:
    for number in range(PLAYER_RATE.burst):
        room.post("ann", "Ann", f"line {number}", T)
    assert refused(room, "one more").args_ == {"again_ms": T + PLAYER_RATE.each_ms}
    room.post("bob", "Bob", "others may", T)
    assert refused(room, "one more", now_ms=T + PLAYER_RATE.each_ms - 1).code == "chat_too_fast"
    room.post("ann", "Ann", "one more", T + PLAYER_RATE.each_ms)
    assert refused(room, "and more", now_ms=T + PLAYER_RATE.each_ms).code == "chat_too_fast"


def test_many_players_cannot_flood_the_room(room: ChatRoom) -> None:
    """Each line is sent to every player at the table."""
    for number in range(ROOM_RATE.burst):
        room.post(f"p{number}", "P", "Hello", T)
    assert refused(room, "Hello").args_ == {"again_ms": T + ROOM_RATE.each_ms}
    room.post_notice("paused", {}, T)
    room.post_as_dealer("Dana", "One after the other, please", T)
    room.post("ann", "Ann", "Hello", T + ROOM_RATE.each_ms)


def test_a_clock_that_is_set_back_blocks_no_player(room: ChatRoom) -> None:
    for number in range(PLAYER_RATE.burst):
        room.post("ann", "Ann", f"line {number}", T)
    assert room.post("ann", "Ann", "An hour ago", T - 3_600_000).line == PLAYER_RATE.burst + 1


def test_the_same_text_is_refused_for_a_while(room: ChatRoom) -> None:
    room.post("ann", "Ann", "Hit it!", T)
    assert refused(room, " hit  IT! ").code == "chat_repeated"
    room.post("bob", "Bob", "Hit it!", T)
    later = T + PLAYER_RATE.each_ms + REPEAT_MS + 1
    room.post("bob", "Bob", "Go on", later)
    assert room.post("ann", "Ann", "Hit it!", later).text == "Hit it!"


def test_a_closed_room_accepts_only_lines_of_dealer_and_server() -> None:
    room = ChatRoom("infinite", open=False)
    assert refused(room, "Hello").code == "chat_off"
    room.post_as_dealer("Dana", "Good evening", T)
    room.post_notice("paused", {}, T)
    assert len(room.lines) == 2


# --- moderation


def test_a_muted_player_is_refused_with_the_end_of_the_mute(room: ChatRoom) -> None:
    line = room.post("ann", "Ann", "Hello", T)
    room.mute(line.player, T + 1000, T)
    refusal = refused(room, "Hello?")
    assert (refusal.code, refusal.args_) == ("chat_muted", {"until_ms": T + 1000})
    room.post("bob", "Bob", "Who was that", T)
    room.post("ann", "Ann", "Sorry", T + 1000)
    room.mute(line.player, T + 9000, T + 1000)
    room.mute(line.player, 0, T + 1000)
    room.post("ann", "Ann", "Thanks", T + 1000)


def test_a_removed_line_is_in_no_snapshot(room: ChatRoom) -> None:
    first = room.post("ann", "Ann", "Hello", T)
    second = room.post("ann", "Ann", "Rude words", T)
    room.remove(second.line, T)
    assert room.lines == (first,)
    for action in (room.remove, room.dismiss):
        with pytest.raises(Refused, match="no_such_line"):
            action(second.line, T)


def test_reports_wait_for_staff(room: ChatRoom) -> None:
    line = room.post("ann", "Ann", "Rude words", T)
    room.report("bob", line.line, T)
    room.report("bob", line.line, T)
    room.report("cid", line.line, T)
    assert list(room.reports) == [ReportSummary(line, 2)]
    room.dismiss(line.line, T)
    assert not room.reports
    room.report("dan", line.line, T)
    room.remove(line.line, T)
    assert not room.reports


def test_only_lines_of_other_players_can_be_reported(room: ChatRoom) -> None:
    own = room.post("ann", "Ann", "Hello", T)
    notice = room.post_notice("paused", {}, T)
    for line, code in ((own, "chat_not_reportable"), (notice, "chat_not_reportable")):
        with pytest.raises(Refused, match=code):
            room.report("ann", line.line, T)
    with pytest.raises(Refused, match="no_such_line"):
        room.report("ann", 77, T)


def test_a_player_cannot_flood_staff_with_reports(room: ChatRoom) -> None:
    lines = [room.post(f"p{number}", "P", "Hello", T) for number in range(PLAYER_RATE.burst + 1)]
    for line in lines[:-1]:
        room.report("ann", line.line, T)
    with pytest.raises(Refused, match="chat_too_fast"):
        room.report("ann", lines[-1].line, T)


def test_old_lines_are_forgotten_with_their_reports(room: ChatRoom) -> None:
    line = room.post("ann", "Ann", "Hello", T)
    room.report("bob", line.line, T)
    for _ in range(LINES_KNOWN):
        room.post_notice("shuffling", {}, T)
    assert not room.reports
    with pytest.raises(Refused, match="no_such_line"):
        room.report("cid", line.line, T)


def test_inactive_players_are_removed_from_memory(room: ChatRoom) -> None:
    """Otherwise memory would grow with everyone who ever posted."""
    for number in range(200):
        room.post(f"p{number}", "P", "Hello", T + number * REPEAT_MS)
    assert len(room._speakers) < 4


def test_a_watcher_gets_every_event_in_order(room: ChatRoom) -> None:
    events: list[ChatEvent] = []
    end = room.watch(events.append)
    line = room.post("ann", "Ann", "Hello", T)
    room.report("bob", line.line, T + 1)
    room.mute(line.player, T + 9, T + 2)
    room.dismiss(line.line, T + 3)
    room.remove(line.line, T + 4)
    refused(room, "   ", by="bob")
    end()
    room.post_notice("paused", {}, T + 5)
    assert events == [
        LinePosted(line, "ann"),
        LineReported(line.line, "bob", T + 1),
        PlayerMuted(line.player, T + 9, T + 2),
        ReportsDismissed(line.line, T + 3),
        LineRemoved(line.line, T + 4),
    ]
