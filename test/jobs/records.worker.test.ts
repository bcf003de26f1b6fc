import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  getOwnJob,
  readRequest,
  readResult,
  readSmallResult,
  toJobRecord,
  toListed,
  toMeta,
  withResult,
} from "../../src/jobs/read-job";
import { ERROR_HINTS } from "../../src/model/error-hints";
import type { Job } from "../../src/model/job";
import { putRequest, putResult } from "../../src/store/objects";
import { newJob, openObject, stubOf } from "../support/account";
import { ORIGIN } from "../support/client";

const error = { code: "dns_failure", message: "No such host.", status: 502, retryable: true } as const;

async function createJob(more: Partial<Job> = {}): Promise<Job> {
  const account = await openObject();
  const created = await stubOf(account).createJob(newJob(account));
  if (created.kind !== "created") throw new Error(created.kind);
  return { ...(created.job as Job), createdAt: 0, ...more };
}

const ENDED = { endedAt: 2_000, processingTimeMs: 7, creditsUsed: 3, extras: { engine: "bing" } };

describe("a job in the API's format", () => {
  it.each<[string, Partial<Job>, object]>([
    ["that is queued", {}, { status: "queued" }],
    [
      "that completed",
      { ...ENDED, status: "completed" },
      {
        ...{ status: "completed", completed_at: "1970-01-01T00:00:02.000Z" },
        meta: { engine: "bing", processing_time_ms: 7, credits_used: 3 },
      },
    ],
    [
      "that failed",
      { ...ENDED, status: "failed", error, extras: null, creditsUsed: 0, processingTimeMs: null },
      {
        status: "failed",
        error: {
          ...{ code: "dns_failure", message: "No such host.", hint: ERROR_HINTS.dns_failure },
          doc_url: `${ORIGIN}/docs/errors#dns_failure`,
        },
        ...{ completed_at: "1970-01-01T00:00:02.000Z", meta: { processing_time_ms: 0, credits_used: 0 } },
      },
    ],
  ])("%s", async (_, more, expected) => {
    const job = await createJob(more);
    const record = {
      job_id: job.id,
      endpoint: "scrape",
      key_id: job.keyId,
      request: JSON.parse(job.request ?? ""),
      created_at: "1970-01-01T00:00:00.000Z",
      ...expected,
    };
    expect(toJobRecord(job)).toEqual(record);
    expect(withResult(toJobRecord(job), { a: 1 })).toEqual({ ...record, result: { a: 1 } });
  });

  it("has its result in lists, unless the result is in R2 or the job hasn't completed", async () => {
    const job = await createJob({ ...ENDED, status: "completed", result: '{"a":1}' });
    const record = toJobRecord(job);
    expect(toListed(job)).toEqual({ ...record, result: { a: 1 } });
    const stored = { ...job, result: null, resultStored: true };
    expect(toListed(stored)).toEqual({ ...record, result: null, result_truncated: true });
    expect(toListed({ ...job, result: null })).toEqual({ ...record, result: null });
    for (const status of ["queued", "processing", "failed"] as const) {
      expect(toListed({ ...job, status })).not.toHaveProperty("result");
    }
  });

  it("has metadata in which its own fields aren't overwritten", async () => {
    const job = await createJob({ ...ENDED, extras: { credits_used: 99 } });
    expect(toMeta(job)).toEqual({ credits_used: 3, processing_time_ms: 7 });
  });
});

describe("the request and the result of a job", () => {
  it("are read from the row or from R2", async () => {
    const job = await createJob({ request: '{"a":1}', result: '{"b":2}' });
    expect([await readRequest(env, job), readResult(job)]).toEqual([{ a: 1 }, { b: 2 }]);
    expect(await readSmallResult(env, job, 0)).toEqual({ b: 2 });
    const stored = { ...job, request: null, result: null, resultStored: true, run: 2 };
    expect([await readRequest(env, stored), await readSmallResult(env, stored, 99)]).toEqual([null, null]);
    expect(readResult(stored)).toBeNull();
    await putRequest(env.STORE, job.id, '{"c":3}');
    await putResult(env.STORE, job.id, 2, '{"d":4}');
    expect([await readRequest(env, stored), await readSmallResult(env, stored, 7)]).toEqual([{ c: 3 }, { d: 4 }]);
    expect(await readSmallResult(env, stored, 6)).toBe("too large");
    expect(await readSmallResult(env, { ...stored, run: 1 }, 99)).toBeNull();
  });
});

describe("a job of the account", () => {
  it("is returned at its end, or unfinished after the given time", async () => {
    const job = await createJob();
    expect(await getOwnJob(env, job.account, job)).toMatchObject({ status: "queued" });
    expect(await getOwnJob(env, job.account, job, 50)).toMatchObject({ status: "queued" });
    const waiting = getOwnJob(env, job.account, job, 20_000);
    await stubOf(job.account).cancel(job);
    expect(await waiting).toMatchObject({ status: "failed" });
  });

  it("isn't searched if its id belongs to another account or is invalid", async () => {
    const job = await createJob();
    const bindings = { ...env, ACCOUNT: undefined } as unknown as Env;
    for (const id of ["", "x", job.id.toUpperCase(), `${job.id} `, (await createJob()).id]) {
      expect(await getOwnJob(bindings, job.account, { mode: "live", id })).toBeNull();
    }
  });
});
