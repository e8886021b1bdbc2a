"""The block `payments` of the configuration file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from croupier.config.blocks import SECURE
from croupier.config.secrets import read_secret
from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields
from croupier.protocol.signatures import Secret

CURRENCIES = "currencies"
_URL = 'an address with https, such as "https://payments.example/v1", or with http on this machine'
_PAGE = 'an address such as "https://casino.example/cashier"'
_KYC = 'an address with https, such as "https://identity.example/check", or "none"'
PaymentAmount = Annotated[int, Meta(ge=1, le=10**12)]


class PaymentMethodConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A block `payments.currencies.CODE`: how one currency is paid in and out."""

    provider: Literal["http", "play_money"] = "http"
    """`play_money` confirms every payment at once."""
    min_minor: PaymentAmount = 1
    """Smallest payment, in smallest units."""
    max_minor: PaymentAmount = 10**9
    """Largest payment, in smallest units."""


class PaymentsConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `payments`."""

    url: Annotated[str, Meta(pattern=f"^$|^{SECURE}", description=_URL)] = ""
    """Address of the payment provider."""
    secret_file: str = ""
    """File with the secret shared with the provider, relative to the configuration file."""
    secret_env: str = ""
    """Environment variable with the secret, instead of a file."""
    return_url: Annotated[str, Meta(pattern=r"^(https?://[^\s/].*)?$", description=_PAGE)] = ""
    """Page to which players return from the provider's page, such as the site's `/cashier`."""
    deposit_minutes: Annotated[int, Meta(ge=1, le=10_080)] = 60
    """Minutes after which an unpaid deposit expires."""
    timeout_s: Annotated[int, Meta(ge=1, le=15)] = 10
    """Seconds for one answer of the provider."""
    kyc_url: Annotated[str, Meta(pattern=f"^none$|^{SECURE}", description=_KYC)] = "none"
    """Address of the service that clears withdrawals; `none`: all are paid."""
    kyc_secret_file: str = ""
    kyc_secret_env: str = ""


class ConfiguredPayments(NamedTuple):
    """The configured payments. A secret is None where the file names no service that needs it."""

    config: PaymentsConfig = PaymentsConfig()
    currencies: Mapping[str, PaymentMethodConfig] = {}
    secret: Secret | None = None
    kyc_secret: Secret | None = None


NO_PAYMENTS = ConfiguredPayments()


def read_payments(block: Mapping[str, Any], beside: Path) -> ConfiguredPayments:
    """Read the block and the secrets that it names; `beside` is the configuration file's folder."""
    check_known(block, (*fields(PaymentsConfig), CURRENCIES))
    config = convert({name: value for name, value in block.items() if name != CURRENCIES}, PaymentsConfig)
    methods = _methods(block.get(CURRENCIES, {}))
    if any(method.provider == "http" for method in methods.values()) and not config.url:
        raise InvalidField("url", "a currency has the provider http, which needs an address")
    kyc = config.kyc_url != "none"
    return ConfiguredPayments(
        config,
        methods,
        read_secret(config.secret_file, config.secret_env, beside, "secret_file") if config.url else None,
        read_secret(config.kyc_secret_file, config.kyc_secret_env, beside, "kyc_secret_file")
        if kyc
        else None,
    )


def check_currencies(payments: ConfiguredPayments, known: Mapping[str, object]) -> None:
    """Raise InvalidField for a currency that the server doesn't have."""
    for code in payments.currencies:
        if code not in known:
            why = f"the server has no such currency; allowed are: {', '.join(known)}"
            raise InvalidField("", why, f"{CURRENCIES}.{code}")


def _methods(blocks: Any) -> Mapping[str, PaymentMethodConfig]:
    if not isinstance(blocks, dict):
        raise InvalidField(CURRENCIES, "write [payments.currencies.EUR] above the fields of a currency")
    return {code: _method(code, each) for code, each in blocks.items()}


def _method(code: str, block: Any) -> PaymentMethodConfig:
    inside = f"{CURRENCIES}.{code}"
    if not isinstance(block, dict):
        raise InvalidField(CURRENCIES, f"write [payments.{inside}] above the fields of a currency")
    try:
        check_known(block, fields(PaymentMethodConfig))
        method = convert(block, PaymentMethodConfig)
    except InvalidField as error:
        raise InvalidField(error.field, str(error), inside) from None
    if method.min_minor > method.max_minor:
        raise InvalidField("min_minor", f"it is at most max_minor, {method.max_minor}", inside)
    return method
