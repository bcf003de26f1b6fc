"""The clients. Both carry out the steps that `_core` describes: Client blocks, and AsyncClient awaits."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, cast
from urllib.parse import quote

import httpx

from . import models
from ._core import Core, Effect, File, Item, Send, Sleep, Steps
from ._errors import ExtractionError

if TYPE_CHECKING:
    from typing_extensions import Self, TypeAlias, Unpack

View: TypeAlias = "Mapping[str, Any] | None"


class Start(TypedDict, total=False):
    # The key that prevents a retry from creating a second job. By default, each call has a random key.
    idempotency_key: str


class FileStart(Start, total=False):
    file: File


class Options(Start, total=False):
    # The maximum wait for the result, in seconds. The first request can take 60 seconds.
    max_wait: float


class FileOptions(FileStart, Options, total=False):
    pass


class _Base:
    def __init__(self, api_key: str | None, base_url: str | None, max_retries: int, timeout: float) -> None:
        key = api_key or os.environ.get("EXTRACTION_API_KEY", "")
        base = base_url or os.environ.get("EXTRACTION_BASE_URL", "")
        # Without this check, a key with invalid characters would look like a network error.
        if key == "" or not all("!" <= character <= "~" for character in key):
            raise ValueError("'api_key' or EXTRACTION_API_KEY must be an API key, such as 'sk_live_…'.")
        url = to_url(base)
        if url is None or url.scheme not in ("http", "https") or not url.host or url.userinfo or url.query or url.fragment:
            raise ValueError("'base_url' or EXTRACTION_BASE_URL must be the URL of the service, without /v1.")
        self._base_url = base.rstrip("/")
        self._authorization = f"Bearer {key}"
        self._core = Core(max_retries, timeout)

    def _to_request(self, send: Send) -> dict[str, Any]:
        return {
            "method": send.method,
            "url": f"{self._base_url}/v1{send.path}",
            "params": send.query or None,
            "headers": {"authorization": self._authorization, **send.headers},
            "timeout": self._core.timeout,
            **send.body,
        }

    def _to_error(self, send: Send, cause: httpx.RequestError) -> ExtractionError:
        is_timeout = isinstance(cause, httpx.TimeoutException)
        rule = f"no complete response within {self._core.timeout} s" if is_timeout else "no response"
        code = "request_timeout" if is_timeout else "network_error"
        error = ExtractionError(code, f"{send.method} {send.path} got {rule}.", retryable=True)
        error.__cause__ = cause
        return error


def to_url(text: str) -> httpx.URL | None:
    try:
        return httpx.URL(text)
    except httpx.InvalidURL:
        return None


class Jobs:
    """Asynchronous jobs. Every method requires the scope `jobs`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def get(self, job_id: str, *, view: View = None) -> models.Job:
        """Returns the job in its current status. `view` selects a part of its text, such as `{"max_chars": 2000}`."""
        return cast("models.Job", self._client._run(self._client._core.get_job(job_id, view)))

    def wait(self, job_id: str, *, max_wait: float | None = None, view: View = None) -> models.Job:
        """Waits until the job has completed or failed. Raises `wait_timeout` after `max_wait` seconds."""
        return cast("models.Job", self._client._run(self._client._core.wait_for_job(job_id, max_wait, view)))

    def result(self, job_id: str, *, max_wait: float | None = None, view: View = None) -> dict[str, Any]:
        """Waits for the job and returns its result as `data`, `meta` and `job_id`. Raises the job's error."""
        return cast("dict[str, Any]", self._client._run(self._client._core.result(job_id, max_wait, view)))

    def cancel(self, job_id: str) -> models.Job:
        """Cancels the job and returns it in its final status. A job that has ended is returned unchanged."""
        return cast("models.Job", self._client._run(self._client._core.cancel_job(job_id)))

    def list(self, **query: Any) -> Iterator[models.Job]:
        """Iterates over the jobs, newest first. `query` has the parameters of the API, such as `status="failed"`."""
        return self._client._iterate(self._client._core.list_items("/jobs", query))


