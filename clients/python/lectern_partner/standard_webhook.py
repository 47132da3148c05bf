"""Verification of webhooks of version 2, by the headers of Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from typing import Sequence

from .types_v2 import EndpointTest, HostedEvent
from .webhook import (
    SIGNATURES_MAX,
    Headers,
    WebhookVerificationError,
    ensure_recent,
    header_of,
    parse_event,
    secrets_of,
)

_PREFIX = "whsec_"
"""A secret with this prefix is in base64; others are their own bytes."""

_VERSION = "v1,"
"""Symmetric signatures; others in the header are ignored."""


def verify_standard_webhook(
    raw_body: bytes,
    headers: Headers,
    secret: str | Sequence[str],
    *,
    now: float | None = None,
    tolerance_seconds: float = 300,
) -> HostedEvent | EndpointTest:
    """Verifies a delivery to an endpoint of version 2 and returns its event; the signature covers the id, too.

    The arguments are those of ``verify_webhook``. Store the event before you answer 2xx, and drop events whose ``id`` you
    already have.
    """
    secrets = secrets_of(secret)
    event_id = header_of(headers, "webhook-id")
    timestamp = header_of(headers, "webhook-timestamp")
    ensure_recent(timestamp, time.time() if now is None else now, tolerance_seconds)
    signatures = _signatures(header_of(headers, "webhook-signature"))
    signed = f"{event_id}.{timestamp}.".encode() + raw_body
    expected = [base64.b64encode(hmac.new(_key(each), signed, hashlib.sha256).digest()).decode() for each in secrets]
    # Compares all of them, in constant time.
    matches = [hmac.compare_digest(one, other) for one in expected for other in signatures]
    if not any(matches):
        raise WebhookVerificationError("signature_mismatch", "The signature does not match the body.")
    event = parse_event(raw_body)
    if event["id"] != event_id:
        raise WebhookVerificationError("id_mismatch", "webhook-id is not the id of the body.")
    return event


def _signatures(header: str) -> list[str]:
    given = header.split(" ")
    signatures = [each[len(_VERSION) :] for each in given if each.startswith(_VERSION)]
    is_well_formed = signatures and len(given) <= SIGNATURES_MAX
    if not is_well_formed or not all(re.fullmatch(r"[A-Za-z0-9+/]{43}=", each) for each in signatures):
        raise WebhookVerificationError("signature_malformed", "A signature is not v1,<base64>.")
    return signatures


def _key(secret: str) -> bytes:
    if not secret.startswith(_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret[len(_PREFIX) :])
    except binascii.Error:
        raise ValueError("The secret is not whsec_<base64>.") from None
