import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runCron } from "../../src/cron";
import { sha256Hex } from "../../src/lib/crypto";
import { MAX_BODY_MS, MINUTE_MS } from "../../src/model/limits";
import { changeKey } from "../../src/store/key-changes";
import { awaitBatch, getBatch, postBatch } from "../support/batches";
import { type Client, createClient, creditsOf, page, querySite, read, readEnded, request } from "../support/client";

afterEach(() => void vi.useRealTimers());

/** Starts a job and a batch of two pages that don't end before `release` is called. */
async function startWork(client: Client) {
  const urls = [page("held"), page("held"), page("held")];
  const { job_id } = await read(await client.call("POST", "/v1/scrape", { url: urls[0] }));
  const { batch_id } = await postBatch(client, { requests: urls.slice(1).map((url) => ({ url })) });
  for (const url of urls) await expect.poll(() => querySite("hits", url)).toBe(1);
  const release = async () => {
    for (const url of urls) await querySite("release", url);
  };
  return { job_id, batch_id, release };
}

const revoke = (owner: Client, { keyId }: Client, query = "") => owner.call("DELETE", `/v1/keys/${keyId}${query}`);

describe("revoking a key", () => {
  it("cancels its jobs, and stops its batches until another key resumes them", async () => {
    const owner = await createClient();
    const client = await createClient({ accountId: owner.accountId });
    const { job_id, batch_id, release } = await startWork(client);
    const ownWork = await startWork(owner);
    const revoked = await revoke(owner, client);
    expect([revoked.status, revoked.headers.get("x-cancelled-jobs")]).toEqual([204, "3"]);
    expect(await read(await owner.call("GET", `/v1/jobs/${job_id}`))).toMatchObject({
      status: "failed",
      error: { code: "cancelled", message: expect.stringContaining("API key was revoked") },
    });
    expect(await getBatch(owner, batch_id)).toMatchObject({
      status: "failed",
      error: { code: "revoked_api_key" },
      counts: { total: 2, running: 0, failed: 2 },
    });
    expect((await revoke(owner, client)).headers.get("x-cancelled-jobs")).toBe("0");
    await release();
    expect((await owner.call("POST", `/v1/batch/${batch_id}/resume`)).status).toBe(202);
    await release();
    await ownWork.release();
    for (const id of [batch_id, ownWork.batch_id])
      expect(await awaitBatch(owner, id)).toMatchObject({ status: "completed", counts: { completed: 2, failed: 0 } });
    await readEnded(owner, `/v1/jobs/${ownWork.job_id}`);
    expect(await creditsOf(owner.accountId)).toMatchObject({ used: 5, balance: 99_995 });
  });

  it("keeps its work with keep_jobs", async () => {
    const owner = await createClient();
    const client = await createClient({ accountId: owner.accountId });
    const { batch_id, release } = await startWork(client);
    const revoked = await revoke(owner, client, "?keep_jobs=true");
    expect([revoked.status, revoked.headers.get("x-cancelled-jobs")]).toEqual([204, "0"]);
    // A change that was verified before the revocation doesn't stop the work.
    expect(await changeKey(env.DB, { hash: await sha256Hex(client.secret), change: {}, now: Date.now() })).toBeNull();
    await runCron(env, Date.now() + 2 * MINUTE_MS);
    await release();
    expect(await awaitBatch(owner, batch_id)).toMatchObject({ status: "completed", counts: { completed: 2 } });
    expect((await revoke(owner, client, "?keep_jobs=yes")).status).toBe(400);
  });
});

describe("a request whose body arrives slowly", () => {
  it("creates no work after its key was revoked", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { secret } = await createClient();
    const { readable, writable } = new TransformStream();
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const response = request("/v1/batch", { method: "POST", headers, body: readable });
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode('{ "endpoint": "scrape", '));
    await new Promise((resolve) => setTimeout(resolve, 500));
    vi.setSystemTime(Date.now() + MAX_BODY_MS + 1);
    await writer.write(new TextEncoder().encode(`"requests": [{ "url": "${page("article")}" }] }`));
    await writer.close();
    const { error } = await read(await response);
    expect(error).toMatchObject({ code: "invalid_request", message: expect.stringContaining("45 seconds") });
  });
});

describe("the expiry of a key", () => {
  it("stops its work, but the end of a previous secret doesn't", async () => {
    const owner = await createClient();
    const [expiring, rotated] = [
      await createClient({ accountId: owner.accountId }),
      await createClient({ accountId: owner.accountId }),
    ];
    const [stopped, kept] = [await startWork(expiring), await startWork(rotated)];
    const expiresAt = new Date(Date.now() + 1_000).toISOString();
    expect((await owner.call("PATCH", `/v1/keys/${expiring.keyId}`, { expires_at: expiresAt })).status).toBe(200);
    expect((await owner.call("POST", `/v1/keys/${rotated.keyId}/rotate`, { grace_period_s: 0 })).status).toBe(200);
    await expect.poll(() => Date.now() > Date.parse(expiresAt), { timeout: 5_000 }).toBe(true);
    await runCron(env, Date.now() + MINUTE_MS);
    expect(await getBatch(owner, stopped.batch_id)).toMatchObject({ error: { code: "expired_api_key" } });
    for (const { release } of [stopped, kept]) await release();
    expect(await awaitBatch(owner, kept.batch_id)).toMatchObject({ status: "completed" });
  });
});
