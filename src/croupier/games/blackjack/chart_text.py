"""Describe a chart in words, for the rules page: `stand against 2 to 6; otherwise hit`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from croupier.play.contract.figures import ChartAdvice, ChartPart

SPOKEN = {"A": "an ace", "T": "10"}
"""Columns and hands of a chart whose spoken names differ from the written ones."""

SOFT = "s"
"""Prefix of the columns for soft totals."""


def chart_advice(
    columns: Sequence[str], parts: Sequence[ChartPart], letters: Mapping[str, str]
) -> Iterator[ChartAdvice]:
    """Merge neighbouring lines with the same advice."""
    for part in parts:
        advice = [(hand, _advice(columns, line, letters)) for hand, line in part.lines.items()]
        for text, group in groupby(advice, key=lambda pair: pair[1]):
            yield ChartAdvice(part.name, _span([hand for hand, _ in group]), text)


def _advice(columns: Sequence[str], line: Sequence[str], letters: Mapping[str, str]) -> str:
    """State exceptions first and the most frequent action last."""
    (usual, _), *others = Counter(line).most_common()
    exceptions = [f"{letters[action]} against {_against(columns, line, action)}" for action, _ in others]
    return "; ".join([*exceptions, f"otherwise {letters[usual]}"]) if exceptions else letters[usual]


def _against(columns: Sequence[str], line: Sequence[str], action: str) -> str:
    """Merge adjacent columns with the action into spans, but never hard with soft totals."""
    named = zip(columns, line, strict=True)
    runs = groupby(named, key=lambda pair: (pair[1], pair[0].startswith(SOFT)))
    return ", ".join(_span([name for name, _ in run]) for (found, _), run in runs if found == action)


def _span(names: Sequence[str]) -> str:
    first, last = _spoken(names[0]), _spoken(names[-1])
    return first if len(names) == 1 else f"{first} {'or' if len(names) == 2 else 'to'} {last}"


def _spoken(name: str) -> str:
    return SPOKEN.get(name, f"soft {name.removeprefix(SOFT)}" if name.startswith(SOFT) else name)
