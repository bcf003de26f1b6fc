import { describe, expect, it } from "vitest";
import { ExtractionError } from "../../clients/typescript/src/errors";
import { chooseRetryDelay, readRetryAfter } from "../../clients/typescript/src/transport";
import { connectToGateway, failureOf } from "../support/extraction-client";

const url = "https://example.com/";

// The tests run in parallel, because they spend most of their time waiting. Each test has its own gateway.
describe.concurrent("a request that gets", () => {
  it.each([
    ["429 without a delay", "429,result"],
    ["503", "503,result"],
    ["an unexpected error of the service", "500,result"],
    ["a gateway's own page", "page-502,result"],
    ["a connection that is reset", "reset,result"],
    ["an incomplete response", "half,result"],
  ])("%s is retried with the same idempotency key and body", async (_, behaviours) => {
    const { client, requests } = connectToGateway(behaviours);
    expect((await client.scrape({ url })).data).toEqual({ text: "It came." });
    const [first, second, ...more] = await requests();
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      method: "POST",
      path: "/v1/scrape?wait=true",
      body: JSON.stringify({ url }),
      headers: { authorization: "Bearer sk_test_of-this-test", "content-type": "application/json" },
    });
    expect(first?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toMatchObject({
      path: first?.path,
      body: first?.body,
      headers: { "idempotency-key": first?.headers["idempotency-key"] },
    });
  });

  it.each(["429-1,result", "503-date2,result"])("%s is retried after the delay in Retry-After", async (behaviours) => {
    const { client, requests } = connectToGateway(behaviours);
    await client.scrape({ url });
    const [first, second] = await requests();
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it("no response is retried after the timeout", async () => {
    const { client, requests } = connectToGateway("never,result", { timeoutMs: 3_000 });
    expect((await client.scrape({ url })).job_id).toBe("job-1");
    expect(await requests()).toHaveLength(2);
    const silent = connectToGateway("never", { timeoutMs: 100, maxRetries: 0 });
    expect(await failureOf(silent.client.usage())).toMatchObject({ code: "request_timeout", retryable: true });
  });

  it("the same error each time throws it after the allowed number of retries", async () => {
    const { client, requests } = connectToGateway("503", { maxRetries: 1 });
    expect(await failureOf(client.usage())).toMatchObject({
      code: "unavailable",
      status: 503,
      retryable: true,
      requestId: "request-1",
      rate: null,
    });
    expect(await requests()).toHaveLength(2);
    await failureOf(client.usage({ maxRetries: 0 }));
    expect(await requests()).toHaveLength(3);
    const { client: cut } = connectToGateway("reset", { maxRetries: 0 });
    const failure = await failureOf(cut.usage());
    expect(failure).toMatchObject({ code: "network_error", status: null });
    expect(failure.cause).toBeInstanceOf(Error);
  });

  it("a Retry-After of more than a minute, or a response of another server, isn't retried", async () => {
    for (const [behaviours, code] of [
      ["429-61,result", "rate_limited"],
      ["page-200,result", "invalid_response"],
      ["none,result", "invalid_response"],
    ] as const) {
      const { client, requests } = connectToGateway(behaviours);
      expect(await failureOf(client.scrape({ url }))).toMatchObject({ code });
      expect(await requests()).toHaveLength(1);
    }
  });

  it("an abort during the delay isn't retried", async ({ expect }) => {
    const { client, requests } = connectToGateway("503-50,result");
    const controller = new AbortController();
    const scraped = client.scrape({ url }, { signal: controller.signal });
    scraped.catch(() => undefined);
    await expect.poll(async () => (await requests()).length).toBe(1);
    controller.abort(new Error("Enough."));
    await expect(scraped).rejects.toThrow("Enough.");
    expect(await requests()).toHaveLength(1);
  });

  it("an error after an unknown effect isn't retried if the request isn't idempotent", async () => {
    const interrupted = connectToGateway("reset,result");
    expect(await failureOf(interrupted.client.keys.create())).toMatchObject({ code: "network_error" });
    expect(await interrupted.requests()).toHaveLength(1);
    const refused = connectToGateway("503,429,result");
    await refused.client.keys.create();
    expect(await refused.requests()).toHaveLength(3);
    const ended = connectToGateway("page-503,result");
    expect(await failureOf(ended.client.webhooks.rotateSecret())).toMatchObject({ code: "invalid_response" });
    expect(await ended.requests()).toHaveLength(1);
  });
});

describe.concurrent("waiting for a job", () => {
  it("requests held responses, and otherwise polls at the recommended interval", async () => {
    const { client, requests } = connectToGateway("accepted,queued,queued,completed");
    expect((await client.scrape({ url })).data).toEqual({ text: "It came." });
    const [, ...polls] = await requests();
    expect(polls.map(({ method, path }) => [method, path])).toEqual(Array(3).fill(["GET", "/v1/jobs/job-1?wait=10"]));
    const [first = 0, second = 0, third = 0] = polls.map(({ at }) => at);
    // The interval is one second. A request can take longer than the next one on a busy machine.
    expect(second - first).toBeGreaterThanOrEqual(500);
    expect(third - second).toBeGreaterThanOrEqual(500);
  });

  it("doesn't request a hold that exceeds the attempt's timeout", async () => {
    const { client, requests } = connectToGateway("completed", { timeoutMs: 5_000 });
    await client.jobs.wait("job-1");
    await client.jobs.wait("job-1", { timeoutMs: 1_500 });
    await client.jobs.wait("job-1", { timeoutMs: 90_000 });
    expect((await requests()).map(({ path }) => path)).toEqual([
      "/v1/jobs/job-1?wait=2",
      "/v1/jobs/job-1",
      "/v1/jobs/job-1?wait=10",
    ]);
  });

  it("retries failed polls, and throws an error with the job's id if they keep failing", async () => {
    const { client } = connectToGateway("accepted,reset,503,completed");
    expect((await client.scrape({ url })).job_id).toBe("job-1");
    const failing = connectToGateway("accepted,reset", { maxRetries: 0 });
    expect(await failureOf(failing.client.scrape({ url }))).toMatchObject({ code: "network_error", jobId: "job-1" });
  });

  it("throws result_expired if the result has expired", async () => {
    const { client } = connectToGateway("expired");
    expect(await failureOf(client.jobs.result("job-1"))).toMatchObject({ code: "result_expired", jobId: "job-1" });
    expect(await client.jobs.wait("job-1")).toMatchObject({ status: "completed", result: null });
  });
});

describe("the delay before the next attempt", () => {
  const busy = (more = {}) => new ExtractionError("unavailable", "", { status: 503, retryable: true, ...more });

  it.each([
    { attempt: 0, least: 250, most: 500 },
    { attempt: 1, least: 500, most: 1_000 },
    { attempt: 3, least: 2_000, most: 4_000 },
    { attempt: 4, least: 4_000, most: 8_000 },
    { attempt: 9, least: 4_000, most: 8_000 },
  ])("grows with each attempt and is randomized: attempt $attempt", ({ attempt, least, most }) => {
    expect(chooseRetryDelay(busy(), { attempt, idempotent: true, random: 0 })).toBe(least);
    expect(chooseRetryDelay(busy(), { attempt, idempotent: true, random: 1 })).toBe(most);
  });

  it.each([
    { retryAfterMs: 2_000, attempt: 0, expected: 2_000 },
    // The normal delay applies if Retry-After is shorter.
    { retryAfterMs: 0, attempt: 3, expected: 2_000 },
    { retryAfterMs: 60_000, attempt: 0, expected: 60_000 },
    { retryAfterMs: 60_001, attempt: 0, expected: null },
  ])("is at least Retry-After: $retryAfterMs ms at attempt $attempt", ({ retryAfterMs, attempt, expected }) => {
    expect(chooseRetryDelay(busy({ retryAfterMs }), { attempt, idempotent: true, random: 0 })).toBe(expected);
  });

  it("is null for errors that aren't retryable", () => {
    const delay = (error: ExtractionError) => chooseRetryDelay(error, { attempt: 0, idempotent: true, random: 0 });
    expect(delay(busy({ retryable: false }))).toBeNull();
    expect(delay(busy({ jobId: "job-1" }))).toBeNull();
  });

  it.each([
    ["3", 3_000],
    [" 0 ", 0],
    ["Sat, 21 Nov 2026 09:00:05 GMT", 5_000],
    ["Sat, 21 Nov 2026 08:00:00 GMT", 0],
    ["soon", null],
    ["", null],
    [null, null],
  ])("is read from Retry-After: %s", (value, expected) => {
    expect(readRetryAfter(value, Date.UTC(2026, 10, 21, 9))).toBe(expected);
  });
});
