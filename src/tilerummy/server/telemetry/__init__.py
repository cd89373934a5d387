"""Telemetry: structured logs, redaction and Prometheus metrics."""
