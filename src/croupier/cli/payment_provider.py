"""`payment-provider`: the reference payment provider, for trials and tests."""

from typing import Annotated

import typer

from croupier.cli.counterparty import HostOption, SecretFile, listen, shared_secret


def payment_provider(
    secret_file: SecretFile,
    notify: Annotated[
        str, typer.Option(help="The address that receives the notifications.")
    ] = "http://127.0.0.1:8000/api/payments/notify",
    host: HostOption = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0: any free one.")] = 8100,
) -> None:
    """Run the reference payment provider. It moves no money, and misbehaves on command: see the guide.

    Anybody who reaches it can decide its payments, so keep it on a private address.

    Example: `croupier payment-provider --secret-file payments.secret`
    """
    from croupier.integration.payment_provider.provider import ReferenceProvider
    from croupier.integration.payment_provider.site import provider_site

    provider = ReferenceProvider(shared_secret(secret_file), notify)
    listen(provider_site(provider), "provider", host, port)
