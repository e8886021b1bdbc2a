"""Faulty HTTP sides of an operator, and faulty handling of messages that come at the same time."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.integration.wallet_check.replies import WalletReply
from croupier.integration.wallet_operator.operator import HttpAnswer, ReferenceOperator
from croupier.protocol.signatures import SignedBody
from tests.integration.wallet_check.in_process import SECRET, InProcess


class TrustsEverybody(ReferenceOperator):
    def _is_genuine(self, _signed: SignedBody) -> bool:
        return True


class TrustsAnyTime(ReferenceOperator):
    """An operator that checks the signature, and not when it was made."""

    def _is_genuine(self, signed: SignedBody) -> bool:
        return signed.signature == SECRET.sign(signed.timestamp, signed.body)


class TrustsOneMinute(ReferenceOperator):
    def _is_genuine(self, signed: SignedBody) -> bool:
        return super()._is_genuine(signed) and abs(time.time() - int(signed.timestamp)) < 60


class TrustsSignedTimestamps(ReferenceOperator):
    """An operator that doesn't compare the body with what was signed."""

    def _is_genuine(self, signed: SignedBody) -> bool:
        return bool(signed.signature) and abs(time.time() - int(signed.timestamp or 0)) < 300


class FailsOnMalformed(ReferenceOperator):
    """An operator that has an unhandled exception for each malformed body."""

    def respond(self, path: str, signed: SignedBody) -> HttpAnswer:
        answer = super().respond(path, signed)
        return HttpAnswer(500) if answer.status == 400 else answer


class _Converts(ReferenceOperator):
    """An operator that changes the fields of a body before it reads them."""

    def respond(self, path: str, signed: SignedBody) -> HttpAnswer:
        if not self._is_genuine(signed):
            return HttpAnswer(401)
        try:
            fields = msgspec.json.decode(signed.body)
            body = msgspec.json.encode(self._converted(fields)) if isinstance(fields, dict) else signed.body
        except (msgspec.DecodeError, UnicodeDecodeError):
            body = signed.body
        return self._respond_to(path, body)

    def _respond_to(self, path: str, body: bytes) -> HttpAnswer:
        stamp = str(int(time.time()))
        return super().respond(path, SignedBody(stamp, SECRET.sign(stamp, body), body))

    def _converted(self, fields: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError


class AcceptsText(_Converts):
    def _converted(self, fields: dict[str, Any]) -> dict[str, Any]:
        amount = fields.get("amount_minor")
        return {**fields, "amount_minor": int(amount)} if isinstance(amount, str) else fields


class CutsFractions(_Converts):
    def _converted(self, fields: dict[str, Any]) -> dict[str, Any]:
        amount = fields.get("amount_minor")
        return {**fields, "amount_minor": int(amount)} if isinstance(amount, float) else fields


class DropsSigns(_Converts):
    def _converted(self, fields: dict[str, Any]) -> dict[str, Any]:
        amount = fields.get("amount_minor")
        return {**fields, "amount_minor": abs(amount)} if isinstance(amount, int) else fields


class Overflows(_Converts):
    """An operator that keeps amounts in 32 bits."""

    def _converted(self, fields: dict[str, Any]) -> dict[str, Any]:
        amount = fields.get("amount_minor")
        return (
            {**fields, "amount_minor": amount % 2**32} if isinstance(amount, int) and amount > 0 else fields
        )


class AssumesAmounts(_Converts):
    def _converted(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {"amount_minor": 0, **fields} if "game" in fields and "status" not in fields else fields


class IgnoresUnknownFields(_Converts):
    """An operator that is right to ignore fields that it doesn't know."""

    def _converted(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in fields.items() if not name.startswith("croupier")}


class CarriesOutUnknownFieldsTwice(IgnoresUnknownFields):
    def _converted(self, fields: dict[str, Any]) -> dict[str, Any]:
        converted = super()._converted(fields)
        is_known = converted == fields
        return converted if is_known else {**converted, "amount_minor": 2 * converted["amount_minor"]}


class FailsOnUnknownFields(ReferenceOperator):
    def respond(self, path: str, signed: SignedBody) -> HttpAnswer:
        return HttpAnswer(500) if b"croupier_check" in signed.body else super().respond(path, signed)


class LosesUpdates(InProcess):
    """Reads the balances, waits, and then writes what it made of them."""

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> WalletReply:
        read = dict(self.operator.wallet.balances)
        await asyncio.sleep(0)
        self.operator.wallet.balances.update(read)
        return await super().post(path, body, headers)


class ChecksIdsTooEarly(InProcess):
    """Looks an id up, waits, and then carries the message out if the id was unknown."""

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> WalletReply:
        wallet = self.operator.wallet
        known, rolled_back = dict(wallet._transfers), dict(wallet._rollbacks)
        await asyncio.sleep(0)
        kept = dict(wallet._transfers), dict(wallet._rollbacks)
        if path != "/rollback":
            wallet._transfers = known
        wallet._rollbacks = rolled_back
        reply = await super().post(path, body, headers)
        wallet._transfers = {**kept[0], **wallet._transfers}
        wallet._rollbacks = {**kept[1], **wallet._rollbacks}
        return reply


class SaysServerError(InProcess):
    """Answers wrong signatures with status 500."""

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> WalletReply:
        reply = await super().post(path, body, headers)
        return WalletReply(500, b"") if reply.status == 401 else reply
