import { describe, expect, it } from "vitest";
import type { JobEnd, NewJob } from "../../src/account/storage/types";
import { AppError } from "../../src/model/errors";
import type { PriceLine } from "../../src/model/receipt";
import { newJob, openObject, sqlIn, stubOf } from "../support/account";

const SCRAPE: PriceLine = { item: "scrape", credits: 1 };
const RENDERING: PriceLine = { item: "rendering", credits: 1 };
const refund = (credits: number, reason: string): PriceLine => ({ item: "refund", credits, reason });

const completed = (end: Partial<Extract<JobEnd, { status: "completed" }>>): JobEnd => ({
  ...{ status: "completed", result: "{}", extras: null, charge: 2, processingTimeMs: 1, endedAt: Date.now() },
  ...end,
});

/** Creates a job that renders a page, and starts its first run. */
async function startJob(job: Partial<NewJob> = {}, settings: Parameters<typeof openObject>[0] = {}) {
  const account = await openObject(settings);
  const created = newJob(account, { credits: 2, plan: { method: "browser", lines: [SCRAPE, RENDERING] }, ...job });
  await stubOf(account).createJob(created);
  await stubOf(account).claim(created, "token");
  return { account, object: stubOf(account), job: created };
}

describe("the receipt of a job", () => {
  it("is null until the job has ended", async () => {
    const { object, job } = await startJob();
    expect(await object.get(job)).toMatchObject({ status: "processing", receipt: null });
  });

  it.each<[string, Partial<Extract<JobEnd, { status: "completed" }>>, PriceLine[]]>([
    ["the lines of the run", { charge: 1, lines: [SCRAPE] }, [SCRAPE]],
    ["the lines of the reservation, if the run reports none", {}, [SCRAPE, RENDERING]],
    [
      "a refund for a free outcome",
      { lines: [SCRAPE, RENDERING], outcome: "login", isFree: true },
      [SCRAPE, RENDERING, refund(-2, "login")],
    ],
    ["a refund for what wasn't used", { charge: 1 }, [SCRAPE, RENDERING, refund(-1, "not_used")]],
  ])("has %s", async (_, end, lines) => {
    const { object, job } = await startJob();
    const reply = await object.finish(job, 1, completed(end));
    const total = lines.reduce((sum, { credits }) => sum + credits, 0);
    expect(reply).toMatchObject({ job: { receipt: { total, lines }, creditsUsed: total } });
    expect(await object.inspect()).toMatchObject({ used: total, reserved: 0 });
  });

  it("has no refund if the account pays for free outcomes", async () => {
    const { object, job } = await startJob({}, { chargeFreeOutcomes: true });
    const end = completed({ lines: [SCRAPE, RENDERING], outcome: "login", isFree: true });
    expect(await object.finish(job, 1, end)).toMatchObject({
      job: { receipt: { total: 2, lines: [SCRAPE, RENDERING] }, creditsUsed: 2 },
    });
  });

  it("of a failed job gives back what was reserved, with the error as the reason", async () => {
    const { object, job } = await startJob();
    const { code, message, status, retryable } = new AppError("blocked_by_target", "Blocked.");
    const error = { code, message, status, retryable };
    const reply = await object.finish(job, 1, { status: "failed", error, processingTimeMs: 1, endedAt: Date.now() });
    const lines = [SCRAPE, RENDERING, refund(-2, "blocked_by_target")];
    expect(reply).toMatchObject({ job: { receipt: { total: 0, lines }, creditsUsed: 0 } });
  });

  it("of a job that was canceled, or that has used up its attempts, has the reason", async () => {
    const canceled = await startJob();
    expect(await canceled.object.cancel(canceled.job)).toMatchObject({
      receipt: { total: 0, lines: [SCRAPE, RENDERING, refund(-2, "cancelled")] },
    });
    const { account, object, job } = await startJob();
    await sqlIn(account, "UPDATE jobs SET attempts = 3");
    expect(await object.release(job, 1, { kind: "error" })).toMatchObject({
      job: { receipt: { total: 0, lines: [SCRAPE, RENDERING, refund(-2, "internal_error")] } },
    });
  });

  it("of a test key has the price with a live key, and gives it back", async () => {
    const { object, job } = await startJob({ mode: "test", credits: 0 });
    expect(await object.finish(job, 1, completed({ lines: [SCRAPE] }))).toMatchObject({
      job: { receipt: { total: 0, lines: [SCRAPE, refund(-1, "test_key")] }, creditsUsed: 0 },
    });
  });
});
