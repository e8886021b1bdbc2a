"""Generates the protocol pages of the documentation.

python -m tools.protocol_pages            # writes docs/protocol.md and docs/staff-protocol.md
python -m tools.protocol_pages --check    # exit status 1 when a committed page is out of date
"""

import sys
from pathlib import Path

from croupier.app.documents.page import markdown
from croupier.protocol.refusals import Audience

DOCS = Path(__file__).parents[1] / "docs"
FILES: dict[Path, Audience] = {DOCS / "protocol.md": "player", DOCS / "staff-protocol.md": "staff"}
NOTE = "<!-- Made by `python -m tools.protocol_pages` from the types and templates of the server. -->\n\n"


def pages() -> dict[Path, str]:
    """Return the text of each page, by its file."""
    names = {f"{audience}_page": file.name for file, audience in FILES.items()}
    return {file: NOTE + markdown(audience, **names) for file, audience in FILES.items()}


def main() -> None:
    """Write the files; with `--check`, compare them to the committed ones."""
    for file, text in pages().items():
        if "--check" not in sys.argv[1:]:
            file.write_text(text)
        elif file.read_text() != text:
            sys.exit(f"{file} is out of date: run `python -m tools.protocol_pages`")


if __name__ == "__main__":
    main()
