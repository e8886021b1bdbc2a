"""Strategy charts as HTML. Letters as well as colours distinguish the actions, for colour-blind readers."""

from html import escape

from croupier.play.contract.figures import Chart

PALETTE = ("#f4b9b0", "#f7e3a1", "#b7d7f0", "#9ec5b5", "#cdbbe4", "#e6e1d8")
"""Colours of a chart's letters, in order, light enough for black text."""


def colours(chart: Chart) -> dict[str, str]:
    """Return the colour of each of the chart's letters."""
    return {letters: PALETTE[place % len(PALETTE)] for place, letters in enumerate(chart.letters)}


def html(chart: Chart) -> str:
    """Return the chart and its legend as an HTML fragment; the page provides the style."""
    parts = "".join(_part(chart, place) for place in range(len(chart.parts)))
    key = "".join(
        f'<li><b style="background:{colour}">{escape(letters)}</b> {escape(chart.letters[letters])}</li>'
        for letters, colour in colours(chart).items()
    )
    answers = "".join(f"<li>{escape(name)}: {escape(text)}</li>" for name, text in chart.offers.items())
    return f'{parts}<ul class="key">{key}{answers}</ul>'


def _part(chart: Chart, place: int) -> str:
    name, lines = chart.parts[place]
    shade = colours(chart)
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in chart.columns)
    rows = "".join(
        f'<tr><th scope="row">{escape(hand)}</th>'
        + "".join(f'<td style="background:{shade[letters]}">{escape(letters)}</td>' for letters in line)
        + "</tr>"
        for hand, line in lines.items()
    )
    return f'<table class="chart"><tr><th scope="col">{escape(name)}</th>{head}</tr>{rows}</table>'
