"""Sign-in of players by an identity server (OpenID Connect Core 1.0, authorization code flow)."""
