"""The message tags on the wire are fixed, even when the Python types are renamed."""

from typing import Any, get_args

from croupier.protocol import staff_wire, wire

COMMANDS = (
    "hello join leave deal decide bet undo sit stand_up say report "
    "save_settings answer_reminder end_session ping"
)
MESSAGES = (
    "welcome pong ok no snapshot event balance bonus settings reminded availability taken_over upgrade "
    "live_snapshot live mine pulse chat chat_gone camera database"
)
STAFF_COMMANDS = (
    "hello ping deal_card no_spin cut_card_out shoe_shuffled say_as_dealer "
    "pause_table resume_table open_table close_table void_round correct_card set_limits "
    "set_dealer mute_player take_line_away leave_line"
)
STAFF_MESSAGES = "welcome pong ok no upgrade signed_out overview table chat"


def tags(union: Any) -> list[str]:
    return [struct.__struct_config__.tag for struct in get_args(union)]


def test_tags_are_unchanged() -> None:
    assert tags(wire.Command) == COMMANDS.split()
    assert tags(wire.Message) == MESSAGES.split()
    assert tags(staff_wire.Command) == STAFF_COMMANDS.split()
    assert tags(staff_wire.Message) == STAFF_MESSAGES.split()


def test_every_message_has_its_tag_in_t() -> None:
    unions: tuple[Any, ...] = (wire.Command, wire.Message, staff_wire.Command, staff_wire.Message)
    assert {struct.__struct_config__.tag_field for union in unions for struct in get_args(union)} == {"t"}
