"""Refusals of requests that a rule forbids."""


class Refused(ValueError):
    """A request that a rule forbids; it changed nothing.

    `code` is the reason (`not_offered`, `over_maximum` ...), `args_` the values for the client's sentence
    about it, and `rule` the field of the rules that forbids it, if there is one.
    """

    def __init__(self, code: str, *, rule: str = "", **args: str | int) -> None:
        details = ", ".join(f"{name} {value}" for name, value in args.items())
        by_rule = f" by rule {rule}" if rule else ""
        super().__init__(f"{code}{by_rule}{': ' if details else ''}{details}")
        self.code = code
        self.rule = rule
        self.args_: dict[str, str | int] = {"rule": rule, **args} if rule else dict(args)
