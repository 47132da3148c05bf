"""A client of Lectern's partner API: rooms, webhooks and recordings. Needs only the standard library."""

from .client import RETRY_DELAYS, PartnerClient
from .errors import LecternError
from .webhook import WebhookVerificationError, verify_webhook

__all__ = ["RETRY_DELAYS", "LecternError", "PartnerClient", "WebhookVerificationError", "verify_webhook"]
