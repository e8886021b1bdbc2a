"""The server-wide blocks of the configuration file."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Literal

from msgspec import Meta, Struct

Network = IPv4Network | IPv6Network
UnfinishedRounds = Literal["play", "refund"]
Days = Annotated[int, Meta(ge=1, le=3_660)]
RequestCount = Annotated[int, Meta(ge=0, le=1_000_000)]
_ADDRESS = 'an address such as "https://example.org"'
_REGISTRY = 'an address with https, such as "https://registry.example.org/check"'
LOOPBACK = r"http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(/.*)?"
"""Pattern of addresses on this machine, which need no encryption."""
SECURE = rf"(https://[^\s/?#][^\s]*|{LOOPBACK})(?!\n)$"
"""Pattern of the rest of an address that keeps secrets and money from others on the way."""
_HELPLINES = 'a list such as [{ name = "GamCare", url = "https://www.gamcare.org.uk" }]'


class InactivityConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `server`: when sessions, unfinished rounds and unused guests expire."""

    idle_minutes: Annotated[int, Meta(ge=0, le=1_440)] = 30
    """Minutes without a command before a session ends; 0: never."""
    resume_hours: Annotated[int, Meta(ge=0, le=8_760)] = 24
    """Hours from its deal that a round at an own table stays open for its player; 0: no limit."""
    unfinished: UnfinishedRounds = "play"
    """Fate of such a round then: the table's auto-decisions play it to its end, or it is void."""
    unused_guest_days: Annotated[int, Meta(ge=0, le=3_660)] = 7
    """Days after the last visit before a guest who never played is deleted; 0: never."""


class AccountsConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `accounts`: rules for players with a name and a password."""

    sign_in_again_minutes: Annotated[int, Meta(ge=0, le=1_440)] = 0
    """Minutes without activity before a player has to sign in again, on every device; 0: never."""


class HelplineConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A helpline for players and their families."""

    name: Annotated[str, Meta(min_length=1)]
    url: Annotated[str, Meta(pattern=r"^https?://.+")]
    where: str = ""
    phone: str = ""
    hours: str = ""
    """Opening hours, such as `24 hours a day`."""
    languages: str = ""
    """Languages that it speaks, in words."""


Helplines = Annotated[tuple[HelplineConfig, ...], Meta(description=_HELPLINES)]
PolicyAddress = Annotated[str, Meta(pattern=r"^(https?://.+)?$", description=_ADDRESS)]
MinimumAge = Annotated[int, Meta(ge=16, le=30)]


DEFAULT_HELPLINES = (
    HelplineConfig("Gambling Therapy", "https://www.gamblingtherapy.org", "worldwide, in many languages"),
    HelplineConfig("Gamblers Anonymous", "https://gamblersanonymous.org", "worldwide"),
    HelplineConfig("GamCare", "https://www.gamcare.org.uk", "Great Britain", "0808 8020 133"),
    HelplineConfig("National Council on Problem Gambling", "https://www.ncpgambling.org", "United States"),
)


class ResponsibleGamingConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `responsible_gaming`: the limits and breaks that players may set."""

    cooling_off_hours: Annotated[int, Meta(ge=1, le=8_760)] = 24
    """Hours before a limit is loosened or removed."""
    time_out_days: Annotated[tuple[Days, ...], Meta(min_length=1)] = (1, 7, 30)
    exclusion_days: Annotated[tuple[Days, ...], Meta(min_length=1)] = (180, 365, 1_825)
    """Lengths of a self-exclusion, in addition to a permanent one."""
    policy: PolicyAddress = ""
    """Address of the operator's own page on responsible gaming; empty: the client shows its own."""
    helplines: Helplines = DEFAULT_HELPLINES
    """A configured list replaces the default list entirely."""
    minimum_age: MinimumAge = 18
    """Age from which players may play."""
    jurisdiction: str = ""
    """Jurisdiction of players whose own isn't known; empty: none."""
    registry_url: Annotated[str, Meta(pattern=rf"^(https://.+|{LOOPBACK})?$", description=_REGISTRY)] = ""
    """Address of an external self-exclusion registry, asked about accounts; empty: none."""
    registry_key_file: str = ""
    """File with the key shared with the registry, relative to the configuration file."""
    registry_timeout_ms: Annotated[int, Meta(ge=100, le=30_000)] = 3_000
    registry_unanswered: Literal["refuse", "allow"] = "refuse"
    """The answer to players while the registry gives none."""
    registry_cache_minutes: Annotated[int, Meta(ge=0, le=1_440)] = 15
    """Minutes for which an answer holds."""
    session_break_minutes: Annotated[int, Meta(ge=5, le=1_440)] = 30
    """Minutes without a connection after which time played counts anew; session limits impose this break."""


class StaffConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `staff`."""

    sign_in: Literal["one_time", "code"] = "one_time"
    """`one_time`: one-time codes and passkeys; `code`: the code of `croupier staff add`, again and again."""


class ConnectionConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `connections`."""

    per_address: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    """Maximum number of simultaneous connections from one address; 0: no limit."""
    exempt: tuple[str, ...] = ("127.0.0.0/8", "::1/128")
    """Networks exempt from the limit, such as those of reverse proxies."""

    def networks(self) -> tuple[Network, ...]:
        """Return the exempt networks; raise ValueError if one isn't a network."""
        return tuple(ip_network(each) for each in self.exempt)


class RateLimitConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `rate_limits`: HTTP requests answered before further ones are refused; 0: no limit."""

    guests_per_hour: RequestCount = 60
    """New guests per address."""
    sign_ins_per_minute: RequestCount = 20
    """Staff sign-ins per address."""
    cashier_per_minute: RequestCount = 30
    """Deposits and withdrawals per player."""
    notifications_per_minute: RequestCount = 600
    """Notifications of payment providers per address."""
    history_per_minute: RequestCount = 240
    """Requests per player for their rounds, statement, results and limits."""
    exports_per_hour: RequestCount = 20
    """Files of rounds or of the statement per player."""
    camera_per_minute: RequestCount = 240
    """Requests per player about pictures of dealers: four for each, one for each change of quality."""
    players_per_address: Annotated[int, Meta(ge=1, le=10_000)] = 20
    """Number of players whose limits together apply to one address."""
