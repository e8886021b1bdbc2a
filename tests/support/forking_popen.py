"""Processes that are forked where `subprocess.Popen` would start a new interpreter."""

import inspect
import subprocess
from collections.abc import Mapping
from typing import Any, AnyStr

CHILD_ENDS = ("p2cread", "c2pwrite", "errwrite")
PIPE_ENDS = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
_bound = inspect.signature(subprocess.Popen._execute_child).bind  # type: ignore[attr-defined]


class ForkingPopen(subprocess.Popen[AnyStr]):
    """A `subprocess.Popen` that forks where `_forked` does; other commands start as usual."""

    def _execute_child(self, *given: Any) -> None:
        options = _bound(self, *given).arguments
        if (copy := self._forked(options)) is None:
            super()._execute_child(*given)  # type: ignore[misc]
            return
        self.pid = copy
        self._child_created = True
        self._close_pipe_fds(*(options[name] for name in PIPE_ENDS))  # type: ignore[attr-defined]

    def _forked(self, options: Mapping[str, Any]) -> int | None:
        """Return the id of a new child that runs the command; None if it needs a new interpreter."""
        raise NotImplementedError


def streams_of(options: Mapping[str, Any], standard: tuple[int, ...]) -> list[int]:
    """Return the child's standard streams: pipes, or those of this process."""
    pipes = [options[name] for name in CHILD_ENDS]
    return [own if pipe == -1 else pipe for pipe, own in zip(pipes, standard, strict=True)]
