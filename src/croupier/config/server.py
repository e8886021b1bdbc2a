"""Reading of the server configuration file.

The file is TOML: a block for each live table, currency, bonus and jurisdiction, and fifteen for the server:
`server`, `responsible_gaming`, `accounts`, `connections`, `rate_limits`, `staff`, `profile`, `documents`,
`payments`, `operator`, `wallet`, `oidc`, `mail`, `media` and `reports`. Everything has a default, and the
file may be empty. An invalid file is refused with the line, the field and the allowed values.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from croupier.accounts.bonus import BonusTemplate
from croupier.accounts.documents import Documents
from croupier.accounts.payment_rules import PaymentRules
from croupier.config.blocks import (
    AccountsConfig,
    ConnectionConfig,
    InactivityConfig,
    RateLimitConfig,
    ResponsibleGamingConfig,
    StaffConfig,
)
from croupier.config.bonuses import BONUS_BLOCKS, check_offers, read_bonuses
from croupier.config.currencies import CURRENCY_BLOCKS, read_currency_blocks
from croupier.config.documents import DEFAULT_DOCUMENTS, read_documents
from croupier.config.jurisdictions import (
    JURISDICTION_BLOCKS,
    Help,
    JurisdictionConfig,
    check_default,
    deposit_question_of,
    help_of,
    read_jurisdictions,
)
from croupier.config.live_table import DEFAULT_LIVE_TABLE, RENAMED_FIELDS, LiveTableConfig
from croupier.config.mail import MailSettings, read_mail
from croupier.config.media import ConfiguredMedia, check_media, read_media
from croupier.config.oidc import ConfiguredOidc, read_oidc
from croupier.config.operator import NO_OPERATOR, ConfiguredOperator, read_operator
from croupier.config.payments import NO_PAYMENTS, ConfiguredPayments, check_currencies, read_payments
from croupier.config.profiles import read_profile
from croupier.config.reports import ReportsConfig, read_reports
from croupier.config.wallet import NO_WALLET, ConfiguredWallet, check_wallet, check_wallet_tables, read_wallet
from croupier.play.contract.amounts import DEFAULT_CURRENCIES, Currency
from croupier.play.contract.game import Table
from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields, located, read_blocks
from croupier.protocol import wire
from croupier.tables.live import Setup
from croupier.tables.live.setup import TableProfile

T = TypeVar("T", bound=Struct)
REGISTRY_KEY_BYTES_MIN = 32

SIGN_IN_AGAIN_MIN = 15
"""The database has the last presence of a connected player to within eleven minutes."""


class ServerConfig(NamedTuple):
    """Settings of a server. `live_tables` holds only the tables that the file configures."""

    profile: wire.JurisdictionProfile
    live_tables: Mapping[str, LiveTableConfig]
    inactivity: InactivityConfig = InactivityConfig()
    responsible_gaming: ResponsibleGamingConfig = ResponsibleGamingConfig()
    accounts: AccountsConfig = AccountsConfig()
    rate_limits: RateLimitConfig = RateLimitConfig()
    connections: ConnectionConfig = ConnectionConfig()
    staff: StaffConfig = StaffConfig()
    currencies: Mapping[str, Currency] = DEFAULT_CURRENCIES
    """The server's currencies, by code."""
    documents: Documents = DEFAULT_DOCUMENTS
    payments: ConfiguredPayments = NO_PAYMENTS
    operator: ConfiguredOperator = NO_OPERATOR
    oidc: ConfiguredOidc | None = None
    """The identity server that signs players in; None: there is none."""
    wallet: ConfiguredWallet = NO_WALLET
    bonuses: Mapping[str, BonusTemplate] = MappingProxyType({})
    """The bonuses that managers may grant or players may accept, by name."""
    reports: ReportsConfig = ReportsConfig()
    jurisdictions: Mapping[str, JurisdictionConfig] = MappingProxyType({})
    """Help for players, by jurisdiction."""
    mail: MailSettings | None = None
    """The mail server or folder; None: no mail is sent."""
    media: ConfiguredMedia | None = None
    """The media server of the dealers' cameras; None: no table has a camera."""
    file: str = ""
    """The file it was read from; empty: none."""

    def live_table(self, table: str) -> LiveTableConfig:
        return self.live_tables.get(table, DEFAULT_LIVE_TABLE)

    def help_in(self, jurisdiction: str) -> Help:
        """Return where players of a jurisdiction find help; of an unknown one, those of the default."""
        return help_of(self._jurisdiction(jurisdiction), self.responsible_gaming)

    @property
    def payment_rules(self) -> PaymentRules:
        """The rules that the transactions of payments check."""
        questions = {code: deposit_question_of(block) for code, block in self.jurisdictions.items()}
        return PaymentRules(self.reports.zone, self.responsible_gaming.jurisdiction, questions)

    def _jurisdiction(self, code: str) -> JurisdictionConfig:
        """Return a jurisdiction; the default one if it is unknown."""
        ours = self.responsible_gaming.jurisdiction
        return self.jurisdictions.get(code) or self.jurisdictions.get(ours) or JurisdictionConfig()

    def setup(self, table: Table) -> Setup:
        """Return the setup of a live table's state machine."""
        allowed, config = self.profile, self.live_table(table.id)
        profile = TableProfile(allowed.statistics, allowed.tables_max, allowed.round_min_ms)
        return Setup(table, config.timings, profile, config.seats_each)


