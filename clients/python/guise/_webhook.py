from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any, Iterable, Protocol, Tuple, Union, cast

from .types import WebhookEvent

# Largest difference between the time of an event and the clock, in seconds.
_TOLERANCE = 300


class Headers(Protocol):
    """Headers of a request: a dict, or what a web framework has."""

    def items(self) -> Iterable[Tuple[str, Any]]: ...


def verify_webhook(secret: str, headers: Headers, body: Union[str, bytes]) -> WebhookEvent:
    """
    Checks that an event comes from your guise, and returns it. An event can arrive twice: know it by its
    header `webhook-id`. Raises ValueError if the signature is wrong, or the event is older than five minutes.

    secret: of the account, `whsec_...`
    body: of the request, as it arrived
    """
    known = {name.lower(): str(value) for name, value in headers.items()}
    event_id, timestamp, signatures = (
        known.get(name, "") for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not abs(time.time() - _number(timestamp)) <= _TOLERANCE:
        raise ValueError("The webhook is too old, or has no time.")
    content = body.encode() if isinstance(body, str) else body
    key = _bytes_of(secret[6:] if secret.startswith("whsec_") else secret)
    expected = hmac.new(key, f"{event_id}.{timestamp}.".encode() + content, hashlib.sha256).digest()
    for signature in signatures.split(" "):
        if signature.startswith("v1,") and hmac.compare_digest(_bytes_of(signature[3:]), expected):
            return cast(WebhookEvent, json.loads(content))
    raise ValueError("The signature of the webhook is wrong.")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _bytes_of(text: str) -> bytes:
    """Decodes base64. What is none becomes no bytes."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""
