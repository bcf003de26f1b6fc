"""The logic of both clients, as generators. A generator yields what its client must do: send a request, wait, or pass
an item to the caller. The client sends the response back into the generator."""

from __future__ import annotations

import json
import os
import random
import time
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar, Union
from urllib.parse import quote

from ._errors import ExtractionError, choose_retry_delay, read_response
from .models import RETRYABLE

File = Union[str, "os.PathLike[str]", bytes, "IO[bytes]"]
T = TypeVar("T")


@dataclass
class Send:
    """Sends a request once. The client answers with the status, headers and text of the response, or with an
    ExtractionError if there is no response."""

    method: str
    path: str
    query: Mapping[str, Any]
    headers: Mapping[str, str]
    body: dict[str, Any] = field(default_factory=dict)


@dataclass
class Sleep:
    seconds: float


@dataclass
class Item:
    """An item of an iteration, for the caller."""

    value: Any


Effect = Union[Send, Sleep, Item]
Steps = Generator[Effect, Any, T]

# The fields of a scrape that select a part of its text.
VIEW_FIELDS = {"max_chars", "max_tokens", "offset", "outline", "section", "query", "max_passages"}
# The maximum `?wait=` of a request, in seconds.
HOLD_S = 10
# The maximum number of pages in one response.
PART_PAGES = 100


@dataclass(frozen=True)
class Core:
    max_retries: int
    timeout: float

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        file: File | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[Any]:
        """Sends the request, with retries. Returns the response's JSON, or None if it has no body."""
        headers = {} if idempotency_key is None else {"idempotency-key": idempotency_key}
        content: dict[str, Any] = {} if body is None else {"json": body}
        if file is not None:
            # The file is read only once, so that a retry sends all of it again.
            content = {"files": {"file": read_file(file)}, "data": {"options": json.dumps(body or {})}}
        idempotent = method != "POST" or idempotency_key is not None
        attempt = 0
        while True:
            try:
                response = yield Send(method, path, to_query(query or {}), headers, content)
                if isinstance(response, ExtractionError):
                    raise response
                return read_response(*response)
            except ExtractionError as error:
                delay = choose_retry_delay(error, attempt=attempt, idempotent=idempotent, random=random.random())
                if delay is None or attempt >= self.max_retries:
                    raise
            yield Sleep(delay)
            attempt += 1

    def read_data(self, method: str, path: str, **options: Any) -> Steps[Any]:
        response = yield from self.call(method, path, **options)
        return response["data"]

    def create(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        file: File | None = None,
        wait: bool = False,
    ) -> Steps[Any]:
        """Sends a request that creates something, with an idempotency key. A retry doesn't create a second job."""
        if body.get("dry_run"):
            raise ValueError("Use the method 'dry_run' for a dry run.")
        query = {"wait": "true"} if wait else {}
        key = idempotency_key or uuid.uuid4().hex
        return self.call("POST", path, query=query, body=body, file=file, idempotency_key=key)

    def dry_run(self, endpoint: str, request: Mapping[str, Any], file: File | None) -> Steps[Any]:
        return self.read_data("POST", f"/{endpoint}", body={**request, "dry_run": True}, file=file)

    def extract(
        self, endpoint: str, request: Mapping[str, Any], *, max_wait: float | None = None, **options: Any
    ) -> Steps[Any]:
        """Creates a job and waits for its result."""
        if max_wait is not None:
            max_wait = max(0.0, max_wait)
        deadline = to_deadline(max_wait)
        response = yield from self.create(f"/{endpoint}", request, wait=True, **options)
        if "data" in response:
            return response
        view = {name: value for name, value in request.items() if endpoint == "scrape" and name in VIEW_FIELDS}
        return (yield from self.result(response["job_id"], max(0.0, deadline - time.monotonic()), view))

    def get_job(self, job_id: str, view: Mapping[str, Any] | None = None, hold: int = 0) -> Steps[Any]:
        query = {**(view or {}), **({"wait": hold} if hold > 0 else {})}
        try:
            return (yield from self.call("GET", f"/jobs/{quote(job_id, '')}", query=query))
        except ExtractionError as error:
            error.job_id = job_id
            raise

    def cancel_job(self, job_id: str) -> Steps[Any]:
        return self.call("DELETE", f"/jobs/{quote(job_id, '')}")

    def wait_for_job(self, job_id: str, max_wait: float | None, view: Mapping[str, Any] | None = None) -> Steps[Any]:
        return self._wait(f"job {job_id}", job_id, max_wait, lambda hold: self.get_job(job_id, view, hold))

    def result(self, job_id: str, max_wait: float | None, view: Mapping[str, Any] | None = None) -> Steps[Any]:
        """Waits for the job and returns its result. Raises the job's error if it failed."""
        job = yield from self.wait_for_job(job_id, max_wait, view)
        if "error" in job:
            raise to_error(job["error"], job_id)
        if job.get("result") is None:
            raise ExtractionError("result_expired", f"The result of the job {job_id} has expired.", job_id=job_id)
        return {"success": True, "data": job["result"], "meta": job["meta"], "job_id": job_id}

    def _wait(self, name: str, job_id: str | None, max_wait: float | None, read: Any) -> Steps[Any]:
        started = time.monotonic()
        deadline = to_deadline(max_wait)
        while True:
            requested = time.monotonic()
            # The service holds the response for at most half of the timeout, so that it arrives in time.
            hold = int(max(0.0, min(deadline - requested, self.timeout / 2, HOLD_S)))
            resource = yield from read(hold)
            if resource["status"] in ("completed", "failed"):
                return resource
            if requested >= deadline:
                message = f"The {name} has not ended within {max_wait} s. It is still running. Read it again later."
                raise ExtractionError("wait_timeout", message, job_id=job_id, retryable=True)
            # The last request is sent at the deadline.
            following = min(requested + to_poll_delay(requested - started), deadline)
            yield Sleep(max(0.0, following - time.monotonic()))

    def list_items(self, path: str, query: Mapping[str, Any]) -> Steps[None]:
        """Yields every item of a list once. Requests each page when it is needed."""
        given = dict(query)
        metadata = given.pop("metadata", {})
        given.update({f"metadata[{name}]": value for name, value in metadata.items()})
        while True:
            page = yield from self.call("GET", path, query=given)
            for item in page["data"]:
                yield Item(item)
            cursor = page.get("pagination", page).get("next_cursor")
            if cursor is None:
                return
            given.pop("offset", None)
            given["cursor"] = cursor

    def batch_status(self, path: str, hold: int = 0) -> Steps[Any]:
        query = {"limit": 1, "results": "none", **({"wait": hold} if hold > 0 else {})}
        batch = yield from self.call("GET", path, query=query)
        return {name: value for name, value in batch.items() if name not in ("success", "pages", "next_cursor")}

    def wait_for_batch(self, path: str, max_wait: float | None) -> Steps[Any]:
        return self._wait(path[1:].replace("/", " "), None, max_wait, lambda hold: self.batch_status(path, hold))

    def pages(self, path: str) -> Steps[None]:
        """Yields each page of a batch or crawl once, with its complete result, as soon as it has ended.

        Pages start in the order of their numbers, but can end in any order. So each pass reads the pages that were
        running in the previous pass, and then the pages that have started since.
        """
        began = time.monotonic()
        running: list[int] = []
        started = 0
        while True:
            requested = time.monotonic()
            ended: bool | None = None
            still: list[int] = []
            for numbers in to_spans(running):
                after = numbers[0] - 1
                # A response with large results has fewer pages than its limit.
                while after < numbers[-1]:
                    query = {"cursor": after, "limit": numbers[-1] - after}
                    part = yield from self.call("GET", path, query=query)
                    ended = "completed_at" in part if ended is None else ended
                    for page in part["pages"]:
                        if page["number"] in numbers:
                            still += yield from self._page(page)
                    after = part["pages"][-1]["number"] if part["pages"] else numbers[-1]
            is_last = False
            while not is_last:
                part = yield from self.call("GET", path, query={"cursor": started, "limit": PART_PAGES})
                ended = "completed_at" in part if ended is None else ended
                is_last = part.get("next_cursor") is None
                for page in part["pages"]:
                    if page["job_id"] is None:
                        is_last = True
                        break
                    started = page["number"]
                    still += yield from self._page(page)
            # If all pages had already ended at the first response of this pass, this pass has read all of them.
            if ended:
                break
            running = still
            yield Sleep(max(0.0, requested + to_poll_delay(requested - began) - time.monotonic()))
        batch = yield from self.batch_status(path)
        if "error" in batch:
            raise to_error(batch["error"], None)

    def _page(self, page: dict[str, Any]) -> Steps[list[int]]:
        """Passes an ended page to the caller. Returns the number of a page that is still running."""
        if page["status"] not in ("completed", "failed"):
            return [page["number"]]
        # Lists of pages omit very large results, so these are read from the job.
        if page.pop("result_truncated", False):
            job = yield from self.get_job(page["job_id"])
            page["result"] = job.get("result")
        yield Item(page)
        return []


