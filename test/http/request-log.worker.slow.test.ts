import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../src/app";
import { runJob } from "../../src/jobs/run-job";
import type { AccountRef } from "../../src/model/account";
import { objectOf } from "../support/account";
import {
  createAccount,
  createClient,
  ORIGIN,
  page,
  read,
  readContract,
  request,
  site,
  waitForAllJobs,
} from "../support/client";
import { createTestJob, messageOf } from "../support/jobs";
import { recordLines } from "../support/lines";
import { signUp } from "../support/visitor";

afterEach(async () => {
  await waitForAllJobs();
  vi.restoreAllMocks();
});

// Loads the OpenAPI document before the tests capture the log. `request` checks responses against this document.
await readContract();

const aNumber = expect.any(Number);

/** Returns the log lines of an account's jobs. Jobs of other tests can end at any time. */
function linesOfJobs(lines: ReturnType<typeof recordLines>, accountId: string) {
  return lines.of("job").filter(({ account_id }) => account_id === accountId);
}

describe("the log line of a request", () => {
  it("has the caller, the route, the status, the duration and the job", async () => {
    const client = await createClient();
    const lines = recordLines();
    const response = await client.scrape({ url: page("article") });
    const { job_id } = await read(response);
    const line = {
      level: "info",
      event: "request",
      request_id: response.headers.get("x-request-id"),
      method: "POST",
      route: "/v1/scrape",
      status: 200,
      ms: aNumber,
      key_id: client.keyId,
      account_id: client.accountId,
      mode: "live",
      job_id,
    };
    expect(lines.of("request")).toEqual([line]);
    const again = await client.call("GET", `/v1/jobs/${job_id}`);
    const request_id = again.headers.get("x-request-id");
    expect(lines.of("request")[1]).toEqual({ ...line, request_id, method: "GET", route: "/v1/jobs/:id" });
  });

  it("has the code of the error and the failed job", async () => {
    const client = await createClient();
    const lines = recordLines();
    const { job_id } = await read(await client.scrape({ url: `${page("status")}?code=404` }));
    expect(lines.of("request")).toMatchObject([{ status: 502, code: "target_http_error", job_id }]);
    expect(linesOfJobs(lines, client.accountId)).toMatchObject([
      { status: "failed", code: "target_http_error", job_id, credits: 0 },
    ]);
  });

  it.each([
    ["GET", "/v1/jobs/a-secret", "/v1/jobs/:id", 404, "not_found"],
    ["GET", "/v1/nothing/a-secret", "/v1/*", 404, "not_found"],
    ["DELETE", "/v1/scrape", "/v1/*", 405, "method_not_allowed"],
    ["POST", "/v1/scrape", "/v1/scrape", 415, "unsupported_media_type"],
  ])("of %s %s has the route %s", async (method, path, route, status, code) => {
    const client = await createClient();
    const lines = recordLines();
    await client.call(method, path);
    expect(lines.of("request")).toMatchObject([{ method, route, status, code, key_id: client.keyId }]);
    expect(lines.text()).not.toContain("a-secret");
  });

  it("of a preflight or a request without a key has no key and account", async () => {
    const lines = recordLines();
    await request("/v1/scrape", { method: "OPTIONS", headers: { origin: "https://a.example" } });
    await request("/v1/scrape", { method: "POST" });
    const [preflight, keyless] = lines.of("request");
    expect(preflight).toMatchObject({ method: "OPTIONS", route: "/v1/*", status: 204 });
    expect(keyless).toMatchObject({ route: "/v1/scrape", status: 401, code: "missing_api_key" });
    for (const line of [preflight, keyless]) expect(line).not.toHaveProperty("key_id");
  });

  it.each(["/v1/usage", "/admin/v1/accounts", "/dashboard/sign-in"])("of %s has the response's id", async (path) => {
    const lines = recordLines();
    const { headers } = await request(path);
    expect(lines.of("request")).toMatchObject([{ request_id: headers.get("x-request-id") }]);
  });

  it("has the key id if the key is refused", async () => {
    const client = await createClient({ accountId: await createAccount({ ratePerMinute: 1 }) });
    await client.call("GET", "/v1/usage");
    const lines = recordLines();
    await client.call("GET", "/v1/usage");
    expect(lines.of("request")).toMatchObject([{ status: 429, code: "rate_limited", key_id: client.keyId }]);
  });

  it("of a tool call has the job", async () => {
    const client = await createClient();
    const lines = recordLines();
    const params = { name: "scrape", arguments: { url: page("article") } };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const init = { headers: { accept: "application/json, text/event-stream" } };
    await (await client.call("POST", "/mcp", body, init)).text();
    const [job] = linesOfJobs(lines, client.accountId);
    expect(lines.of("request")).toMatchObject([
      { route: "/mcp", tool: "scrape", key_id: client.keyId, job_id: job?.job_id },
    ]);
  });

  it("of the admin API has the route and the code of the error", async () => {
    const lines = recordLines();
    await request("/admin/v1/accounts/a-secret");
    expect(lines.of("request")).toMatchObject([
      { route: "/admin/v1/accounts/:id", status: 401, code: "invalid_api_key" },
    ]);
    expect(lines.text()).not.toContain("a-secret");
  });

  it("has the path without the query under npm start, if no route matches", async () => {
    const lines = recordLines();
    const local = { ...env, LOCAL_RECEIVERS: [] };
    const url = `${ORIGIN}/v1/${"x".repeat(60)}%0A/sk_live_a-secret/${"y".repeat(100)}?token=a-secret`;
    await app.fetch(new Request(url), local, createExecutionContext());
    expect(lines.of("request")[0]?.path).toMatch(/^\/v1\/x{60}%0A\/sk_live_…$/);
    expect(lines.text()).not.toContain("a-secret");
  });

  it("of the dashboard has the user and the account, but no token of a link", async () => {
    const { visitor } = await signUp();
    const lines = recordLines();
    await visitor.read("/dashboard");
    await visitor.read("/dashboard/link?token=a-secret-token");
    await visitor.get("/dashboard/verify?token=a-secret-token");
    await visitor.get("/dashboard/jobs/a-secret-token");
    const [overview, link, verify, job] = lines.of("request");
    expect(overview).toMatchObject({ route: "/dashboard", status: 200, user_id: expect.any(String), mode: "live" });
    expect(overview).toHaveProperty("account_id", expect.any(String));
    expect(link).toMatchObject({ route: "/dashboard/link", status: 200 });
    expect(verify).toMatchObject({ route: "/dashboard/verify" });
    expect(job).toMatchObject({ route: "/dashboard/jobs/:id", status: 404 });
    expect(lines.text()).not.toContain("a-secret-token");
  });
});