def read_config(text: str, tables: Mapping[str, Table], file: str) -> ServerConfig:
    """Parse the configuration of a server with these tables; raise InvalidFile if anything is invalid."""
    live = {name: table for name, table in tables.items() if table.dealing == "live"}
    blocks = read_blocks(text, file, partial(_read_block, live, Path(file).parent))
    currencies = blocks.pop(CURRENCY_BLOCKS, DEFAULT_CONFIG.currencies)
    blocks.pop(BONUS_BLOCKS, None)
    config = ServerConfig(
        profile=blocks.pop("profile", DEFAULT_CONFIG.profile),
        inactivity=blocks.pop("server", DEFAULT_CONFIG.inactivity),
        responsible_gaming=blocks.pop("responsible_gaming", DEFAULT_CONFIG.responsible_gaming),
        accounts=blocks.pop("accounts", DEFAULT_CONFIG.accounts),
        rate_limits=blocks.pop("rate_limits", DEFAULT_CONFIG.rate_limits),
        connections=blocks.pop("connections", DEFAULT_CONFIG.connections),
        staff=blocks.pop("staff", DEFAULT_CONFIG.staff),
        currencies=currencies,
        documents=blocks.pop("documents", DEFAULT_CONFIG.documents),
        payments=blocks.pop("payments", DEFAULT_CONFIG.payments),
        operator=blocks.pop("operator", DEFAULT_CONFIG.operator),
        oidc=blocks.pop("oidc", DEFAULT_CONFIG.oidc),
        wallet=blocks.pop("wallet", DEFAULT_CONFIG.wallet),
        bonuses=read_bonuses(text, file, currencies, tables),
        reports=blocks.pop("reports", DEFAULT_CONFIG.reports),
        jurisdictions=blocks.pop(JURISDICTION_BLOCKS, DEFAULT_CONFIG.jurisdictions),
        mail=blocks.pop("mail", DEFAULT_CONFIG.mail),
        media=blocks.pop("media", DEFAULT_CONFIG.media),
        live_tables=blocks,
        file=file,
    )
    for block, check in _checks(config, tables, live):
        try:
            check()
        except InvalidField as error:
            raise located(text, file, block, error) from None
    return config


