"""A chart as HTML, and as a picture. Its actions' colours tell them apart without colour vision too: each
has its letters."""

from html import escape
from pathlib import Path

from croupier.play.figures import Chart

PALETTE = ("#f4b9b0", "#f7e3a1", "#b7d7f0", "#9ec5b5", "#cdbbe4", "#e6e1d8")
"""One for each of a chart's letters, in their order: light enough for black letters."""
CELL_PX = 44
ROW_PX = 30
MARGIN_PX = 24


def colours(chart: Chart) -> dict[str, str]:
    """The colour of each of the chart's letters."""
    return {letters: PALETTE[place % len(PALETTE)] for place, letters in enumerate(chart.letters)}


def html(chart: Chart) -> str:
    """The chart as tables and the key to its letters, for a page that has a style of its own."""
    parts = "".join(_part(chart, place) for place in range(len(chart.parts)))
    key = "".join(
        f'<li><b style="background:{colour}">{escape(letters)}</b> {escape(chart.letters[letters])}</li>'
        for letters, colour in colours(chart).items()
    )
    answers = "".join(f"<li>{escape(name)}: {escape(say)}</li>" for name, say in chart.offers.items())
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


def png(chart: Chart, title: str, path: Path) -> None:
    """Draws the chart to a file. ModuleNotFoundError without the extra `croupier[pictures]`."""
    from PIL import Image, ImageDraw, ImageFont

    rows = [row for part in chart.parts for row in ((part.name, chart.columns), *part.lines.items())]
    width = CELL_PX * (len(chart.columns) + 2) + 2 * MARGIN_PX
    height = ROW_PX * (len(rows) + len(chart.letters) + 2) + 2 * MARGIN_PX
    image = Image.new("RGB", (width, height), "white")
    draw, font, shade = ImageDraw.Draw(image), ImageFont.load_default(15), colours(chart)

    def cell(text: str, left: int, row: int, cells: int = 1) -> None:
        x, y = MARGIN_PX + CELL_PX * left, MARGIN_PX + ROW_PX * row
        box = (x, y, x + CELL_PX * cells, y + ROW_PX)
        draw.rectangle(box, fill=shade.get(text, "white"), outline="#c9c3b8" if text in shade else "white")
        draw.text((x + CELL_PX * cells / 2, y + ROW_PX / 2), text, fill="black", font=font, anchor="mm")

    cell(title, 0, 0, len(chart.columns) + 2)
    for row, (name, line) in enumerate(rows, 1):
        cell(name, 0, row, 2)
        for place, text in enumerate(line, 2):
            cell(text, place, row)
    for row, letters in enumerate(chart.letters, len(rows) + 2):
        cell(letters, 0, row, 1)
        cell(chart.letters[letters], 1, row, len(chart.columns))
    image.save(path)