def read_file(file: File) -> tuple[str, bytes]:
    """Returns the name and the bytes of a path, of bytes, or of a file object."""
    if isinstance(file, (str, os.PathLike)):
        return Path(file).name, Path(file).read_bytes()
    if isinstance(file, (bytes, bytearray, memoryview)):
        return "file", bytes(file)
    name = getattr(file, "name", None)
    return os.path.basename(name) if isinstance(name, str) else "file", file.read()


def to_query(query: Mapping[str, Any]) -> dict[str, Any]:
    """Writes booleans as the API expects them."""
    return {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in query.items()
        if value is not None
    }


def to_error(error: Mapping[str, Any], job_id: str | None) -> ExtractionError:
    """Converts the error in the record of a job, batch or crawl."""
    return ExtractionError(
        error["code"],
        error["message"],
        hint=error.get("hint"),
        doc_url=error.get("doc_url"),
        job_id=job_id,
        retryable=job_id is not None and error["code"] in RETRYABLE,
    )


def to_deadline(max_wait: float | None) -> float:
    return float("inf") if max_wait is None else time.monotonic() + max(0.0, max_wait)


def to_poll_delay(elapsed: float) -> float:
    """Returns the polling interval that the API reference recommends."""
    return 1.0 if elapsed < 5 else 3.0


def to_spans(numbers: list[int]) -> list[list[int]]:
    """Groups the numbers of pages, so that each group can be read with one request."""
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number < groups[-1][0] + PART_PAGES:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups
