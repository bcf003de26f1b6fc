import { afterEach, describe, expect, it, vi } from "vitest";
import { ExtractionClient } from "../../clients/typescript/src/client";
import { ExtractionError, toJobError, withJob } from "../../clients/typescript/src/errors";
import type { ClientOptions, Fetch } from "../../clients/typescript/src/transport";
import { failureOf } from "../support/extraction-client";

afterEach(() => void vi.useRealTimers());

interface Sent {
  url: string;
  init: RequestInit;
  at: number;
}

/** Returns a client whose `fetch` returns these responses in turn, then the last one again. */
function clientOf(responses: (() => Response)[], more: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, init, at: Date.now() });
    const respond = responses[Math.min(sent.length, responses.length) - 1];
    if (respond === undefined) throw new Error("There is no response.");
    return respond();
  };
  const options = { apiKey: "sk_test_x", baseUrl: "https://a.example", fetch, maxRetries: 0, ...more };
  return { client: new ExtractionClient(options), sent };
}

const json =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    new Response(JSON.stringify(body), init);
const jobWith = (more: object) => json({ success: true, job_id: "job-1", endpoint: "scrape", ...more });
const queued = jobWith({ status: "queued" });
const completed = jobWith({ status: "completed", result: { text: "It came." }, meta: { credits_used: 1 } });

describe("a request of the client", () => {
  it.each([
    ["https://a.example", "https://a.example/v1/usage"],
    ["https://a.example/", "https://a.example/v1/usage"],
    ["https://a.example/base//", "https://a.example/base/v1/usage"],
  ])("with the base URL %s is sent to %s", async (baseUrl, url) => {
    const { client, sent } = clientOf([json({ success: true, data: {} })], { baseUrl });
    await client.usage();
    expect(sent.map((request) => request.url)).toEqual([url]);
  });

  it.each(["ftp://a.example", "https://user:word@a.example", "https://a.example/?a=1", "https://a.example/#a"])(
    "is never sent to the base URL %s",
    (baseUrl) => {
      expect(() => clientOf([], { baseUrl })).toThrow("'baseUrl' must be the http or https URL");
    },
  );

  it("has only the headers that the service allows browsers to send", async () => {
    const { client, sent } = clientOf([json({ success: true, data: { id: "1" } })]);
    await client.usage();
    await client.keys.create({ name: "CI" });
    await client.startScrape({ url: "https://b.example/" }, { idempotencyKey: "own" });
    await client.webhooks.rotateSecret();
    expect(sent.map(({ init }) => [init.method, init.headers, init.body])).toEqual([
      ["GET", { authorization: "Bearer sk_test_x" }, null],
      ["POST", { authorization: "Bearer sk_test_x", "content-type": "application/json" }, '{"name":"CI"}'],
      [
        "POST",
        { authorization: "Bearer sk_test_x", "content-type": "application/json", "idempotency-key": "own" },
        '{"url":"https://b.example/"}',
      ],
      ["POST", { authorization: "Bearer sk_test_x" }, null],
    ]);
  });

  it.each<[string, (client: ExtractionClient) => Promise<unknown>, string, string]>([
    ["a job", (client) => client.jobs.get("a/b"), "GET", "/v1/jobs/a%2Fb"],
    ["a page of jobs", (client) => client.jobs.page({ limit: 2, status: undefined }), "GET", "/v1/jobs?limit=2"],
    ["a revocation", (client) => client.keys.revoke("a/b"), "DELETE", "/v1/keys/a%2Fb"],
    ["a page of keys", (client) => client.keys.page({ offset: 3 }), "GET", "/v1/keys?offset=3"],
    ["the checks", (client) => client.serpHealth(), "GET", "/v1/serp/health"],
    ["the webhook settings", (client) => client.webhooks.get(), "GET", "/v1/webhooks"],
    ["a webhook URL", (client) => client.webhooks.setUrl(null), "PUT", "/v1/webhooks"],
    ["a test event", (client) => client.webhooks.test(), "POST", "/v1/webhooks/test"],
    [
      "deliveries",
      (client) => client.webhooks.deliveriesPage({ job_id: "1" }),
      "GET",
      "/v1/webhooks/deliveries?job_id=1",
    ],
    ["a redelivery", (client) => client.webhooks.redeliver("a/b"), "POST", "/v1/webhooks/deliveries/a%2Fb/redeliver"],
    ["a parse", (client) => client.startParse({ prompt: "x" }), "POST", "/v1/parse"],
    ["a search", (client) => client.serp({ query: "x" }), "POST", "/v1/serp?wait=true"],
  ])("for %s has its method and path", async (_, call, method, path) => {
    const { client, sent } = clientOf([json({ success: true, data: {}, pagination: {}, job_id: "1" })]);
    await call(client);
    expect(sent.map(({ url, init }) => [init.method, url])).toEqual([[method, `https://a.example${path}`]]);
  });
});

