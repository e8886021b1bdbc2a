"""Dealers on camera: only one who has the table's page open, and the event log has who and when."""

import asyncio
from pathlib import Path

import httpx
import pytest

from croupier.accounts.staff_members import Member, Role
from croupier.clock import now_ms
from croupier.config.ice import ConfiguredIce
from croupier.protocol.wire import CameraView
from croupier.staff import cameras
from croupier.staff.event_log import LogSelection, event_log_page
from croupier.staff.sign_in_api import STAFF_COOKIE
from croupier.video.ice import IceServers
from tests.dealing.live.player import INFINITE
from tests.gateway.filmed import Filmed, cookie_of, filmed_site
from tests.support.media import ANSWER

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning"),
]

CONFIG_TOML = """
[infinite]
dealer = "person"
"""
OFFER = "v=0 a=ice-pwd:of the dealer"
GRACE_S = 0.05


class DealerClient:
    """A member's open page of a table, without a socket."""

    def __init__(self, filmed: Filmed, name: str, role: Role, table: str = INFINITE) -> None:
        self.member: Member | None = Member(name, role, 0)
        self.table = table
        self.cookie = cookie_of(STAFF_COOKIE, filmed.staff.sessions.begin(self.member, now_ms()))
        self.updates = 0
        self._filmed = filmed

    def tables_changed(self) -> None:
        self.updates += 1

    def sign_out(self) -> None:
        self._filmed.staff.remove_client(self)

    async def publish(self, table: str = INFINITE, view: CameraView = "dealer") -> httpx.Response:
        body = {"table": table, "sdp": OFFER, "view": view}
        return await self._filmed.post("/staff/camera", body, self.cookie)

    async def stop(self, view: CameraView = "dealer") -> httpx.Response:
        return await self._filmed.post("/staff/camera/stop", {"table": INFINITE, "view": view}, self.cookie)


async def test_only_a_dealer_on_duty_is_on_camera(tmp_path: Path) -> None:
    async with filmed_site(tmp_path, CONFIG_TOML) as filmed:
        dana, mona = DealerClient(filmed, "Dana", "dealer"), DealerClient(filmed, "Mona", "manager")
        assert (await dana.publish()).json()["code"] == "not_on_duty"
        filmed.staff.add_client(dana)
        filmed.staff.add_client(mona)
        assert (await mona.publish()).json() == {"code": "not_allowed", "args": {"rule": "dealer"}}
        assert (await dana.publish("live_roulette")).json()["code"] == "automatic_dealer"
        assert (await dana.publish("nowhere")).status_code == 404
        assert filmed.media.published == {}
        before = dana.updates
        filmed.server.cameras.ice = IceServers(ConfiguredIce(("stun:a.example",)))
        answer = await dana.publish()
        stun = {"urls": ["stun:a.example"], "username": "", "credential": ""}
        assert (answer.status_code, answer.json()) == (200, {"sdp": ANSWER, "ice_servers": [stun]})
        assert dana.updates > before, "the page learns its camera's state"
        assert filmed.staff.cameras.state(INFINITE) == "on"
        filmed.media.available = False
        assert filmed.staff.cameras.state(INFINITE) == "unavailable"
        filmed.media.available = True
        ben = DealerClient(filmed, "Ben", "dealer")
        assert (await ben.stop()).json()["code"] == "not_on_duty"
        assert (await mona.stop()).status_code == 204
        assert filmed.media.published == {}
        lines = event_log_page(filmed.server.ledger, LogSelection(table=INFINITE), "", 20).lines
        seen = [(line.name, line.what, line.answer) for line in reversed(lines) if "camera" in line.what]
        assert seen == [
            ("Dana", "camera_on", "not_on_duty"),
            ("Mona", "camera_on", "not_allowed"),
            ("Dana", "camera_on", "ok"),
            ("Ben", "camera_off", "not_on_duty"),
            ("Mona", "camera_off", "ok"),
        ]
        assert not any(line.details for line in lines if "camera" in line.what), "no secret of the connection"


async def test_a_dealer_who_leaves_the_page_is_off_camera_unless_they_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras, "AWAY_AFTER_S", GRACE_S)
    async with filmed_site(tmp_path, CONFIG_TOML) as filmed:
        dana, ben = DealerClient(filmed, "Dana", "dealer"), DealerClient(filmed, "Ben", "dealer")
        filmed.staff.add_client(dana)
        await dana.publish()
        filmed.staff.remove_client(dana)
        filmed.staff.add_client(dana)
        await asyncio.sleep(2 * GRACE_S)
        assert filmed.media.published, "a reload ends nothing at the server"
        filmed.staff.add_client(ben)
        await ben.publish()
        filmed.staff.remove_client(dana)
        await asyncio.sleep(2 * GRACE_S)
        assert filmed.media.published, "the relief is on camera"
        ben.sign_out()
        await asyncio.sleep(2 * GRACE_S)
        assert filmed.media.published == {}


async def test_any_member_on_the_page_shows_the_equipment_beside_the_dealer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras, "AWAY_AFTER_S", GRACE_S)
    async with filmed_site(tmp_path, CONFIG_TOML) as filmed:
        dana, mona = DealerClient(filmed, "Dana", "dealer"), DealerClient(filmed, "Mona", "manager")
        filmed.staff.add_client(dana)
        assert (await mona.publish(view="equipment")).json()["code"] == "not_on_duty"
        filmed.staff.add_client(mona)
        await dana.publish()
        assert (await mona.publish(view="equipment")).status_code == 200
        assert len(filmed.media.published) == 2
        states = [filmed.staff.cameras.state(INFINITE, view) for view in cameras.PUBLISHERS]
        assert states == ["on", "on"]
        assert (await dana.stop("equipment")).json()["code"] == "not_on_duty"
        filmed.staff.remove_client(dana)
        await asyncio.sleep(2 * GRACE_S)
        update = filmed.server.cameras.update(INFINITE)
        assert update is not None
        assert update.equipment is not None
        assert (update.state, update.equipment.state) == ("off", "on"), "the manager is still there"
        filmed.staff.remove_client(mona)
        await asyncio.sleep(2 * GRACE_S)
        assert filmed.media.published == {}
