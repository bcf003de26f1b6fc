from __future__ import annotations

import asyncio
import io
import json
import pickle
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import Service
from web_data_extraction import AsyncClient, Client, ExtractionError

META = {"processing_time_ms": 12, "credits_used": 1}
RESULT = {"success": True, "data": {"text": "It came."}, "meta": META, "job_id": "job-1"}
ACCEPTED = {"success": True, "job_id": "job-1", "status": "queued", "meta": META}
QUEUED = {"success": True, "job_id": "job-1", "status": "queued"}
COMPLETED = {**QUEUED, "status": "completed", "result": {"text": "It came."}, "meta": META}
URL = {"url": "https://example.com/"}


def connect(service: Service, **options: Any) -> Client:
    return Client("sk_test_1", service.url, **options)


def failure_of(service: Service, **options: Any) -> ExtractionError:
    with connect(service, **options) as client, pytest.raises(ExtractionError) as caught:
        client.scrape({"url": "https://example.com/"})
    return caught.value


def test_sends_the_request_and_returns_the_result(service: Service) -> None:
    service.add(RESULT)
    with connect(service) as client:
        page = client.scrape({"url": "https://example.com/", "formats": ["text"]})
    assert page["data"]["text"] == "It came."
    [request] = service.requests
    assert (request["method"], request["path"]) == ("POST", "/v1/scrape?wait=true")
    assert request["headers"]["authorization"] == "Bearer sk_test_1"
    assert json.loads(request["body"]) == {**URL, "formats": ["text"]}


def test_has_an_error_that_can_be_copied(service: Service) -> None:
    service.add({"success": False, "error": {"code": "invalid_request", "message": "No.", "details": "none"}}, status=400)
    error = failure_of(service)
    copied = pickle.loads(pickle.dumps(error))
    assert (copied.code, copied.status, copied.details, str(copied)) == ("invalid_request", 400, [], str(error))


@pytest.mark.parametrize("body", [{}, [], {"data": {}}])
def test_refuses_a_response_of_another_server(service: Service, body: Any) -> None:
    service.add(body)
    assert failure_of(service).code == "invalid_response"


