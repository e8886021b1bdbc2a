"""A refusal: what was asked is not allowed, nothing has changed, and this is the rule."""


class Refused(ValueError):
    """Somebody asked for what a rule forbids.

    `code` says what happened (`not_offered`, `over_maximum` ...) and `args_` fills the sentence the
    client makes of it; where a field of the rules forbids it, `rule` is that field's name.
    """

    def __init__(self, code: str, *, rule: str = "", **args: str | int) -> None:
        details = ", ".join(f"{name} {value}" for name, value in args.items())
        by_rule = f" by rule {rule}" if rule else ""
        super().__init__(f"{code}{by_rule}{': ' if details else ''}{details}")
        self.code = code
        self.rule = rule
        self.args_: dict[str, str | int] = {"rule": rule, **args} if rule else dict(args)
