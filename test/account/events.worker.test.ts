import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { writeJobEvent } from "../../src/account/effects";
import type { Job } from "../../src/model/job";

const JOB: Job = {
  ...{ mode: "live", id: "job", keyId: "key", endpoint: "scrape", status: "completed", rendered: true },
  account: { id: "account", tag: "0123456789", object: "account", jurisdiction: null },
  ...{ subject: "https://www.example.com:8080/path", request: null, waiting: false, webhookUrl: null, origin: "" },
  ...{ credits: 5, createdAt: 1_000, run: 2, attempts: 1, leaseUntil: null },
  ...{
    isTemporary: false,
    secrets: null,
    receipt: null,
    labels: null,
    result: null,
    resultStored: false,
    extras: null,
    creditsUsed: 3,
    outcome: "login",
  },
  ...{ error: null, processingTimeMs: 400, endedAt: 2_000, expired: false, batchId: null, page: null, requestId: null },
};

const error = { code: "dns_failure", message: "", status: 502, retryable: false } as const;

const WRITTEN = {
  indexes: ["account"],
  blobs: ["job", "scrape", "completed", "", "live", "rendered", "key", "login", "www.example.com", "job"],
  doubles: [400, 600, 3, 2],
};

/** Returns the data points that are written for the job. */
function write(job: Partial<Job>): AnalyticsEngineDataPoint[] {
  const points: AnalyticsEngineDataPoint[] = [];
  const ANALYTICS = { writeDataPoint: (point: AnalyticsEngineDataPoint) => void points.push(point) };
  writeJobEvent({ ANALYTICS } as unknown as Env, { ...JOB, ...job });
  return points;
}

describe("the event of a job", () => {
  it("has the job's fields in a fixed order", () => {
    expect(write({})).toEqual([WRITTEN]);
    expect(write({ rendered: false, status: "failed", error, outcome: null, subject: null })).toEqual([
      { ...WRITTEN, blobs: ["job", "scrape", "failed", "dns_failure", "live", "plain", "key", "", "", "job"] },
    ]);
  });

  it.each<[string, Partial<Job>]>([
    ["with a query that looks like a URL", { endpoint: "serp" }],
    ["without a URL", { endpoint: "parse", subject: null }],
    ["with an invalid URL", { subject: "not a URL" }],
  ])("has no host: %s", (_, job) => {
    expect(write(job)[0]?.blobs?.[8]).toBe("");
  });

  it.each([
    ["that took longer than it existed", 1_500, [1_500, 0, 3, 2]],
    ["without a run", null, [0, 1_000, 3, 2]],
  ])("has no negative duration: %s", (_, processingTimeMs, doubles) => {
    expect(write({ processingTimeMs })).toEqual([{ ...WRITTEN, doubles }]);
  });

  it("isn't written before the job's end, and not without Analytics Engine", () => {
    expect(write({ endedAt: null, status: "processing" })).toEqual([]);
    expect(() => writeJobEvent(env, JOB)).not.toThrow();
  });
});
