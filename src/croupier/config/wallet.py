"""The block `wallet` of the configuration file."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from croupier.config.blocks import SECURE
from croupier.config.secrets import read_secret
from croupier.play.contract.amounts import Currency
from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields
from croupier.protocol.signatures import Secret

_URL = 'an address with https, such as "https://operator.example/wallet", or with http on this machine'


class WalletConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `wallet`: the operator's own wallet, which pays the stakes of launched players."""

    url: Annotated[str, Meta(pattern=f"^{SECURE}", description=_URL)]
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
    wallet: ConfiguredWallet, known: Mapping[str, Currency], paid: Collection[str], *, has_players: bool
) -> None:
    """Raise InvalidField for a wallet without players, or where a currency isn't the wallet's alone.

    `known`: the currencies of the server; `paid`: those of payments and bonuses.
    """
    if wallet.secret and not has_players:
        raise InvalidField("", "no player can use it: add [operator] or [oidc], whose players it pays")
    for code in wallet.currencies:
        if code not in known:
            raise InvalidField("currencies", f"{code}: the server has no such currency; {_allowed(known)}")
        if known[code].play_money:
            raise InvalidField("currencies", f"{code}: write play_money = false in [currencies.{code}]")
        if code in paid:
            why = "payments and bonuses of this currency are the operator's"
            raise InvalidField("currencies", f"{code}: {why}; remove them or the currency")


def check_wallet_tables(wallet: ConfiguredWallet, playable: Collection[str]) -> None:
    """Raise InvalidField for a currency that no table takes; `playable`: those of all tables."""
    for code in wallet.currencies:
        if code not in playable:
            raise InvalidField("currencies", f"{code}: no table takes it, so no player can use it")


def _allowed(known: Mapping[str, Currency]) -> str:
    real = [code for code, currency in known.items() if not currency.play_money]
    return f"allowed are: {', '.join(real) or 'currencies with play_money = false'}"
