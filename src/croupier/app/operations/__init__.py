"""Liveness, readiness and metrics for the tools of operators."""
