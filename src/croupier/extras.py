"""Optional packages, which `pip install 'croupier[EXTRA]'` brings."""

from importlib.util import find_spec

MODULES = {
    "maths": ("numpy", "llvmlite", "numba", "matplotlib"),
    "gym": ("numpy", "gymnasium"),
    "nodes": ("nats",),
    "postgresql": ("psycopg",),
    "tracing": ("opentelemetry",),
}
"""The modules that each extra brings, as pyproject.toml lists them."""


def require(extra: str) -> None:
    """Raise ModuleNotFoundError with the command that installs what is missing of an extra."""
    for module in MODULES[extra]:
        if find_spec(module) is None:
            raise ModuleNotFoundError(advice(module, extra), name=module)


def advice(module: str, extra: str) -> str:
    """Say which command installs a module that is missing."""
    return f"{module} isn't installed; run: pip install 'croupier[{extra}]'"