class Batch:
    """A started batch or crawl. Iterating over it yields its pages, each as soon as it has ended."""

    def __init__(self, client: Client, kind: str, id: str, accepted: Mapping[str, Any] | None) -> None:
        self.id = id
        #: The response to the request. None if the batch or crawl was opened by its id.
        self.accepted = accepted
        self._client = client
        self._path = f"/{kind}/{quote(id, '')}"

    def status(self) -> dict[str, Any]:
        """Returns the progress: the counts and credits of all pages."""
        return cast("dict[str, Any]", self._client._run(self._client._core.batch_status(self._path)))

    def wait(self, *, max_wait: float | None = None) -> dict[str, Any]:
        """Waits until all pages have ended, or until the batch or crawl was canceled or ran out of credits."""
        return cast("dict[str, Any]", self._client._run(self._client._core.wait_for_batch(self._path, max_wait)))

    def cancel(self) -> dict[str, Any]:
        """Cancels the batch or crawl. Unfinished pages stop and aren't charged."""
        return cast("dict[str, Any]", self._client._run(self._client._core.call("DELETE", self._path)))

    def resume(self) -> dict[str, Any]:
        """Continues a batch or crawl that stopped because of its key or because of a lack of credits."""
        return cast("dict[str, Any]", self._client._run(self._client._core.call("POST", f"{self._path}/resume")))

    def pages(self) -> Iterator[dict[str, Any]]:
        """Yields each page once, with its complete `result` or its `error`. If the batch or crawl stopped early, raises
        its error after the last ended page."""
        return self._client._iterate(self._client._core.pages(self._path))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.pages()