def _checks(
    config: ServerConfig, tables: Mapping[str, Table], live: Collection[str]
) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield checks of blocks against others, each with the block that it may refuse."""
    currencies, wallet = config.currencies, config.wallet
    paid = {*config.payments.currencies, *(bonus.currency for bonus in config.bonuses.values())}
    playable = {code for table in tables.values() for code in table.limits}
    has_players = config.operator.secret is not None or config.oidc is not None
    yield "payments", partial(check_currencies, config.payments, currencies)
    yield BONUS_BLOCKS, partial(check_offers, config.bonuses, config.payments.currencies)
    yield "wallet", partial(check_wallet, wallet, currencies, paid, has_players=has_players)
    yield "wallet", partial(check_wallet_tables, wallet, playable)
    yield "media", partial(check_media, config.media, live)
    default = config.responsible_gaming.jurisdiction
    yield "responsible_gaming", partial(check_default, default, config.jurisdictions)


def _read_block(live: Mapping[str, Table], beside: Path, name: str, block: Any) -> Any:
    if not isinstance(block, dict):
        raise InvalidField(
            "", f"write {_blocks(SERVER_BLOCKS)}, or a live table's name such as [infinite], above its fields"
        )
    if name in SERVER_BLOCKS:
        return SERVER_BLOCKS[name](block, beside)
    if name in RENAMED_BLOCKS:
        raise InvalidField("", f"this block is now called [{RENAMED_BLOCKS[name]}]")
    if name not in live:
        raise InvalidField(
            "", f"no block or live table of that name; there are {_blocks(SERVER_BLOCKS)} and {_blocks(live)}"
        )
    return _read_live_table(live[name], block)


def _blocks(names: Iterable[str]) -> str:
    return ", ".join(f"[{each}]" for each in names)


def _convert(block: Mapping[str, Any], kind: type[T]) -> T:
    check_known(block, fields(kind))
    return convert(block, kind)


def _read_accounts(block: Mapping[str, Any]) -> AccountsConfig:
    settings = _convert(block, AccountsConfig)
    if 0 < settings.sign_in_again_minutes < SIGN_IN_AGAIN_MIN:
        raise InvalidField("sign_in_again_minutes", f"write 0 for never, or at least {SIGN_IN_AGAIN_MIN}")
    return settings


def _read_connections(block: Mapping[str, Any]) -> ConnectionConfig:
    settings = _convert(block, ConnectionConfig)
    try:
        settings.networks()
    except ValueError as error:
        raise InvalidField("exempt", f"{error}; write addresses or networks such as 10.0.0.0/8") from None
    return settings


def _read_responsible_gaming(block: Mapping[str, Any], beside: Path) -> ResponsibleGamingConfig:
    settings = _convert(block, ResponsibleGamingConfig)
    if not settings.registry_url:
        return settings
    if not settings.registry_key_file:
        raise InvalidField("registry_key_file", "registry_url needs a file with the key shared with it")
    file = beside / settings.registry_key_file
    try:
        key = file.read_bytes().strip()
    except OSError as error:
        raise InvalidField("registry_key_file", f"{file} can't be read: {error.strerror}") from None
    if len(key) < REGISTRY_KEY_BYTES_MIN:
        raise InvalidField(
            "registry_key_file", f"{file} needs a key of {REGISTRY_KEY_BYTES_MIN} bytes or more"
        )
    return replace(settings, registry_key_file=str(file))


def _read_live_table(table: Table, block: Mapping[str, Any]) -> LiveTableConfig:
    for key, new in RENAMED_FIELDS.items():
        if key in block:
            raise InvalidField(key, f"it is now called {new}")
    config = _convert(block, LiveTableConfig)
    if config.warning_ms > config.betting_ms:
        raise InvalidField("warning_ms", f"it is the end of betting_ms, so {config.betting_ms} at most")
    seats_max = max(1, Setup(table).seats)
    if config.seats_each > seats_max:
        raise InvalidField("seats_each", f"allowed is: a whole number from 1 to {seats_max} at this table")
    return config


SERVER_BLOCKS: Mapping[str, Callable[[Mapping[str, Any], Path], Any]] = {
    "server": lambda block, _: _convert(block, InactivityConfig),
    "responsible_gaming": _read_responsible_gaming,
    CURRENCY_BLOCKS: lambda block, _: read_currency_blocks(block),
    "accounts": lambda block, _: _read_accounts(block),
    "connections": lambda block, _: _read_connections(block),
    "rate_limits": lambda block, _: _convert(block, RateLimitConfig),
    "staff": lambda block, _: _convert(block, StaffConfig),
    "profile": lambda block, _: read_profile(block),
    "documents": read_documents,
    "payments": read_payments,
    "operator": read_operator,
    "oidc": read_oidc,
    "wallet": read_wallet,
    JURISDICTION_BLOCKS: lambda block, _: read_jurisdictions(block),
    BONUS_BLOCKS: lambda block, _: block,  # read once the currencies are known
    "mail": read_mail,
    "media": read_media,
    "reports": read_reports,
}
"""Readers of the blocks of the whole server; each is given the configuration file's folder."""
RENAMED_BLOCKS = {"house": "server", "care": "responsible_gaming"}
"""Blocks of earlier versions, and their names now."""
DEFAULT_CONFIG = ServerConfig(read_profile({}), {})
"""The configuration of a server without a configuration file."""
