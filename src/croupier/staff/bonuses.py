"""Bonuses in the hands of managers and the operator: grants and cancellations, logged with their reasons."""

from collections.abc import Awaitable, Callable
from functools import partial

from croupier.accounts.bonus import BonusTemplate
from croupier.accounts.staff_members import Member
from croupier.action_log import Actor, log_action
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.money.bonus.service import Bonuses
from croupier.protocol.staff_wire import BonusOffer, CancelBonus, GrantBonus, PlayerBonuses
from croupier.refusal import Refused
from croupier.staff.admin_commands import OPERATOR, AdminResult, BonusCommand, ListBonuses
from croupier.staff.rights import MANAGERS, require_role


class StaffBonuses:
    """The server's bonuses, as managers and the operator see and change them.

    `is_known` returns whether there is a player with this id; `check_not_barred` refuses one in a break.
    """

    def __init__(
        self,
        bonuses: Bonuses,
        gateway: LedgerGateway,
        check_not_barred: Callable[[str], None],
        is_known: Callable[[str], Awaitable[bool]],
    ) -> None:
        self._bonuses = bonuses
        self._gateway = gateway
        self._check_not_barred = check_not_barred
        self._is_known = is_known

    def offers(self) -> list[BonusOffer]:
        """Return the bonuses that may be granted."""
        templates = self._bonuses.templates.values()
        return [_offer(template) for template in templates if not template.match_percent]

    async def of(self, player: str) -> PlayerBonuses:
        return PlayerBonuses(player, await self._gateway.read(self._bonuses.history, player))

    async def execute(self, member: Member, command: GrantBonus | CancelBonus) -> PlayerBonuses:
        """Execute and log a manager's command; forbidden and refused ones are logged too."""
        actor = Actor(member.name, member.role)
        await log_action(self._gateway, actor, command, partial(self._execute_allowed, member, command))
        return await self.of(command.player)

    async def execute_admin_command(self, command: BonusCommand) -> AdminResult:
        """Execute and log a command of the operator's terminal."""
        try:
            if not isinstance(command, ListBonuses):
                await log_action(self._gateway, OPERATOR, command, partial(self._execute, command))
            elif not await self._is_known(command.player):
                return AdminResult(refused="no_such_player")
        except Refused as refused:
            return AdminResult(refused=refused.code)
        return AdminResult(bonuses=(await self.of(command.player)).bonuses)

    async def _execute_allowed(self, member: Member, command: GrantBonus | CancelBonus) -> None:
        require_role(member, MANAGERS)
        await self._execute(command)

    async def _execute(self, command: GrantBonus | CancelBonus) -> None:
        if isinstance(command, CancelBonus):
            await self._bonuses.cancel(command.player, command.bonus)
            return
        if not await self._is_known(command.player):
            raise Refused("no_such_player", player=command.player)
        self._check_not_barred(command.player)
        await self._bonuses.grant(command.player, command.bonus, command.reason)


def _offer(template: BonusTemplate) -> BonusOffer:
    return BonusOffer(
        template.name,
        template.title,
        template.currency,
        template.amount_minor,
        template.multiple,
        template.days,
        template.max_bet_minor,
        template.excluded,
    )