class Client(_Base):
    """A client with one API key. The fields of requests and results have the names of the API reference.

    `api_key` and `base_url` are by default the variables EXTRACTION_API_KEY and EXTRACTION_BASE_URL. `timeout` is the
    time in seconds for which an attempt may wait for the connection or for the next bytes of the response.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        max_retries: int = 2,
        timeout: float = 90,
        http: httpx.Client | None = None,
    ) -> None:
        super().__init__(api_key, base_url, max_retries, timeout)
        self._http = http or httpx.Client()
        self.jobs = Jobs(self)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def scrape(self, request: models.ScrapeRequest, **options: Unpack[FileOptions]) -> models.ScrapeResponse:
        """Scrapes a page and waits for the result."""
        return cast("models.ScrapeResponse", self._run(self._core.extract("scrape", request, **options)))

    def parse(self, request: models.ParseRequest, **options: Unpack[FileOptions]) -> models.ParseResponse:
        """Extracts data from a page. The service validates the data against `schema`."""
        return cast("models.ParseResponse", self._run(self._core.extract("parse", request, **options)))

    def serp(self, request: models.SerpRequest, **options: Unpack[Options]) -> models.SerpResponse:
        """Searches with a search engine and waits for the results."""
        return cast("models.SerpResponse", self._run(self._core.extract("serp", request, **options)))

    def map(self, request: models.MapRequest, **options: Unpack[Options]) -> models.MapResponse:
        """Lists the URLs of a site, from its sitemaps, the links of the page and its feeds."""
        return cast("models.MapResponse", self._run(self._core.extract("map", request, **options)))

    def start_scrape(self, request: models.ScrapeRequest, **options: Unpack[FileStart]) -> models.Accepted:
        """Starts an asynchronous job. Read its result with `jobs.result(accepted["job_id"])`."""
        return cast("models.Accepted", self._run(self._core.create("/scrape", request, **options)))

    def start_parse(self, request: models.ParseRequest, **options: Unpack[FileStart]) -> models.Accepted:
        """Starts an asynchronous job. Read its result with `jobs.result(accepted["job_id"])`."""
        return cast("models.Accepted", self._run(self._core.create("/parse", request, **options)))

    def start_serp(self, request: models.SerpRequest, **options: Unpack[Start]) -> models.Accepted:
        """Starts an asynchronous job. Read its result with `jobs.result(accepted["job_id"])`."""
        return cast("models.Accepted", self._run(self._core.create("/serp", request, **options)))

    def start_map(self, request: models.MapRequest, **options: Unpack[Start]) -> models.Accepted:
        """Starts an asynchronous job. Read its result with `jobs.result(accepted["job_id"])`."""
        return cast("models.Accepted", self._run(self._core.create("/map", request, **options)))

    def dry_run(self, endpoint: str, request: Mapping[str, Any], *, file: File | None = None) -> dict[str, Any]:
        """Checks a request of `scrape`, `parse`, `serp`, `map`, `batch` or `crawl`, and returns its highest price.
        Creates nothing."""
        return cast("dict[str, Any]", self._run(self._core.dry_run(endpoint, request, file)))

    def batch(self, request: models.BatchRequest, *, idempotency_key: str | None = None) -> Batch:
        """Starts a batch. Iterate over the result to get the pages as they end."""
        accepted = self._run(self._core.create("/batch", request, idempotency_key=idempotency_key))
        return Batch(self, "batch", accepted["batch_id"], accepted)

    def open_batch(self, batch_id: str) -> Batch:
        """Opens a batch that was started earlier. Sends no request."""
        return Batch(self, "batch", batch_id, None)

    def crawl(self, request: models.CrawlRequest, *, idempotency_key: str | None = None) -> Batch:
        """Starts a crawl of a site. Iterate over the result to get the pages as they end."""
        accepted = self._run(self._core.create("/crawl", request, idempotency_key=idempotency_key))
        return Batch(self, "crawl", accepted["crawl_id"], accepted)

    def open_crawl(self, crawl_id: str) -> Batch:
        """Opens a crawl that was started earlier. Sends no request."""
        return Batch(self, "crawl", crawl_id, None)

    def list_batches(self, **query: Any) -> Iterator[models.Batch]:
        """Iterates over the batches, newest first."""
        return self._iterate(self._core.list_items("/batch", query))

    def list_crawls(self, **query: Any) -> Iterator[models.Crawl]:
        """Iterates over the crawls, newest first."""
        return self._iterate(self._core.list_items("/crawl", query))

    def usage(self, **query: str) -> models.UsageData:
        """Returns the balance, the period and the usage. `query` can have `from`, `to` and `group_by`."""
        return cast("models.UsageData", self._run(self._core.read_data("GET", "/usage", query=query)))

    def _run(self, steps: Steps[Any]) -> Any:
        """Carries out the steps of a call and returns its result."""
        try:
            effect = next(steps)
            while True:
                effect = steps.send(self._perform(effect))
        except StopIteration as stop:
            return stop.value

    def _iterate(self, steps: Steps[None]) -> Iterator[Any]:
        """Carries out the steps of an iteration and yields its items."""
        for effect in steps:
            while not isinstance(effect, Item):
                try:
                    effect = steps.send(self._perform(effect))
                except StopIteration:
                    return
            yield effect.value

    def _perform(self, effect: Effect) -> Any:
        """Waits, or sends a request and returns the parts of the response or the error."""
        if isinstance(effect, Sleep):
            return time.sleep(effect.seconds)
        assert isinstance(effect, Send)
        try:
            response = self._http.request(**self._to_request(effect))
        except httpx.RequestError as cause:
            return self._to_error(effect, cause)
        return response.status_code, response.headers, response.text


class AsyncJobs:
    """The same methods as Jobs."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def get(self, job_id: str, *, view: View = None) -> models.Job:
        return cast("models.Job", await self._client._run(self._client._core.get_job(job_id, view)))

    async def wait(self, job_id: str, *, max_wait: float | None = None, view: View = None) -> models.Job:
        return cast("models.Job", await self._client._run(self._client._core.wait_for_job(job_id, max_wait, view)))

    async def result(self, job_id: str, *, max_wait: float | None = None, view: View = None) -> dict[str, Any]:
        return cast("dict[str, Any]", await self._client._run(self._client._core.result(job_id, max_wait, view)))

    async def cancel(self, job_id: str) -> models.Job:
        return cast("models.Job", await self._client._run(self._client._core.cancel_job(job_id)))

    def list(self, **query: Any) -> AsyncIterator[models.Job]:
        return self._client._iterate(self._client._core.list_items("/jobs", query))


class AsyncBatch:
    """The same methods as Batch. Iterating over it yields its pages, each as soon as it has ended."""

    def __init__(self, client: AsyncClient, kind: str, id: str, accepted: Mapping[str, Any] | None) -> None:
        self.id = id
        #: The response to the request. None if the batch or crawl was opened by its id.
        self.accepted = accepted
        self._client = client
        self._path = f"/{kind}/{quote(id, '')}"

    async def status(self) -> dict[str, Any]:
        return cast("dict[str, Any]", await self._client._run(self._client._core.batch_status(self._path)))

    async def wait(self, *, max_wait: float | None = None) -> dict[str, Any]:
        return cast("dict[str, Any]", await self._client._run(self._client._core.wait_for_batch(self._path, max_wait)))

    async def cancel(self) -> dict[str, Any]:
        return cast("dict[str, Any]", await self._client._run(self._client._core.call("DELETE", self._path)))

    async def resume(self) -> dict[str, Any]:
        return cast("dict[str, Any]", await self._client._run(self._client._core.call("POST", f"{self._path}/resume")))

    def pages(self) -> AsyncIterator[dict[str, Any]]:
        return self._client._iterate(self._client._core.pages(self._path))

    def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        return self.pages()


