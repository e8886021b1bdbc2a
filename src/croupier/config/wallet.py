"""The block `wallet` of the configuration file."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from croupier.config.secrets import read_secret
from croupier.play.contract.amounts import Currency
from croupier.play.tables.toml_blocks import InvalidField, InvalidFile, check_known, convert, fields
from croupier.protocol.signatures import Secret

_URL = 'an address such as "https://operator.example/wallet"'


class WalletConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `wallet`: the operator's own wallet, which pays the stakes of launched players."""

    url: Annotated[str, Meta(pattern=r"^https?://[^\s/].*$", description=_URL)]
    """Address of the wallet."""
    currencies: Annotated[tuple[str, ...], Meta(min_length=1)]
    """Codes of the currencies that it holds."""
    secret_file: str = ""
    """File with the secret shared with the wallet, relative to the configuration file."""
    secret_env: str = ""
    """Environment variable with the secret, instead of a file."""
    timeout_s: Annotated[int, Meta(ge=1, le=15)] = 3
    """Seconds for one answer. A bet without an answer isn't accepted."""


class ConfiguredWallet(NamedTuple):
    """The configured wallet; `secret` is None if there is none."""

    config: WalletConfig = WalletConfig("http://none", ())
    secret: Secret | None = None

    @property
    def currencies(self) -> tuple[str, ...]:
        return self.config.currencies


NO_WALLET = ConfiguredWallet()


def read_wallet(block: Mapping[str, Any], beside: Path) -> ConfiguredWallet:
    """Read the block and the secret that it names; `beside` is the configuration file's folder."""
    check_known(block, fields(WalletConfig))
    for name in ("url", "currencies"):
        if name not in block:
            raise InvalidField(name, "a wallet needs it")
    config = convert(block, WalletConfig)
    return ConfiguredWallet(config, read_secret(config.secret_file, config.secret_env, beside, "secret_file"))


def check_wallet(
    wallet: ConfiguredWallet, known: Mapping[str, Currency], paid: Collection[str], file: str
) -> None:
    """Raise InvalidFile where a currency isn't the wallet's alone; `paid`: those of payments and bonuses."""
    for code in wallet.currencies:
        why = ""
        if code not in known:
            why = "the server has no such currency"
        elif known[code].play_money:
            why = f"write play_money = false in [currencies.{code}]"
        elif code in paid:
            why = "payments and bonuses of this currency are the operator's"
        if why:
            raise InvalidFile(f"{file}: [wallet]: currencies: {code}: {why}")
