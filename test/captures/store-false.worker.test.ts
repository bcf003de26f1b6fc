import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { AccountRef } from "../../src/model/account";
import { objectOf, sqlIn } from "../support/account";
import { type Client, page, read } from "../support/client";
import { expectNothing, objectsOf, startClient } from "../support/not-kept";
import { bodyOf, expectPosts, receiver } from "../support/webhooks";

const SECRET = "harbour";

/** Creates an asynchronous job and waits for its end without reading its result. */
async function createEnded(client: Client, account: AccountRef, body: Record<string, unknown>): Promise<string> {
  const { job_id: id } = await read(await client.call("POST", "/v1/scrape", { ...body, store: false }));
  const ended = () => sqlIn<{ status: string }>(account, "SELECT status FROM jobs WHERE ended_at IS NOT NULL");
  await expect.poll(ended).toHaveLength(1);
  return id;
}

describe("store: false", () => {
  it("can be combined with capture: false, but not with capture: true", async () => {
    const { client } = await startClient("test");
    const request = { url: "https://example.com/", store: false };
    expect((await client.call("POST", "/v1/scrape?wait=true", { ...request, capture: false })).status).toBe(200);
    const { error } = await read(await client.call("POST", "/v1/scrape", { ...request, capture: true }));
    expect(error.details).toMatchObject([{ path: "capture" }]);
  });

  it("keeps nothing after the response of a synchronous request", async () => {
    const { client, account } = await startClient();
    const response = await read(await client.scrape({ url: page("article"), store: false, formats: ["text"] }));
    expect(response.data.text?.toLowerCase()).toContain(SECRET);
    await expectNothing(account, 1);
    const job = await read(await client.call("GET", `/v1/jobs/${response.job_id}`));
    expect(job).toMatchObject({ status: "completed", stored: false, request: null, result: null });
    expect(job.request_truncated).toBeUndefined();
    expect(job.meta).toMatchObject({ credits_used: 1 });
  });

  it("keeps nothing after a large result was streamed", async () => {
    const { client, account } = await startClient("test");
    const response = await client.scrape({ url: "https://large.test/", formats: ["text"], store: false });
    expect((await response.text()).length).toBeGreaterThan(1_000_000);
    await expectNothing(account, 1);
  });

  it("returns the result of an asynchronous job once, and never in lists", async () => {
    const { client, account } = await startClient();
    const id = await createEnded(client, account, { url: page("article"), formats: ["text"] });
    const list = await read(await client.call("GET", "/v1/jobs"));
    expect(list.data).toMatchObject([{ job_id: id, stored: false, request: null, result: null }]);
    const first = await read(await client.call("GET", `/v1/jobs/${id}`));
    expect(first).toMatchObject({ result: { text: expect.stringContaining("tide") }, stored: false });
    await expectNothing(account, 1);
    expect(await read(await client.call("GET", `/v1/jobs/${id}`))).toMatchObject({ status: "completed", result: null });
  });

  it("deletes a result that wasn't read after an hour", async () => {
    const { client, account } = await startClient("test");
    await createEnded(client, account, { url: "https://large.test/", formats: ["text"] });
    expect(await objectsOf(account)).toHaveLength(1);
    const [planned] = await sqlIn<{ due_at: number }>(account, "SELECT due_at FROM temporary_results");
    expect(planned?.due_at).toBeGreaterThan(Date.now() + 3_500_000);
    vi.setSystemTime((planned?.due_at ?? 0) - 1_000);
    await runDurableObjectAlarm(objectOf(account));
    expect(await objectsOf(account)).toHaveLength(1);
    vi.setSystemTime(planned?.due_at ?? 0);
    await runDurableObjectAlarm(objectOf(account));
    vi.useRealTimers();
    await expectNothing(account, 1);
  });

  it("deletes the result after its webhook event was delivered", async () => {
    const { client, account } = await startClient();
    const hook = receiver("ok");
    await createEnded(client, account, { url: page("article"), formats: ["text"], webhook_url: hook });
    const [post] = await expectPosts(hook, 1);
    expect(JSON.parse(bodyOf(post)).result.text).toContain("tide");
    await expectNothing(account, 1);
  });

  it("keeps no request of a failed job, even if it was stored in R2", async () => {
    const { client, account } = await startClient("test");
    const html = `<p>${"words ".repeat(20_000)}</p>`;
    const response = await client.call("POST", "/v1/parse?wait=true", { html, prompt: "x", store: false });
    expect(response.status).toBe(200);
    await expectNothing(account, 1);
    const other = await startClient("test");
    const failed = await other.client.scrape({ url: "https://blocked.test/", store: false });
    expect(failed.status).toBe(502);
    await expectNothing(other.account, 1);
  });
});
