"""Traces sent by OTLP over HTTP, see `croupier.tracing`."""