describe("the log line of a job", () => {
  it("has the outcome, the number of runs, the durations and the credits", async () => {
    const lines = recordLines();
    const job = await createTestJob(page("article"));
    await runJob(env, messageOf(job));
    expect(linesOfJobs(lines, job.account.id)).toEqual([
      {
        level: "info",
        event: "job",
        job_id: job.id,
        account_id: job.account.id,
        mode: "live",
        endpoint: "scrape",
        rendered: false,
        host: new URL(page("article")).hostname,
        status: "completed",
        outcome: "ok",
        runs: 1,
        queue_ms: aNumber,
        processing_ms: aNumber,
        credits: 1,
      },
    ]);
  });

  it("has the outcome of a page without content", async () => {
    const lines = recordLines();
    const body = "<title>Page not found</title><main><h1>404</h1><p>This page doesn't exist.</p></main>";
    const job = await createTestJob(`${page("type")}?${new URLSearchParams({ type: "text/html", body })}`);
    await runJob(env, messageOf(job));
    expect(linesOfJobs(lines, job.account.id)).toMatchObject([
      { status: "completed", outcome: "soft_404", credits: 0 },
    ]);
  });

  it("is written once, even if the job's message arrives several times", async () => {
    const lines = recordLines();
    const job = await createTestJob(page("article"));
    await runJob(env, messageOf(job));
    await runJob(env, messageOf(job));
    expect(linesOfJobs(lines, job.account.id)).toHaveLength(1);
  });
});

describe("the log line of an unexpected error", () => {
  it("has the request and the job", async () => {
    const client = await createClient();
    const lines = recordLines();
    const body = { html: "<p>A page that is long enough to be read.</p>", prompt: "[[error-500]]" };
    const response = await client.call("POST", "/v1/parse?wait=true", body);
    const { job_id } = await read(response);
    const owner = { request_id: response.headers.get("x-request-id"), job_id };
    expect(lines.of("model_try_failed")[0]).toMatchObject(owner);
    expect(linesOfJobs(lines, client.accountId)).toMatchObject([owner]);
  });
});

