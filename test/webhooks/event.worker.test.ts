import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Delivery } from "../../src/model/delivery";
import { ERROR_HINTS } from "../../src/model/error-hints";
import { AppError } from "../../src/model/errors";
import type { Job } from "../../src/model/job";
import { putResult } from "../../src/store/objects";
import { readEventBody } from "../../src/webhooks/event";
import { ORIGIN } from "../support/client";
import { createTestJob } from "../support/jobs";

const delivery = { jobId: "job-1", payload: null, hook: null, createdAt: 1_000 } as Delivery;

/** Returns a completed job with a small result. */
async function endedJob(more: Partial<Job> = {}): Promise<Job> {
  const job = await createTestJob("https://example.com/");
  return {
    ...job,
    ...{ id: "job-1", endpoint: "serp", status: "completed", result: '{"a": 1.0}', resultStored: false, error: null },
    ...{ outcome: "ok", processingTimeMs: 7, creditsUsed: 2, createdAt: 1_000, endedAt: 3_000, expired: false },
    ...more,
  };
}

const meta = {
  processing_time_ms: 7,
  credits_used: 2,
  created_at: "1970-01-01T00:00:01.000Z",
  completed_at: "1970-01-01T00:00:03.000Z",
};

describe("the body of an event", () => {
  it("has the stored result, unchanged", async () => {
    const body = await readEventBody(env, delivery, await endedJob());
    expect(body).toContain('"result":{"a": 1.0}');
    expect(JSON.parse(body)).toEqual({
      ...{ event: "job.completed", job_id: "job-1", status: "completed", endpoint: "serp", result: { a: 1 }, meta },
    });
  });

  it.each(["scrape", "parse"] as const)("has the outcome of a %s", async (endpoint) => {
    const job = await endedJob({ endpoint, outcome: "login" });
    expect(JSON.parse(await readEventBody(env, delivery, job)).meta).toEqual({ ...meta, outcome: "login" });
    const large = await endedJob({ endpoint, outcome: "ok", result: null, resultStored: true });
    await putResult(env.STORE, large.id, large.run, '{"a":1}');
    expect(JSON.parse(await readEventBody(env, delivery, large))).toMatchObject({
      result: { a: 1 },
      meta: { outcome: "ok" },
    });
  });

  it("of a crawl's page says which page it repeats", async () => {
    const extras = { outcome: "ok", rendered: false, depth: 2, duplicate_of: "https://example.com/" };
    const job = await endedJob({ endpoint: "scrape", result: "{}", extras });
    const bodyOf = async (event: Delivery["event"]) =>
      JSON.parse(await readEventBody(env, { ...delivery, event }, job));
    const { outcome, depth, duplicate_of } = extras;
    expect((await bodyOf("crawl.page")).meta).toEqual({ ...meta, outcome, depth, duplicate_of });
    expect((await bodyOf("job.completed")).meta).toEqual({ ...meta, outcome });
  });

  it("has the code and the message of an error, with the next step and the page about the code", async () => {
    const { code, message, status, retryable } = new AppError("dns_failure", "No such name.");
    const error = { code, message, status, retryable };
    const job = await endedJob({
      status: "failed",
      result: null,
      origin: ORIGIN,
      error,
      creditsUsed: 0,
      outcome: null,
    });
    expect(JSON.parse(await readEventBody(env, delivery, job))).toEqual({
      ...{ event: "job.failed", job_id: "job-1", status: "failed", endpoint: "serp" },
      error: { code, message, hint: ERROR_HINTS.dns_failure, doc_url: `${ORIGIN}/docs/errors#dns_failure` },
      meta: { ...meta, credits_used: 0 },
    });
  });

  it("of a test has the time of the delivery", async () => {
    expect(JSON.parse(await readEventBody(env, { ...delivery, jobId: null }, null))).toEqual({
      event: "webhook.test",
      message:
        "This is a test event. Your receiver is ready if it verifies the signature and responds with a 2xx status.",
      meta: { created_at: "1970-01-01T00:00:01.000Z" },
    });
  });

  it.each<[string, Partial<Job> | null]>([
    ["the job was deleted", null],
    ["the result was deleted", { result: null }],
    ["the retention period is over", { expired: true }],
  ])("isn't available if %s", async (_, more) => {
    const job = more === null ? null : await endedJob(more);
    await expect(readEventBody(env, delivery, job)).rejects.toMatchObject({ name: "ResultDeletedError" });
  });
});
