"""Verification of webhooks (docs/webhooks.md)."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any, Iterable, Mapping, Sequence, Union

from .types import WebhookEvent

SIGNATURES_MAX = 5
"""More signatures than any rotation needs are malformed."""

Headers = Union[Mapping[str, Union[str, Sequence[str]]], Iterable[Sequence[str]]]


class WebhookVerificationError(Exception):
    """An invalid delivery. Answer 4xx: a retry cannot succeed.

    ``reason`` is one of ``header_missing``, ``header_repeated``, ``timestamp_malformed``,
    ``timestamp_out_of_tolerance``, ``signature_malformed``, ``signature_mismatch``, ``body_malformed``,
    ``id_mismatch``, ``type_mismatch``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    raw_body: bytes,
    headers: Headers,
    secret: str | Sequence[str],
    *,
    now: float | None = None,
    tolerance_seconds: float = 300,
) -> WebhookEvent:
    """Verifies a delivery and returns its event (rule SIGNATURE-1); raises WebhookVerificationError if it is not genuine.

    ``raw_body`` is the unmodified body; it is not parsed before its signature is verified. ``headers`` is a mapping or
    pairs; names in any case. ``secret`` is the secret given to ``set_webhook``; during a rotation a list of those that
    may have signed. ``now`` is in Unix seconds.

    Store the event before you answer 2xx, and drop events whose ``id`` you already have. Ignore unknown fields and
    values: events are extended without a new version (rule EVENT-1).
    """
    secrets = secrets_of(secret)
    timestamp = header_of(headers, "x-service-timestamp")
    ensure_recent(timestamp, time.time() if now is None else now, tolerance_seconds)
    _ensure_signed(_signatures(headers), timestamp, raw_body, secrets)

    event = parse_event(raw_body)
    if header_of(headers, "x-service-delivery") != event["id"]:
        raise WebhookVerificationError("id_mismatch", "X-Service-Delivery is not the id of the body.")
    if header_of(headers, "x-service-event") != event["type"]:
        raise WebhookVerificationError("type_mismatch", "X-Service-Event is not the type of the body.")
    return event


def secrets_of(secret: str | Sequence[str]) -> list[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise ValueError("The verification requires the secret of the webhook.")
    return secrets


def ensure_recent(timestamp: str, now: float, tolerance_seconds: float) -> None:
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise WebhookVerificationError("timestamp_malformed", "The timestamp is not in Unix seconds.")
    age = abs(int(now) - int(timestamp))
    if not age <= tolerance_seconds:
        raise WebhookVerificationError(
            "timestamp_out_of_tolerance", f"The timestamp differs from the current time by {age} s."
        )


def _signatures(headers: Headers) -> list[str]:
    """While a secret is being replaced, a second header has the signatures under both (rule SIGNATURE-4)."""
    if _values(headers, "x-service-signatures"):
        return header_of(headers, "x-service-signatures").split(", ")
    return [header_of(headers, "x-service-signature")]


def _ensure_signed(signatures: Sequence[str], timestamp: str, body: bytes, secrets: Sequence[str]) -> None:
    if len(signatures) > SIGNATURES_MAX or not all(re.fullmatch(r"sha256=[0-9a-f]{64}", each) for each in signatures):
        raise WebhookVerificationError("signature_malformed", "A signature is not sha256=<hex>.")
    signed = timestamp.encode() + b"." + body
    expected = ["sha256=" + hmac.new(each.encode(), signed, hashlib.sha256).hexdigest() for each in secrets]
    # Compares all of them, in constant time.
    matches = [hmac.compare_digest(one, other) for one in expected for other in signatures]
    if not any(matches):
        raise WebhookVerificationError("signature_mismatch", "The signature does not match the body.")


def parse_event(body: bytes) -> Any:
    try:
        event = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        event = None
    if isinstance(event, dict):
        if isinstance(event.get("id"), str) and isinstance(event.get("type"), str):
            if isinstance(event.get("data"), (dict, list)):
                return event
    raise WebhookVerificationError("body_malformed", "The body is not a webhook event.")


def _values(headers: Headers, name: str) -> list[str]:
    """The values of a header; its name is case-insensitive."""
    items = getattr(headers, "items", None)
    pairs = items() if items else headers
    values: list[str] = []
    for key, value in pairs:
        if key.lower() == name:
            values.extend([value] if isinstance(value, str) else value)
    return values


def header_of(headers: Headers, name: str) -> str:
    """The only value of a header."""
    values = _values(headers, name)
    if not values:
        raise WebhookVerificationError("header_missing", f"There is no {name} header.")
    if len(values) > 1:
        raise WebhookVerificationError("header_repeated", f"The {name} header came more than once.")
    return values[0]
