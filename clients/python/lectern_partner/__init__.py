"""A client of Lectern's partner API: rooms, webhooks and recordings. Needs only the standard library."""

from ._v2 import EventPages, PartnerV2
from .client import RETRY_DELAYS, PartnerClient
from .errors import LecternError
from .standard_webhook import verify_standard_webhook
from .webhook import WebhookVerificationError, verify_webhook

__all__ = [
    "RETRY_DELAYS",
    "EventPages",
    "LecternError",
    "PartnerClient",
    "PartnerV2",
    "WebhookVerificationError",
    "verify_standard_webhook",
    "verify_webhook",
]