class AsyncClient(_Base):
    """A client for asyncio with the same parameters and methods as Client. Each event loop needs its own client."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        max_retries: int = 2,
        timeout: float = 90,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(api_key, base_url, max_retries, timeout)
        self._http = http or httpx.AsyncClient()
        self.jobs = AsyncJobs(self)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def scrape(self, request: models.ScrapeRequest, **options: Unpack[FileOptions]) -> models.ScrapeResponse:
        return cast("models.ScrapeResponse", await self._run(self._core.extract("scrape", request, **options)))

    async def parse(self, request: models.ParseRequest, **options: Unpack[FileOptions]) -> models.ParseResponse:
        return cast("models.ParseResponse", await self._run(self._core.extract("parse", request, **options)))

    async def serp(self, request: models.SerpRequest, **options: Unpack[Options]) -> models.SerpResponse:
        return cast("models.SerpResponse", await self._run(self._core.extract("serp", request, **options)))

    async def map(self, request: models.MapRequest, **options: Unpack[Options]) -> models.MapResponse:
        return cast("models.MapResponse", await self._run(self._core.extract("map", request, **options)))

    async def start_scrape(self, request: models.ScrapeRequest, **options: Unpack[FileStart]) -> models.Accepted:
        return cast("models.Accepted", await self._run(self._core.create("/scrape", request, **options)))

    async def start_parse(self, request: models.ParseRequest, **options: Unpack[FileStart]) -> models.Accepted:
        return cast("models.Accepted", await self._run(self._core.create("/parse", request, **options)))

    async def start_serp(self, request: models.SerpRequest, **options: Unpack[Start]) -> models.Accepted:
        return cast("models.Accepted", await self._run(self._core.create("/serp", request, **options)))

    async def start_map(self, request: models.MapRequest, **options: Unpack[Start]) -> models.Accepted:
        return cast("models.Accepted", await self._run(self._core.create("/map", request, **options)))

    async def dry_run(self, endpoint: str, request: Mapping[str, Any], *, file: File | None = None) -> dict[str, Any]:
        return cast("dict[str, Any]", await self._run(self._core.dry_run(endpoint, request, file)))

    async def batch(self, request: models.BatchRequest, *, idempotency_key: str | None = None) -> AsyncBatch:
        accepted = await self._run(self._core.create("/batch", request, idempotency_key=idempotency_key))
        return AsyncBatch(self, "batch", accepted["batch_id"], accepted)

    def open_batch(self, batch_id: str) -> AsyncBatch:
        return AsyncBatch(self, "batch", batch_id, None)

    async def crawl(self, request: models.CrawlRequest, *, idempotency_key: str | None = None) -> AsyncBatch:
        accepted = await self._run(self._core.create("/crawl", request, idempotency_key=idempotency_key))
        return AsyncBatch(self, "crawl", accepted["crawl_id"], accepted)

    def open_crawl(self, crawl_id: str) -> AsyncBatch:
        return AsyncBatch(self, "crawl", crawl_id, None)

    def list_batches(self, **query: Any) -> AsyncIterator[models.Batch]:
        return self._iterate(self._core.list_items("/batch", query))

    def list_crawls(self, **query: Any) -> AsyncIterator[models.Crawl]:
        return self._iterate(self._core.list_items("/crawl", query))

    async def usage(self, **query: str) -> models.UsageData:
        return cast("models.UsageData", await self._run(self._core.read_data("GET", "/usage", query=query)))

    async def _run(self, steps: Steps[Any]) -> Any:
        try:
            effect = next(steps)
            while True:
                effect = steps.send(await self._perform(effect))
        except StopIteration as stop:
            return stop.value

    async def _iterate(self, steps: Steps[None]) -> AsyncIterator[Any]:
        for effect in steps:
            while not isinstance(effect, Item):
                try:
                    effect = steps.send(await self._perform(effect))
                except StopIteration:
                    return
            yield effect.value

    async def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Sleep):
            return await asyncio.sleep(effect.seconds)
        assert isinstance(effect, Send)
        try:
            response = await self._http.request(**self._to_request(effect))
        except httpx.RequestError as cause:
            return self._to_error(effect, cause)
        return response.status_code, response.headers, response.text