describe("no log line", () => {
  const MARK = "mark4b1d";

  it("contains content of a request, a page or a result", async () => {
    const client = await createClient();
    const { call } = client;
    const lines = recordLines();
    const html = `<html><body><main><h1>${MARK}</h1><p>${`${MARK} words `.repeat(50)}</p></main></body></html>`;
    const schema = { type: "object", properties: { [MARK]: { type: "string" } } };
    const json = { "content-type": "application/json" };
    await call("POST", "/v1/scrape?wait=true", { url: `${page("type")}?type=text/html&body=${MARK}` });
    await call("POST", "/v1/scrape?wait=true", { url: `${page("article")}?${MARK}`, include_selectors: [`.${MARK}`] });
    await call("POST", "/v1/scrape?wait=true", { url: `https://${MARK}.invalid/${MARK}` });
    await call("POST", "/v1/scrape", { url: page("article") }, { headers: { "idempotency-key": MARK } });
    await call("POST", "/v1/scrape", { url: page("article"), [MARK]: true });
    await call("POST", `/v1/scrape?${MARK}=1`, { url: page("article") }, { headers: { "x-request-id": MARK } });
    await call("POST", "/v1/scrape", undefined, { headers: json, body: `{"url": "${MARK}` });
    await call("POST", "/v1/parse?wait=true", { html, schema, prompt: `${MARK} [[error-500 ${MARK}]]` });
    await call("POST", "/v1/parse?wait=true", { html, prompt: `[[good ${MARK} {"name": "${MARK}"}]]` });
    await call("POST", "/v1/serp?wait=true", { query: MARK });
    await call("POST", "/v1/keys", { name: MARK });
    await call("PUT", "/v1/webhooks", { url: `https://receiver.example/${MARK}` });
    await call("GET", `/v1/jobs/${MARK}?${MARK}`);
    await request(`/screenshots/${MARK}?signature=${MARK}&expires=1`);
    await request(`/${MARK}`, { headers: { authorization: `Bearer ${MARK}`, cookie: `a=${MARK}`, referer: MARK } });
    await waitForAllJobs();
    expect(lines.of("request").map(({ status, code }) => code ?? status)).toEqual([
      200,
      200,
      "invalid_target",
      202,
      "invalid_request",
      "invalid_request",
      "invalid_json",
      "model_failed",
      200,
      200,
      201,
      200,
      "invalid_request",
      "not_found",
      "not_found",
    ]);
    expect(linesOfJobs(lines, client.accountId).map(({ code, outcome }) => code ?? outcome)).toContain("model_failed");
    expect(linesOfJobs(lines, client.accountId)).toHaveLength(6);
    expect(lines.text()).not.toContain(MARK);
    expect(lines.text()).not.toContain(client.secret.slice(8));
  });

  it("contains what an unexpected error quotes", async () => {
    const client = await createClient();
    const lines = recordLines();
    const prepare = () => {
      JSON.parse(`${MARK}: ${MARK}`);
    };
    const DB = { prepare, withSession: () => ({ prepare }), batch: prepare } as unknown as D1Database;
    const headers = { authorization: `Bearer ${client.secret}` };
    await client.call("GET", "/v1/usage");
    const ctx = createExecutionContext();
    const response = await app.fetch(new Request(`${ORIGIN}/v1/serp/health`, { headers }), { ...env, DB }, ctx);
    await waitOnExecutionContext(ctx);
    expect(response.status).toBe(500);
    const request_id = response.headers.get("x-request-id");
    expect(lines.of("request_failed")).toMatchObject([
      { request_id, route: "/v1/serp/health", error: expect.stringMatching("JSON") },
    ]);
    expect(lines.text()).not.toContain(MARK);
  });
});

/** Replaces bindings of an account's Durable Object. */
async function bindInObject(account: AccountRef, bindings: object): Promise<void> {
  await runInDurableObject(objectOf(account), (instance) => {
    (instance as unknown as { env: Env }).env = { ...env, ...bindings };
  });
}

describe("the data points", () => {
  /** Returns an Analytics Engine dataset that stores its data points in an array. */
  function recordingDataset() {
    const points: AnalyticsEngineDataPoint[] = [];
    return { points, ANALYTICS: { writeDataPoint: (point: AnalyticsEngineDataPoint) => void points.push(point) } };
  }

  it("are written for each request and job if a dataset is bound", async () => {
    const { points, ANALYTICS } = recordingDataset();
    const job = await createTestJob(page("article"));
    await bindInObject(job.account, { ANALYTICS });
    await runJob(env, messageOf(job));
    expect(points).toEqual([
      {
        indexes: [job.account.id],
        blobs: ["job", "scrape", "completed", "", "live", "plain", job.keyId, "ok", new URL(site).hostname, job.id],
        doubles: [aNumber, aNumber, 1, 1],
      },
    ]);
    points.length = 0;
    await app.fetch(new Request(`${ORIGIN}/v1/jobs/${job.id}`), { ...env, ANALYTICS } as Env, createExecutionContext());
    expect(points).toEqual([
      { indexes: [""], blobs: ["request", "GET", "/v1/jobs/:id", "401", "missing_api_key", ""], doubles: [aNumber] },
    ]);
  });

  it("don't affect the response if they can't be written", async () => {
    const lines = recordLines();
    const writeDataPoint = () => {
      throw new TypeError("The dataset is full.");
    };
    const bindings = { ...env, ANALYTICS: { writeDataPoint } } as Env;
    const response = await app.fetch(new Request(`${ORIGIN}/health`), bindings, createExecutionContext());
    expect(response.status).toBe(200);
    expect(lines.of("not_counted")).toHaveLength(1);
  });
});
