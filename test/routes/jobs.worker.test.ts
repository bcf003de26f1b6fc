import { describe, expect, it } from "vitest";
import { toIdTime } from "../../src/lib/id";
import { DAY_MS } from "../../src/model/limits";
import { sqlIn } from "../support/account";
import { createClient, page, querySite, read, refOf } from "../support/client";
import { completeJob } from "../support/complete-job";

interface List {
  data: { job_id: string; status: string; endpoint: string; result?: unknown }[];
  pagination: {
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    next_cursor?: string;
    archived_before?: string;
  };
}

/** Returns the date of a time (YYYY-MM-DD, UTC), moved by a number of days. */
function toDay(at: Date, days: number): string {
  return new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

describe("the list of jobs", () => {
  it("has pages, newest first, and filters", async () => {
    const { scrape, call } = await createClient();
    const ids: string[] = [];
    for (const behavior of ["article", "status?code=404", "article"])
      ids.push((await read(await scrape({ url: page(behavior) }))).job_id);
    const list = async (query: string) =>
      await call("GET", `/v1/jobs?${query}`).then((response) => response.json<List>());

    const all = await list("");
    expect(all.data.map((job) => job.job_id)).toEqual(ids.toReversed());
    expect(all.pagination).toEqual({ total: 3, limit: 20, offset: 0, has_more: false });
    expect(all.data[0]?.result).toMatchObject({ markdown: expect.stringContaining("Tide tables") });

    const second = await list("limit=1&offset=1");
    expect(second.data.map((job) => job.job_id)).toEqual([ids[1]]);
    expect(second.pagination).toEqual({ total: 3, limit: 1, offset: 1, has_more: true, next_cursor: ids[1] });
    const third = await list(`limit=1&cursor=${second.pagination.next_cursor}`);
    expect(third.data.map((job) => job.job_id)).toEqual([ids[0]]);
    expect(third.pagination).toEqual({ total: 3, limit: 1, offset: 0, has_more: false });

    expect((await list("status=failed")).data.map((job) => job.job_id)).toEqual([ids[1]]);
    expect((await list("status=completed&endpoint=scrape")).pagination.total).toBe(2);
    expect((await list("endpoint=serp")).data).toEqual([]);
    const code = await list("code=target_http_error&q=STATUS&from=2026-01-01&to=2999-01-01T00:00:00%2B01:00");
    expect(code.data.map((job) => job.job_id)).toEqual([ids[1]]);
    expect((await list("outcome=ok")).pagination.total).toBe(2);
    expect((await list("to=2026-01-01")).data).toEqual([]);
  });

  it("includes the whole day of a date, and ends before a time", async () => {
    const { accountId, call } = await createClient();
    const account = await refOf(accountId);
    const job = await completeJob(account, "ok");
    const at = new Date(toIdTime(job.id));
    const day = at.toISOString().slice(0, 10);
    const count = async (query: string) =>
      (await (await call("GET", `/v1/jobs?${query}`)).json<List>()).pagination.total;
    const found = await Promise.all(
      [
        `from=${day}&to=${day}`,
        `from=${at.toISOString()}`,
        `to=${at.toISOString()}`,
        `to=${toDay(at, -1)}`,
        `from=${toDay(at, 1)}`,
      ].map(count),
    );
    expect(found).toEqual([1, 1, 0, 0, 0]);
  });

  it("shows who sent each request, what it was, and how it ended", async () => {
    const { keyId, scrape, call } = await createClient();
    const [article, missing] = [page("article"), page("status?code=404")];
    const ok = await read(await scrape({ url: article }));
    const failed = await read(await scrape({ url: missing }));
    const { data } = await (await call("GET", "/v1/jobs")).json<List>();
    const [second, first] = data;
    expect(first).toMatchObject({
      job_id: ok.job_id,
      key_id: keyId,
      request: { url: article, formats: ["markdown"], only_main_content: true },
      outcome: "ok",
    });
    expect(second).toMatchObject({
      job_id: failed.job_id,
      key_id: keyId,
      request: { url: missing },
      error: { code: "target_http_error" },
    });
    expect(second).not.toHaveProperty("outcome");
    for (const listed of data) {
      const { success: _, ...job } = await read(await call("GET", `/v1/jobs/${listed.job_id}`));
      expect(job).toEqual(listed);
    }
  });

  it("shows no secrets of a request", async () => {
    const { call } = await createClient({ mode: "test" });
    const secret = "sk_live_0123456789abcdefghijABCDEFGHIJ01234567";
    const { job_id } = await read(
      await call("POST", "/v1/scrape", {
        url: `https://example.com/?key=${secret}&access_token=opaque`,
        webhook_url: "https://hooks.example.com/services/T0/B0/secret?token=hidden",
      }),
    );
    const one = await (await call("GET", `/v1/jobs/${job_id}`)).text();
    const list = await (await call("GET", "/v1/jobs")).text();
    for (const text of [one, list]) {
      expect(text).toContain("https://hooks.example.com/…");
      expect(text).toContain("https://example.com/?key=sk_live_…&access_token=…");
      for (const hidden of [secret, "services", "hidden", "opaque"]) expect(text).not.toContain(hidden);
    }
  });

  it.each([
    [16_384, false],
    [16_385, true],
    [70_000, true],
  ])("with a request of %d bytes leaves it out: %s", async (bytes, isOmitted) => {
    const { call } = await createClient({ mode: "test" });
    const body = { html: "", prompt: "What is it?" };
    body.html = `ü${"x".repeat(bytes - JSON.stringify(body).length - 2)}`;
    const { job_id } = await read(await call("POST", "/v1/parse?wait=true", body));
    const job = await read(await call("GET", `/v1/jobs/${job_id}`));
    const { data } = await (await call("GET", "/v1/jobs")).json<List>();
    const expected = isOmitted ? { request: null, request_truncated: true } : { request: body };
    expect(job).toMatchObject(expected);
    expect(data).toMatchObject([expected]);
  });

  it("shows no request after its retention period", async () => {
    const { accountId, call } = await createClient();
    const account = await refOf(accountId);
    const job = await completeJob(account, "ok");
    await sqlIn(account, "UPDATE jobs SET request = NULL, expired = 1 WHERE id = ?1", job.id);
    const { data } = await (await call("GET", "/v1/jobs")).json<List>();
    expect(data).toMatchObject([{ request: null }]);
    expect(data[0]).not.toHaveProperty("request_truncated");
  });

  it("omits archived jobs, and says so if the range includes them", async () => {
    const { accountId, call } = await createClient();
    const account = await refOf(accountId);
    const job = await completeJob(account, "ok");
    const list = async (query: string) => await (await call("GET", `/v1/jobs?${query}`)).json<List>();
    expect((await list("")).pagination).not.toHaveProperty("archived_before");
    const tomorrow = toDay(new Date(toIdTime(job.id)), 1);
    await sqlIn(account, "UPDATE account SET archived_before = ?1", tomorrow);
    for (const query of ["", "outcome=ok", "from=2026-01-01&q=example", "status=queued&code=dns_failure"]) {
      const { data, pagination } = await list(query);
      expect([query, data, pagination.total, pagination.archived_before]).toEqual([
        query,
        [],
        0,
        `${tomorrow}T00:00:00.000Z`,
      ]);
    }
    expect((await list(`from=${tomorrow}`)).pagination).not.toHaveProperty("archived_before");
  });

  it("can be limited to an outcome", async () => {
    const { accountId, call } = await createClient();
    const account = await refOf(accountId);
    const login = await completeJob(account, "login");
    for (const outcome of ["ok", "paywall", "ok"] as const) await completeJob(account, outcome);
    const list = async (query: string) =>
      await call("GET", `/v1/jobs?${query}`).then((response) => response.json<List>());
    expect((await list("outcome=login")).data.map((job) => job.job_id)).toEqual([login.id]);
    expect((await list("outcome=ok")).pagination.total).toBe(2);
    for (const query of ["outcome=parked", "outcome=login&status=failed", "outcome=login&code=dns_failure"])
      expect((await list(query)).data).toEqual([]);
  });

  it("can be limited to one key, and always is for a test key", async () => {
    const first = await createClient();
    const second = await createClient({ accountId: first.accountId });
    await first.scrape({ url: page("article") });
    const list = async (client: typeof first, query: string) =>
      (await (await client.call("GET", `/v1/jobs?${query}`)).json<List>()).data.length;
    expect(await list(second, "")).toBe(1);
    expect(await list(second, `key_id=${first.keyId}`)).toBe(1);
    expect(await list(second, `key_id=${second.keyId}`)).toBe(0);
    const test = await createClient({ accountId: first.accountId, mode: "test" });
    expect(await list(test, `key_id=${test.keyId}`)).toBe(0);
    const response = await test.call("GET", `/v1/jobs?key_id=${first.keyId}`);
    expect([response.status, (await read(response)).error.message]).toEqual([
      400,
      "The parameter 'key_id' must be the id of the test key that sends the request, because a test key lists only its own jobs.",
    ]);
  });

  it.each([
    ["since=2026-11-01", "from"],
    ["end_date=2026-11-01", "to"],
    ["search=example", "q"],
    ["keyid=dashboard", "key_id"],
    ["statuss=failed", "status"],
  ])("suggests the filter that %s probably means", async (query, name) => {
    const { call } = await createClient();
    const response = await call("GET", `/v1/jobs?${query}`);
    expect([response.status, (await read(response)).error.message]).toEqual([
      400,
      expect.stringContaining(`Did you mean '${name}'?`),
    ]);
  });

  it("explains how to continue if the offset is too large", async () => {
    const { call } = await createClient();
    const { error } = await read(await call("GET", "/v1/jobs?offset=10001"));
    expect(error.message).toBe(
      "The parameter 'offset' must be a whole number from 0 to 10000, not '10001'; use 'cursor' to go further.",
    );
  });

  it.each([
    "limit=101",
    "limit=0",
    "limit=x",
    "limit=1e1",
    "limit=",
    "offset=-1",
    "status=done",
    "endpoint=crawl",
    "page=2",
    "code=nonsense",
    "outcome=nonsense",
    "from=yesterday",
    "to=2026-13-01",
    "from=2026-11-02&to=2026-11-01",
    "from=2026-11-01T10:00:00Z&to=2026-11-01T10:00:00Z",
    "q=",
    "cursor=nonsense",
    "cursor=0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11&offset=1",
  ])("refuses %s", async (query) => {
    const { call } = await createClient();
    const response = await call("GET", `/v1/jobs?${query}`);
    expect([response.status, (await read(response)).error.code]).toEqual([400, "invalid_request"]);
  });
});

describe("a job", () => {
  it("isn't found in another account or mode, or with an invalid id", async () => {
    const owner = await createClient();
    const { job_id } = await read(await owner.scrape({ url: page("article") }));
    expect((await owner.call("GET", `/v1/jobs/${job_id}`)).status).toBe(200);
    const stranger = await createClient();
    const test = await createClient({ accountId: owner.accountId, mode: "test" });
    for (const [client, id] of [
      [stranger, job_id],
      [test, job_id],
      [owner, "00000000-0000-7000-8000-000000000000"],
      [owner, "x"],
      [owner, "'; DROP TABLE jobs; --"],
    ] as const) {
      const response = await client.call("GET", `/v1/jobs/${encodeURIComponent(id)}`);
      expect([response.status, (await read(response)).error.code]).toEqual([404, "not_found"]);
    }
    expect((await stranger.call("GET", "/v1/jobs").then((response) => response.json<List>())).data).toEqual([]);
  });

  it("holds the response until it has ended, if requested", async () => {
    const { call } = await createClient();
    const url = page("held");
    const { job_id } = await read(await call("POST", "/v1/scrape", { url }));
    const first = await read(await call("GET", `/v1/jobs/${job_id}`));
    expect(["queued", "processing"]).toContain(first.status);
    expect(Object.keys(first).sort()).toEqual([
      "created_at",
      "endpoint",
      "job_id",
      "key_id",
      "request",
      "status",
      "success",
    ]);
    await expect.poll(() => querySite("hits", url)).toBe(1);
    const waiting = call("GET", `/v1/jobs/${job_id}?wait=20`);
    await querySite("release", url);
    expect((await read(await waiting)).status).toBe("completed");
  });

  it.each(["wait=31", "wait=-1", "wait=true", "wiat=1"])("refuses %s", async (query) => {
    const { call } = await createClient();
    expect((await call("GET", `/v1/jobs/00000000-0000-7000-8000-000000000000?${query}`)).status).toBe(400);
  });
});
