"""Verifies the signatures of webhook requests."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from typing import Any


class WebhookSignatureError(Exception):
    """The body wasn't signed with the secret, or was changed. Respond with 401 and don't use the body."""


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str) -> dict[str, Any]:
    """Verifies the signature of a webhook request and returns its event.

    `body` is the raw body, before it is parsed. Raises a WebhookSignatureError if no signature is valid. For 24 hours
    after a rotation, a request has a second signature with the previous secret, so either secret works.
    """
    # The secret is empty if its environment variable isn't set.
    if not secret:
        raise TypeError("'secret' must be the webhook's signing secret, such as 'whsec_…'.")
    if not isinstance(body, (bytes, str)):
        raise TypeError("'body' must be the raw body as bytes or text. Don't parse it before the verification.")
    raw = body.encode() if isinstance(body, str) else body
    expected = hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
    signatures = {"x-webhook-signature", "x-webhook-signature-previous"}
    for name, value in headers.items():
        found = re.fullmatch(r"sha256=([0-9a-fA-F]{64})", value) if name.lower() in signatures else None
        if found is not None and hmac.compare_digest(found[1].lower(), expected):
            event: dict[str, Any] = json.loads(raw)
            return event
    raise WebhookSignatureError("The request has no valid signature for this body and secret.")