describe("the error of a response", () => {
  const error = { code: "rate_limited", message: "Later.", retryable: true };
  const help = { hint: "Wait.", doc_url: "https://a.example/docs/errors#rate_limited", request_id: "request-1" };

  it.each<[string, () => Response, object]>([
    [
      "of the service",
      json({ error, job_id: "job-1" }, { status: 429, headers: { "retry-after": "3", "x-request-id": "r" } }),
      {
        code: "rate_limited",
        message: "Later.",
        status: 429,
        retryable: true,
        jobId: "job-1",
        retryAfterMs: 3_000,
        requestId: "r",
      },
    ],
    [
      "with a hint",
      json({ error: { ...error, ...help } }, { status: 429 }),
      { hint: "Wait.", docUrl: help.doc_url, requestId: "request-1" },
    ],
    [
      "of an earlier version of the service",
      json({ error }, { status: 429 }),
      { details: [], hint: null, docUrl: null, requestId: null },
    ],
    [
      "without a code",
      json({ error: { message: "x" } }, { status: 404 }),
      { code: "invalid_response", retryable: false },
    ],
    [
      "of a gateway",
      () => new Response("<html>", { status: 502 }),
      { code: "invalid_response", status: 502, retryable: true },
    ],
    ["with a redirect", () => Response.redirect("https://b.example/", 307), { code: "invalid_response" }],
    ...["{}", "[]", '{"data":{}}', ""].map<[string, () => Response, object]>((text) => [
      `with the body '${text}'`,
      () => new Response(text),
      { code: "invalid_response", status: 200, retryable: false },
    ]),
    ["with status 499", () => new Response("x", { status: 499 }), { code: "invalid_response", retryable: false }],
    ["with status 500", () => new Response("x", { status: 500 }), { code: "invalid_response", retryable: true }],
    ["with status 429", () => new Response("x", { status: 429 }), { code: "invalid_response", retryable: true }],
    [
      "with another server's page",
      () => new Response("<html>"),
      { code: "invalid_response", status: 200, retryable: false },
    ],
    ["with a JSON text", json("text"), { code: "invalid_response", status: 200 }],
    ["with null", json(null), { code: "invalid_response", status: 200 }],
  ])("%s is an ExtractionError", async (_, respond, expected) => {
    expect(await failureOf(clientOf([respond]).client.usage())).toMatchObject(expected);
  });

  it("has the rate limit only if the response has all of its headers", async () => {
    const headers = { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1795291260" };
    const rateOf = async (more: Record<string, string>) =>
      (await failureOf(clientOf([json({ error }, { status: 429, headers: more })]).client.usage())).rate;
    expect(await rateOf(headers)).toEqual({ limit: 10, remaining: 0, resetAt: new Date("2026-11-21T20:01:00.000Z") });
    for (const name of Object.keys(headers)) {
      const some = Object.entries(headers).filter(([other]) => other !== name);
      expect(await rateOf(Object.fromEntries(some))).toBeNull();
    }
  });
});

describe("the error of a job", () => {
  it.each([
    ["rate_limited", true],
    ["internal_error", true],
    ["target_timeout", true],
    ["target_http_error", false],
    ["toString", false],
    ["a_later_code", false],
  ])("%s is retryable: %s", (code, retryable) => {
    expect(toJobError({ code, message: "It failed." }, "job-1")).toMatchObject({
      ...{ code, message: "It failed.", retryable, jobId: "job-1", status: null, details: [] },
    });
  });

  it("keeps the properties of the failed call", () => {
    const cause = new Error("The connection was lost.");
    const options = { status: 503, retryable: true, requestId: "r", retryAfterMs: 5, details: [], cause };
    const error = withJob(new ExtractionError("unavailable", "Later.", options), "job-1") as ExtractionError;
    expect(error).toMatchObject({ code: "unavailable", message: "Later.", jobId: "job-1", ...options });
    const other = new TypeError("Something else.");
    expect(withJob(other, "job-1")).toBe(other);
  });
});

describe("waiting for a job", () => {
  /** Runs `work` under fake time until it settles. */
  async function settle<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    for (let i = 0; i < 600 && !isOver; i++) await vi.advanceTimersByTimeAsync(100);
    return await work;
  }

  it("polls every second for 5 seconds, then every 3 seconds", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const { client, sent } = clientOf([...Array(8).fill(queued), completed]);
    const startedAt = Date.now();
    expect(await settle(client.jobs.result("job-1"))).toEqual({
      data: { text: "It came." },
      meta: { credits_used: 1 },
      job_id: "job-1",
    });
    expect(sent.map(({ at }) => (at - startedAt) / 1_000)).toEqual([0, 1, 2, 3, 4, 5, 8, 11, 14]);
    expect(new Set(sent.map(({ url }) => url))).toEqual(new Set(["https://a.example/v1/jobs/job-1?wait=10"]));
  });

  it("sends its last request at the deadline, and never holds a request longer than that", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const { client, sent } = clientOf([queued]);
    const startedAt = Date.now();
    expect(await settle(failureOf(client.jobs.wait("job-1", { maxWaitMs: 2_500 })))).toMatchObject({
      ...{ code: "wait_timeout", jobId: "job-1", retryable: true },
      message: "The job job-1 has not ended within 2500 ms. It is still running. Read it again later.",
    });
    expect(sent.map(({ url, at }) => [at - startedAt, url.split("job-1")[1]])).toEqual([
      [0, "?wait=2"],
      [1_000, "?wait=1"],
      [2_000, ""],
      [2_500, ""],
    ]);
  });

  it("ends with the status failed, and throws the job's error if the result is needed", async () => {
    const error = { code: "dns_failure", message: "No such name." };
    const { client, sent } = clientOf([jobWith({ status: "failed", error })]);
    expect(await client.jobs.wait("job-1")).toEqual({ job_id: "job-1", endpoint: "scrape", status: "failed", error });
    expect(await failureOf(client.jobs.result("job-1"))).toMatchObject({ ...error, retryable: true, jobId: "job-1" });
    expect(sent).toHaveLength(2);
  });

  it("sends nothing if the signal is already aborted", async () => {
    const { client, sent } = clientOf([queued]);
    await expect(client.jobs.wait("job-1", { signal: AbortSignal.abort(new Error("Enough.")) })).rejects.toThrow(
      "Enough.",
    );
    expect(sent).toEqual([]);
  });
});
