"""The documents of the protocol: AsyncAPI, OpenAPI additions, every refusal, and a page to read."""
