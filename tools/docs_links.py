"""MkDocs hook: point links that leave docs/ at the source repository, and title code with its file's name.

Pages link to sources by relative path, so that the links work in a checkout and on a code host. The site
has no sources, so these links become addresses in the repository. A missing target is a warning, and
`strict` in mkdocs.yml makes it an error.

A code block whose opening line names a file, which a test runs, gets the name as its title: otherwise the
line isn't read as the start of a block.
"""

import logging
import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
SOURCE = "https://croupier.example/source/blob/main/"
NAMED_CODE = re.compile(r"^```(?P<language>\w+) (?P<path>[\w/.]+)$", re.MULTILINE)
LINK = re.compile(r"(?<=\]\()(?P<path>(?:\.\./)+[^)#\s]+)(?P<fragment>#[^)\s]+)?(?=\))")

log = logging.getLogger("mkdocs.plugins.docs_links")


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Return the page's text with its links to files outside docs/ and its names of code replaced."""
    folder = Path(page.file.abs_src_path or "").parent

    def replaced(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(folder / link["path"]))  # not `resolve`, which follows links
        if target.is_relative_to(Path(config.docs_dir)):
            return link[0]
        if not target.exists():
            log.warning("%s links to %s, which doesn't exist", page.file.src_uri, link["path"])
        return f"{SOURCE}{target.relative_to(ROOT)}{link['fragment'] or ''}"

    return NAMED_CODE.sub(r'```\g<language> title="\g<path>"', LINK.sub(replaced, markdown))
