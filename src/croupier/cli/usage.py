"""One-line error messages for invalid command lines."""

import sys
from typing import Any

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

from croupier.extras import MODULES, advice

Parameter = TyperArgument | TyperOption


class Commands(TyperGroup):
    """The command group; an invalid command line exits with status 2."""

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            status = super().main(*args, **extra | {"standalone_mode": False})
        except typer.TyperException as wrong:
            if explanation := _explanation(wrong):
                typer.echo(f"croupier: {explanation}", err=True)
            status = wrong.exit_code
        except ModuleNotFoundError as missing:  # exact results are computed when first read
            if missing.name not in MODULES["maths"]:
                raise
            typer.echo(f"croupier: {advice(missing.name, 'maths')}", err=True)
            status = 2
        sys.exit(status)


def _explanation(wrong: typer.TyperException) -> str:
    """Return the message, or "" if the help was shown because there were no arguments."""
    parameter = getattr(wrong, "param", None)
    if not isinstance(parameter, Parameter):
        explanation = wrong.format_message().rstrip(".")
        return f"{explanation}{_where_to_read(wrong)}" if explanation else ""
    why = wrong.message.rstrip(".") or "missing"
    allowed = _allowed(parameter)
    return f"{_name(parameter)}: " + (f"allowed is: {allowed}" if allowed else why + _where_to_read(wrong))


def _where_to_read(wrong: typer.TyperException) -> str:
    context = getattr(wrong, "ctx", None)
    return f" (see `{context.command_path} --help`)" if context else ""


def _name(parameter: Parameter) -> str:
    return parameter.opts[0] if isinstance(parameter, TyperOption) else parameter.display_name_raw


def _allowed(parameter: Parameter) -> str:
    """Describe the allowed values; "" if the parser's own message does, or any text is allowed."""
    kind = parameter.type_descriptor
    if kind.choices:
        return ", ".join(map(str, kind.choices))
    if kind.annotation is not int or kind.parameter_info.parser:
        return ""
    minimum = "" if parameter.min is None else f" from {parameter.min}"
    maximum = "" if parameter.max is None else f" to {parameter.max}"
    return f"a whole number{minimum}{maximum}"
