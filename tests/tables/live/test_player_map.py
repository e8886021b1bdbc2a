"""PlayerMap against a plain dict."""

from hypothesis import given
from hypothesis import strategies as st

from croupier.tables.live.player_map import PlayerMap

NAMES = st.text("abc", max_size=2)


@given(st.lists(st.tuples(NAMES, st.integers()), max_size=30), st.sets(NAMES))
def test_a_player_map_is_an_immutable_mapping(entries: list[tuple[str, int]], removed: set[str]) -> None:
    players, plain = PlayerMap[int](), dict[str, int]()
    for name, entry in entries:
        before, entries_before = players, dict(players.items())
        players, plain[name] = players.put(name, entry), entry
        assert dict(before.items()) == entries_before
    assert players == PlayerMap.of(plain.items())
    assert (len(players), dict(players.items()), sorted(players.values())) == (
        len(plain),
        plain,
        sorted(plain.values()),
    )
    assert players.each(lambda entry: -entry) == PlayerMap.of(
        (name, -entry) for name, entry in players.items()
    )
    rest = players.without(removed)
    assert dict(rest.items()) == {name: entry for name, entry in plain.items() if name not in removed}
    assert len(rest) == len(dict(rest.items()))
    for name in removed:
        assert (name in rest, rest.get(name)) == (False, None)
