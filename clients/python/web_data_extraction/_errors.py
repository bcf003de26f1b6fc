"""The error of every failed call, and the decision whether a request is sent again."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

FIRST_DELAY_S = 0.5
MAX_DELAY_S = 8.0
# If Retry-After is longer than this, the client raises the error. Equals the service's rate window.
MAX_RETRY_AFTER_S = 60.0
# The maximum random delay that is added to Retry-After. It spreads out clients that were refused at the same time.
SPREAD_S = 0.25


class ExtractionError(Exception):
    """The error of every failed call.

    `code` is a code of the service, or one of `network_error`, `request_timeout`, `wait_timeout`, `invalid_response`
    and `result_expired`. New codes may be added, so handle an unknown code by its `status`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        retryable: bool = False,
        details: list[dict[str, str]] | None = None,
        hint: str | None = None,
        doc_url: str | None = None,
        job_id: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        # With these arguments, the error can be copied and pickled.
        super().__init__(code, message)
        self.code = code
        self.message = message
        #: The HTTP status. None if there was no response, or if the error comes from a job's record.
        self.status = status
        #: True if the same request may succeed later.
        self.retryable = retryable
        #: The invalid parameters: the `path` of each, and a `message`.
        self.details = details or []
        #: The next step: what to change, or when to try again.
        self.hint = hint
        self.doc_url = doc_url
        #: The id of the job that failed or that continues. None if no job was created.
        self.job_id = job_id
        #: The id of the request in the service's logs.
        self.request_id = request_id
        #: The value of `Retry-After` in seconds.
        self.retry_after = retry_after

    def __str__(self) -> str:
        fields = [f"{detail.get('path')}: {detail.get('message')}" for detail in self.details]
        request = [] if self.request_id is None else [f"Request id: {self.request_id}"]
        hint = [] if self.hint is None else [self.hint]
        return "\n".join([f"{self.code}: {self.message}", *fields, *hint, *request])


def choose_retry_delay(error: ExtractionError, *, attempt: int, idempotent: bool, random: float) -> float | None:
    """Returns the seconds before the next attempt, or None if the request must not be sent again.

    `attempt` counts from 0, `random` is from 0 to 1. `idempotent` is true if a second request has no further effect.
    """
    # An error with a job's id is final, because a retry of the request would return the same failed job.
    if not error.retryable or error.job_id is not None:
        return None
    # After a 429 or `unavailable`, the service hasn't started the work. Any other 503 can come from the platform after
    # the work has started.
    refused = error.status == 429 or error.code == "unavailable"
    if not idempotent and not refused:
        return None
    backoff = min(FIRST_DELAY_S * 2.0**attempt, MAX_DELAY_S) * (0.5 + random / 2)
    if error.retry_after is None:
        return backoff
    if error.retry_after > MAX_RETRY_AFTER_S:
        return None
    return max(backoff, error.retry_after + random * SPREAD_S)


def read_retry_after(value: str | None) -> float | None:
    """Returns the value of `Retry-After` (seconds or a date) in seconds. None if it is missing or invalid."""
    if value is None:
        return None
    if re.fullmatch(r"\s*[0-9]+\s*", value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def read_response(status: int, headers: Mapping[str, str], text: str) -> Any:
    """Returns the JSON of a successful response, or None if it has no body. Raises an ExtractionError otherwise."""
    is_ok = 200 <= status < 300
    if status == 204:
        return None
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if is_ok and isinstance(body, dict) and body.get("success") is True:
        return body
    request_id = headers.get("x-request-id")
    retry_after = read_retry_after(headers.get("retry-after"))
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        # The service always responds with JSON, so a gateway or another server sent this response.
        raise ExtractionError(
            "invalid_response",
            f"The response with status {status} doesn't come from the service. Check 'base_url'.",
            status=status,
            retryable=status == 429 or status >= 500,
            request_id=request_id,
            retry_after=retry_after,
        )
    raise ExtractionError(
        error["code"],
        error.get("message", ""),
        status=status,
        retryable=error.get("retryable") is True,
        details=error["details"] if isinstance(error.get("details"), list) else None,
        hint=error.get("hint"),
        doc_url=error.get("doc_url"),
        job_id=body.get("job_id"),
        request_id=request_id or error.get("request_id"),
        retry_after=retry_after,
    )
