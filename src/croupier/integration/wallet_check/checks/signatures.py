"""W8: messages that aren't signed by the server, or are old, change nothing."""

from croupier.integration.wallet_check.expectations import fail
from croupier.integration.wallet_check.replies import WalletReply
from croupier.integration.wallet_check.trial import Trial, wallet_check
from croupier.protocol.encoding import encode
from croupier.protocol.signatures import TIMESTAMP_HEADER, WINDOW_S, Secret, signed_headers
from croupier.protocol.wallet_wire import WALLET_PATHS, WalletDebit

PATH = WALLET_PATHS[WalletDebit]
STRANGER = Secret(b"a secret that nobody shares")
VERIFY = "Compute the HMAC over the time stamp, a full stop and the raw body, and compare before reading."
WINDOW = f"Refuse time stamps that are more than {WINDOW_S} seconds off your clock, and no others."
CLEARLY_S, NEARLY_S = WINDOW_S + 60, WINDOW_S - 60


async def _expect_unauthorized(trial: Trial, reply: WalletReply) -> None:
    if not 400 <= reply.status < 500:
        fail("status 401", reply.described)
    await trial.expect_change(0)


@wallet_check("W8", VERIFY)
async def wrong_signature(trial: Trial) -> None:
    """A message that is signed with another secret is refused with status 401."""
    await _expect_unauthorized(trial, await trial.wallet.post(PATH, encode(trial.debit(2)), secret=STRANGER))


@wallet_check("W8", VERIFY)
async def no_signature(trial: Trial) -> None:
    """A message without a signature is refused with status 401."""
    await _expect_unauthorized(trial, await trial.wallet.post_with(PATH, encode(trial.debit(2)), {}))


@wallet_check("W8", VERIFY)
async def changed_body(trial: Trial) -> None:
    """A message that was changed after it was signed is refused with status 401."""
    headers = signed_headers(trial.wallet.secret, encode(trial.debit(1)), trial.wallet.now_s)
    await _expect_unauthorized(trial, await trial.wallet.post_with(PATH, encode(trial.debit(2)), headers))


@wallet_check("W8", VERIFY)
async def changed_timestamp(trial: Trial) -> None:
    """A message whose time stamp was changed is refused with status 401."""
    body = encode(trial.debit(1))
    headers = signed_headers(trial.wallet.secret, body, trial.wallet.now_s - 1)
    headers[TIMESTAMP_HEADER] = str(trial.wallet.now_s)
    await _expect_unauthorized(trial, await trial.wallet.post_with(PATH, body, headers))


@wallet_check("W8", WINDOW)
async def old_timestamp(trial: Trial) -> None:
    """A message that was signed six minutes ago is refused with status 401."""
    await _expect_unauthorized(trial, await trial.send(trial.debit(2), age_s=CLEARLY_S))


@wallet_check("W8", WINDOW)
async def future_timestamp(trial: Trial) -> None:
    """A message that is signed for a time in six minutes is refused with status 401."""
    await _expect_unauthorized(trial, await trial.send(trial.debit(2), age_s=-CLEARLY_S))


@wallet_check("W8", WINDOW)
async def clocks_apart(trial: Trial) -> None:
    """A message that was signed four minutes ago is accepted."""
    reply = await trial.send(trial.debit(2), age_s=NEARLY_S)
    if reply.answer is None or reply.answer.outcome != "done":
        fail(f"{PATH}: done", reply.described)
    await trial.expect_change(-2)


CHECKS = (
    wrong_signature,
    no_signature,
    changed_body,
    changed_timestamp,
    old_timestamp,
    future_timestamp,
    clocks_apart,
)
