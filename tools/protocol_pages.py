"""Generates the protocol pages of the documentation.

python -m tools.protocol_pages            # writes docs/protocol.md and docs/staff-protocol.md
python -m tools.protocol_pages --check    # exit status 1 when a committed page is out of date
"""

import sys
from pathlib import Path

from croupier.app.documents.page import markdown

DOCS = Path(__file__).parents[1] / "docs"
NOTE = "<!-- Made by `python -m tools.protocol_pages` from the types and templates of the server. -->\n\n"


def pages() -> dict[Path, str]:
    """Return the text of each page, by its file."""
    names = {"player_page": "protocol.md", "staff_page": "staff-protocol.md"}
    return {
        DOCS / "protocol.md": NOTE + markdown("player", **names),
        DOCS / "staff-protocol.md": NOTE + markdown("staff", **names),
    }


def main() -> None:
    """Write the files; with `--check`, compare them to the committed ones."""
    for file, text in pages().items():
        if "--check" not in sys.argv[1:]:
            file.write_text(text)
        elif file.read_text() != text:
            sys.exit(f"{file} is out of date: run `python -m tools.protocol_pages`")


if __name__ == "__main__":
    main()
