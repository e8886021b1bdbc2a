"""Launches: an operator's own players, who arrive with a signed token."""

import secrets
from collections.abc import Collection

from croupier import clock
from croupier.accounts.identity import Identity
from croupier.accounts.repository import Arrival
from croupier.accounts.responsible_gaming import Measure
from croupier.admission.player_limits import PlayerLimits
from croupier.config.operator import ConfiguredOperator
from croupier.ledger import entries
from croupier.players.accounts import BegunSession, Caller
from croupier.players.external_sessions import ExternalSessions, check_jurisdiction
from croupier.players.restrictions import RestrictionService
from croupier.protocol.signatures import Secret, SignedBody, check_signature
from croupier.protocol.wire import Launch, LaunchLink
from croupier.refusal import Refused

NOTE = "launch:"
"""Prefix of the keys of launches in the journal; a key is unique, so a session is entered once."""
PATH = "/launch"


class LaunchService:
    """Links for an operator's players, and the sessions that these begin."""

    def __init__(
        self,
        sessions: ExternalSessions,
        restrictions: RestrictionService,
        limits: PlayerLimits,
        tables: Collection[str],
        operator: ConfiguredOperator,
    ) -> None:
        self._sessions = sessions
        self._restrictions = restrictions
        self._limits = limits
        self._tables = tables
        self._operator = operator

    def check_signature(self, signed: SignedBody) -> None:
        """Refuse `wrong_signature` for a request that isn't the operator's."""
        check_signature(self._secret, signed, clock.now_ms() // 1000)

    async def link(self, launch: Launch) -> LaunchLink:
        """Return the link of a player, who may be barred from play here."""
        from croupier.protocol.launch_token import launch_token  # takes long to import

        player = await self._check(launch)
        now_s, lifetime_s = clock.now_ms() // 1000, self._operator.config.launch_seconds
        token = launch_token(self._secret, launch, now_s, lifetime_s)
        table = f"?table={launch.table}" if launch.table else ""
        expires_ms = (now_s + lifetime_s) * 1000
        barred = self._limits.active_break(player)
        return LaunchLink(f"{PATH}{table}#{token}", token, expires_ms, barred)

    async def begin(self, caller: Caller, token: str) -> BegunSession:
        """Begin the session of a token, and end the one that the browser had."""
        from croupier.protocol.launch_token import read_launch  # takes long to import

        launch = read_launch(self._secret, token, clock.now_ms() // 1000)
        await self._check(launch)
        begun = await self._begin(caller, launch)
        await self._sessions.save_jurisdiction(begun.player, launch.jurisdiction)
        await self._sessions.save_currency(begun, launch.currency)
        for limit in launch.limits:
            measure = Measure(limit.what, limit.period, launch.currency)
            await self._restrictions.set_limit(begun.player, measure, limit.max_minor)
        return begun

    async def _begin(self, caller: Caller, launch: Launch) -> BegunSession:
        body = {"session": launch.session, "language": launch.language, "once": secrets.token_hex(8)}
        note = entries.note(NOTE + launch.session, clock.now_ms(), body)
        try:
            return await self._sessions.begin(caller, Arrival(_identity(launch), note))
        except Refused as refused:
            raise Refused("launch_used") if refused.code == "key_reused" else refused from refused

    async def _check(self, launch: Launch) -> str:
        """Return the launch's player, empty if they are new.

        Refuse a launch that this server can't carry out, or one to a closed account.
        """
        check_jurisdiction(launch.jurisdiction, self._operator.config.jurisdictions)
        if launch.table and launch.table not in self._tables:
            raise Refused("no_such_table", table=launch.table)
        self._sessions.check_currency(launch.currency)
        return await self._sessions.known_player(_identity(launch))

    @property
    def _secret(self) -> Secret:
        if (secret := self._operator.secret) is None:
            raise Refused("no_operator")
        return secret


def _identity(launch: Launch) -> Identity:
    return Identity("operator", launch.player)
