import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { type CreateJobInput, createJob } from "../../src/jobs/create";
import type { AccountRef } from "../../src/model/account";
import { MAX_ROW_REQUEST_BYTES } from "../../src/model/limits";
import { callerOf, openObject } from "../support/account";
import { ORIGIN } from "../support/client";

/** A request that is too large for the account's object. The service stores it in R2. */
const LARGE = { url: "https://example.com/", prompt: "x".repeat(MAX_ROW_REQUEST_BYTES) };

function toInput(account: AccountRef, request: CreateJobInput["request"]): CreateJobInput {
  return {
    endpoint: "scrape",
    request,
    rendered: false,
    caller: callerOf(account),
    waiting: true,
    origin: ORIGIN,
    idempotencyKey: "once",
    now: Date.now(),
  };
}

async function listStoredRequests(account: AccountRef): Promise<string[]> {
  const { objects } = await env.STORE.list({ prefix: `requests/${account.tag}/` });
  return objects.map(({ key }) => key);
}

it("stores a large request in R2 with its job", async () => {
  const account = await openObject();
  const { job } = await createJob(env, toInput(account, LARGE));
  expect(await listStoredRequests(account)).toEqual([`requests/${account.tag}/${job.id}`]);
});

it("deletes the stored request of a job that the balance doesn't allow", async () => {
  const account = await openObject({ credits: 0 });
  await expect(createJob(env, toInput(account, LARGE))).rejects.toMatchObject({ code: "insufficient_credits" });
  expect(await listStoredRequests(account)).toEqual([]);
});

it("deletes the stored request of a repeated request, but not that of the existing job", async () => {
  const account = await openObject();
  const { job } = await createJob(env, toInput(account, LARGE));
  expect(await createJob(env, toInput(account, LARGE))).toMatchObject({ kind: "repeated", job: { id: job.id } });
  const changed = { ...LARGE, url: "https://example.com/other" };
  await expect(createJob(env, toInput(account, changed))).rejects.toMatchObject({ code: "idempotency_conflict" });
  expect(await listStoredRequests(account)).toEqual([`requests/${account.tag}/${job.id}`]);
});