@pytest.mark.parametrize("url", ["ftp://a.example", "http://", "http://[::1", "https://user:word@a.example", "https://a.example?a=1"])
def test_refuses_a_base_url(url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Client("sk_test_1", url)


def test_reads_the_variables(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    service.add({"success": True, "data": {"balance": 7}})
    monkeypatch.setenv("EXTRACTION_API_KEY", "sk_test_2")
    monkeypatch.setenv("EXTRACTION_BASE_URL", f"{service.url}/")
    with Client() as client:
        assert client.usage(group_by="day,code")["balance"] == 7
    assert service.requests[0]["path"] == "/v1/usage?group_by=day%2Ccode"
    monkeypatch.delenv("EXTRACTION_API_KEY")
    with pytest.raises(ValueError, match="EXTRACTION_API_KEY"):
        Client()


def test_an_error_names_the_field_the_hint_and_the_request(service: Service) -> None:
    details = [{"path": "formats.0", "message": "is unknown"}]
    help = {"hint": "Use text.", "doc_url": "https://d.example/"}
    service.fail("invalid_request", 400, retryable=False, details=details, **help)
    error = failure_of(service)
    assert (error.code, error.status, error.retryable, error.details) == ("invalid_request", 400, False, details)
    assert (error.hint, error.doc_url, error.request_id, error.job_id) == (
        "Use text.",
        "https://d.example/",
        "request-1",
        None,
    )
    for part in ("formats.0: is unknown", "Use text.", "request-1"):
        assert part in str(error)


@pytest.mark.parametrize("reply", ["429", "unavailable", "gateway", "hang up"])
def test_retries_with_the_same_idempotency_key(service: Service, delays: list[float], reply: str) -> None:
    if reply == "429":
        service.fail("rate_limited", 429, headers={"retry-after": "2"})
    elif reply == "unavailable":
        service.fail("unavailable", 503)
    elif reply == "gateway":
        service.add("<h1>Bad Gateway</h1>", 502)
    else:
        service.replies.append(None)
    service.add(RESULT)
    with connect(service) as client:
        client.scrape({"url": "https://example.com/"})
    first, second = (request["headers"]["idempotency-key"] for request in service.requests)
    assert first == second
    [delay] = delays
    assert (2 <= delay <= 2.25) if reply == "429" else (0.25 <= delay <= 0.5)


def test_gives_up_after_the_last_retry(service: Service, delays: list[float]) -> None:
    for _ in range(3):
        service.fail("unavailable", 503)
    assert failure_of(service).code == "unavailable"
    assert len(delays) == 2


def test_does_not_retry_a_failed_job_or_after_a_long_retry_after(service: Service) -> None:
    service.fail("rate_limited", 429, headers={"retry-after": "61"})
    assert failure_of(service).retry_after == 61
    error = {"code": "dns_failure", "message": "Not found.", "retryable": True}
    service.add({"success": False, "job_id": "job-1", "error": error}, 502)
    assert failure_of(service).job_id == "job-1"
    assert len(service.requests) == 2


def test_a_post_without_a_key_is_not_repeated_after_it_may_have_had_an_effect(service: Service) -> None:
    service.replies.append(None)
    with connect(service) as client, pytest.raises(ExtractionError) as caught:
        client.open_batch("batch-1").resume()
    assert caught.value.code == "network_error"
    assert len(service.requests) == 1


def test_other_servers_are_no_success(service: Service) -> None:
    service.add("<h1>Welcome</h1>")
    error = failure_of(service)
    assert (error.code, error.retryable) == ("invalid_response", False)


def test_waits_for_a_job_that_takes_longer_than_the_first_request(service: Service, delays: list[float]) -> None:
    for reply in (ACCEPTED, QUEUED, COMPLETED):
        service.add(reply)
    with connect(service) as client:
        page = client.scrape({"url": "https://example.com/", "max_chars": 9})
    assert page["data"]["text"] == "It came."
    assert [request["path"] for request in service.requests[1:]] == ["/v1/jobs/job-1?max_chars=9&wait=10"] * 2


def test_jobs(service: Service, delays: list[float]) -> None:
    service.add(ACCEPTED)
    service.add({**QUEUED, "status": "failed", "error": {"code": "job_timeout", "message": "Too long.", "hint": "h"}})
    service.add({**COMPLETED, "result": None})
    service.add(QUEUED)
    service.add({"success": True, "data": [QUEUED], "pagination": {"has_more": True, "next_cursor": "c"}})
    service.add({"success": True, "data": [COMPLETED], "pagination": {"has_more": False}})
    with connect(service) as client:
        job_id = client.start_scrape({"url": "https://example.com/"}, idempotency_key="mine")["job_id"]
        assert service.requests[0]["headers"]["idempotency-key"] == "mine"
        with pytest.raises(ExtractionError) as failed:
            client.jobs.result(job_id)
        assert (failed.value.code, failed.value.job_id, failed.value.retryable) == ("job_timeout", "job-1", True)
        with pytest.raises(ExtractionError, match="result_expired"):
            client.jobs.result(job_id)
        with pytest.raises(ExtractionError, match="wait_timeout"):
            client.jobs.wait(job_id, max_wait=0)
        jobs = [job["status"] for job in client.jobs.list(status="failed", metadata={"a": 1})]
    assert jobs == ["queued", "completed"]
    assert [request["path"] for request in service.requests[-2:]] == [
        "/v1/jobs?status=failed&metadata%5Ba%5D=1",
        "/v1/jobs?status=failed&metadata%5Ba%5D=1&cursor=c",
    ]


@pytest.mark.parametrize("kind", ["path", "bytes", "file"])
def test_uploads_a_file(service: Service, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(b"# Notes")
    service.add(RESULT)
    with connect(service) as client:
        files: dict[str, Any] = {"path": path, "bytes": b"# Notes", "file": io.BytesIO(b"# Notes")}
        client.scrape({"formats": ["text"]}, file=files[kind])
    body = service.requests[0]["body"]
    assert b"# Notes" in body and b'{"formats": ["text"]}' in body
    assert (b'filename="notes.md"' in body) == (kind == "path")


def page_of(number: int, status: str, **more: Any) -> dict[str, Any]:
    url = f"https://example.com/{number}"
    return {"number": number, "url": url, "status": status, "job_id": f"job-{number}", **more}


def add_batch(service: Service) -> None:
    service.add({"success": True, "batch_id": "batch-1", "status": "queued"}, 202)
    first, second = page_of(1, "queued"), page_of(2, "completed", result={"text": "2"})
    service.add({"success": True, "status": "processing", "pages": [first, second]})
    done = page_of(1, "completed", result=None, result_truncated=True)
    service.add({"success": True, "status": "completed", "completed_at": "t", "pages": [done]})
    service.add(COMPLETED)
    service.add({"success": True, "status": "completed", "completed_at": "t", "pages": []})
    service.add({"success": True, "status": "failed", "error": {"code": "canceled", "message": "Canceled."}})


def test_iterates_over_pages_as_they_end(service: Service, delays: list[float]) -> None:
    add_batch(service)
    found = []
    with connect(service) as client, pytest.raises(ExtractionError, match="canceled"):
        for page in client.batch({"endpoint": "scrape", "requests": [{"url": "https://example.com/"}]}):
            found.append((page["number"], page["result"]["text"]))
    assert found == [(2, "2"), (1, "It came.")]
    paths = [request["path"].partition("/v1")[2] for request in service.requests]
    assert paths == [
        "/batch",
        "/batch/batch-1?cursor=0&limit=100",
        "/batch/batch-1?cursor=0&limit=1",
        "/jobs/job-1",
        "/batch/batch-1?cursor=2&limit=100",
        "/batch/batch-1?limit=1&results=none",
    ]


def test_the_async_client_does_the_same(service: Service, delays: list[float]) -> None:
    service.fail("unavailable", 503)
    service.add(RESULT)
    add_batch(service)

    async def run() -> list[int]:
        found = []
        async with AsyncClient("sk_test_1", service.url) as client:
            assert (await client.scrape({"url": "https://example.com/"}))["data"]["text"] == "It came."
            batch = await client.batch({"endpoint": "scrape", "requests": [{"url": "https://example.com/"}]})
            with pytest.raises(ExtractionError, match="canceled"):
                async for page in batch:
                    found.append(page["number"])
        return found

    assert asyncio.run(run()) == [2, 1]


def test_a_dry_run_and_a_crawl(service: Service) -> None:
    service.add({"success": True, "dry_run": True, "data": {"max_credits": 3}})
    service.add({"success": True, "crawl_id": "crawl-1", "status": "queued"}, 202)
    service.add({"success": True, "status": "completed", "pages": [], "counts": {"completed": 0}})
    service.add({"success": True, "crawl_id": "crawl-1", "status": "failed"})
    with connect(service) as client:
        assert client.dry_run("scrape", URL)["max_credits"] == 3
        crawl = client.crawl({"url": "https://example.com/", "limit": 2})
        assert crawl.wait(max_wait=60) == {"status": "completed", "counts": {"completed": 0}}
        assert crawl.cancel()["status"] == "failed"
    assert [request["method"] for request in service.requests] == ["POST", "POST", "GET", "DELETE"]


def test_retry_after_can_be_a_date(service: Service) -> None:
    date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 600))
    service.fail("unavailable", 503, headers={"retry-after": date})
    assert 500 < (failure_of(service).retry_after or 0) <= 600
