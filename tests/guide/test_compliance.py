"""The compliance page names tests that exist, and is the one that its data makes."""

from pathlib import Path

import msgspec
import pytest

from tools.compliance import DATA, PAGE, find_test, page, read


def test_the_committed_page_is_current() -> None:
    assert PAGE.read_text() == page(read()), "run `python -m tools.compliance`"


def test_every_requirement_has_a_test_or_a_reason() -> None:
    requirements = [each for section in read() for each in section.requirements]
    assert requirements
    for each in requirements:
        assert bool(each.does_not_apply) != bool(each.tests or each.missing), each.text
        assert len(set(each.tests)) == len(each.tests), each.text


@pytest.mark.parametrize(
    "reference", ["test_nothing_of_the_kind", "tests/none.py::test_the_committed_page_is_current"]
)
def test_a_test_that_does_not_exist_is_an_error(reference: str) -> None:
    with pytest.raises(ValueError, match="0 tests have this name"):
        find_test(reference)


def test_an_unknown_field_is_an_error(tmp_path: Path) -> None:
    altered = tmp_path / "compliance.toml"
    altered.write_text(DATA.read_text().replace("missing =", "lacking ="))
    with pytest.raises(msgspec.ValidationError, match="lacking"):
        read(altered)
