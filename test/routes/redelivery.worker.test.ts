import { afterEach, describe, expect, it, vi } from "vitest";
import { sqlIn } from "../support/account";
import { type Client, createClient, page, read, refOf } from "../support/client";
import {
  bodyOf,
  type DeliveryRef,
  deliveryOf,
  dropMessages,
  endJob,
  expectAttempts,
  expectPosts,
  listDeliveries,
  postsTo,
  readDelivery,
  receiver,
} from "../support/webhooks";

afterEach(() => void vi.useRealTimers());

const redeliverPath = (id: string) => `/v1/webhooks/deliveries/${id}/redeliver`;

/** Sends the event of a job to the account's URL, which responds with an error that abandons the delivery. */
async function abandon(client: Client): Promise<DeliveryRef & { url: string }> {
  const url = receiver("gone");
  await client.call("PUT", "/v1/webhooks", { url });
  const { job_id } = await read(await client.call("POST", "/v1/scrape", { url: page("article"), formats: ["text"] }));
  await expectPosts(url, 1);
  const delivery = await deliveryOf(client, job_id);
  expect(await expectAttempts(delivery, 1)).toMatchObject({ status: "abandoned" });
  return { ...delivery, url };
}

describe("a redelivery", () => {
  it("goes to the account's current URL if the delivery used the account's URL", async () => {
    const client = await createClient();
    const { id, url: old } = await abandon(client);
    const repaired = receiver("ok");
    await client.call("PUT", "/v1/webhooks", { url: repaired });
    const { data } = await read(await client.call("POST", redeliverPath(id)));
    expect(data).toMatchObject({
      id,
      url: repaired,
      endpoint_id: "default",
      attempts: [{ url: old, status_code: 410 }],
    });
    const [post] = await expectPosts(repaired, 1);
    expect(post?.headers["x-webhook-id"]).toBe(id);
    expect(await postsTo(old)).toHaveLength(1);
  });

  it("goes to the request's webhook_url if the delivery used it", async () => {
    const client = await createClient();
    await client.call("PUT", "/v1/webhooks", { url: receiver("ok") });
    const own = receiver("ok");
    const delivery = await endJob(own, { account: await refOf(client.accountId) });
    await expectAttempts(delivery, 1);
    expect((await client.call("POST", redeliverPath(delivery.id), {})).status).toBe(202);
    await expectPosts(own, 2);
  });

  it("goes to the 'url' of the body", async () => {
    const client = await createClient();
    const { id } = await abandon(client);
    const url = receiver("ok");
    const { data } = await read(await client.call("POST", redeliverPath(id), { url }));
    expect(data).toMatchObject({ url, status: "pending" });
    await expectPosts(url, 1);
  });

  it("to the 'url' of the body needs a key with the scope keys", async () => {
    const owner = await createClient();
    const { id, url: old } = await abandon(owner);
    const limited = await createClient({ accountId: owner.accountId, scopes: ["jobs"] });
    const url = receiver("ok");
    const response = await limited.call("POST", redeliverPath(id), { url });
    expect(response.status).toBe(403);
    const { error } = await read(response);
    expect(error).toMatchObject({ code: "insufficient_scope", message: expect.stringContaining("'keys'") });
    expect((await limited.call("POST", redeliverPath(id))).status).toBe(202);
    await expectPosts(old, 2);
    expect(await postsTo(url)).toEqual([]);
  });

  it.each([
    [{ url: "https://10.0.0.1/" }, "url", 400],
    [{ url: "http://example.com/" }, "url", 400],
    [{ url: null }, "url", 400],
    [{ uri: "https://example.com/" }, "uri", 400],
    [[], undefined, 400],
  ])("isn't started with an invalid body: %j", async (body, path, status) => {
    const client = await createClient();
    const { id } = await abandon(client);
    const response = await client.call("POST", redeliverPath(id), body);
    const { error } = await read(response);
    expect([response.status, error.details?.[0]?.path]).toEqual([status, path]);
    expect((await readDelivery(await deliveryOf(client, id)))?.round).toBe(1);
  });

  it("isn't started with a body that isn't JSON", async () => {
    const client = await createClient();
    const { id } = await abandon(client);
    const send = async (type: string, body: string) =>
      (await client.call("POST", redeliverPath(id), undefined, { body, headers: { "content-type": type } })).status;
    expect(await send("text/plain", '{"url":"https://example.com/"}')).toBe(415);
    expect(await send("application/json", "{")).toBe(400);
    expect(await send("application/json; charset=utf-8;", '{"url":"ftp://example.com/"}')).toBe(400);
    expect((await readDelivery(await deliveryOf(client, id)))?.round).toBe(1);
    const headers = { "content-type": "application/json" };
    expect((await client.call("POST", redeliverPath(id), undefined, { headers })).status).toBe(202);
  });

  it("is refused with the reason if the account's URL was removed", async () => {
    const client = await createClient();
    const { id } = await abandon(client);
    await client.call("PUT", "/v1/webhooks", { url: null });
    const refused = await client.call("POST", redeliverPath(id));
    expect([refused.status, (await read(refused)).error.message]).toEqual([
      400,
      expect.stringContaining("was removed"),
    ]);
  });
});

describe("a bulk redelivery", () => {
  const PATH = "/v1/webhooks/deliveries/redeliver";
  const HOUR_MS = 3_600_000;
  const since = new Date(Date.now() - HOUR_MS).toISOString();

  type Counts = { redelivered: number; skipped: number; has_more: boolean; until: string };

  async function redeliverAll(client: Client, body: object): Promise<Counts> {
    const response = await client.call("POST", PATH, body);
    expect(response.status).toBe(202);
    return (await response.json<{ data: Counts }>()).data;
  }

  it("sends every failed delivery since a time once, to the current URL", async () => {
    const client = await createClient();
    const abandoned = await abandon(client);
    const { account } = abandoned;
    const pending = await endJob(receiver("fail"), { account });
    const succeeded = await endJob(receiver("ok"), { account });
    for (const delivery of [pending, succeeded]) await expectAttempts(delivery, 1);
    const repaired = receiver("ok");
    await client.call("PUT", "/v1/webhooks", { url: repaired });
    await sqlIn(account, "UPDATE deliveries SET created_at = created_at - 1");
    const first = await redeliverAll(client, { since });
    expect(first).toMatchObject({ redelivered: 2, skipped: 0, has_more: false });
    const [post] = await expectPosts(repaired, 1);
    expect(post?.headers["x-webhook-id"]).toBe(abandoned.id);
    await expect.poll(async () => (await readDelivery(pending))?.round).toBe(2);
    expect((await readDelivery(succeeded))?.round).toBe(1);
    // The pending delivery fails again, but not for this `until`.
    await expectAttempts(pending, 1);
    expect(await redeliverAll(client, { since, until: first.until })).toMatchObject({ redelivered: 0 });
    expect(await postsTo(repaired)).toHaveLength(1);
  });

  it.each([
    ["failed", ["abandoned", "scheduled"]],
    ["abandoned", ["abandoned"]],
    ["succeeded", ["succeeded"]],
    ["all", ["abandoned", "scheduled", "succeeded"]],
  ])("selects deliveries by status: %s", async (status, expected) => {
    const client = await createClient();
    const account = await refOf(client.accountId);
    await dropMessages(account);
    const rows: [id: string, status: string, stage: string | null][] = [
      ["abandoned", "abandoned", null],
      ["scheduled", "pending", "scheduled"],
      ["sending", "pending", "sending"],
      ["succeeded", "succeeded", null],
      ["old", "abandoned", null],
      ["test", "abandoned", null],
    ];
    for (const [id, state, stage] of rows) {
      await sqlIn(
        account,
        `INSERT INTO deliveries (mode, id, job_id, event, endpoint_id, url, host, origin, status, stage, attempts, due_at,
           created_at)
         VALUES ('live', ?1, ?1, ?2, 'request', ?3, 'example.org', '', ?4, ?5, '[{}]', ?6, ?7)`,
        ...[id, id === "test" ? "webhook.test" : "job.failed", `https://example.org/${id}`, state, stage],
        ...[stage === null ? null : Date.now() + HOUR_MS, Date.now() - (id === "old" ? 2 * HOUR_MS : 1_000)],
      );
    }
    expect(await redeliverAll(client, { since, status })).toMatchObject({ redelivered: expected.length });
    const restarted = await sqlIn<{ id: string }>(account, "SELECT id FROM deliveries WHERE round = 2 ORDER BY id");
    expect(restarted.map(({ id }) => id)).toEqual(expected);
    await sqlIn(account, "DELETE FROM deliveries");
  });

  it("is bounded, and continues with the returned 'until'", async () => {
    const client = await createClient();
    const account = await refOf(client.accountId);
    await dropMessages(account);
    await sqlIn(
      account,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
       INSERT INTO deliveries (mode, id, job_id, event, endpoint_id, url, host, origin, status, created_at)
       SELECT 'live', printf('%06d', i), printf('%06d', i), 'job.failed', iif(i % 4 = 0, 'default', 'request'), 'https://example.org/',
         'example.org', '', 'abandoned', ?1 FROM n`,
      Date.now() - 1_000,
    );
    const first = await redeliverAll(client, { since });
    expect(first).toMatchObject({ redelivered: 750, skipped: 250, has_more: true });
    const second = await redeliverAll(client, { since, until: first.until });
    expect(second).toEqual({ redelivered: 150, skipped: 50, has_more: false, until: first.until });
    expect(await redeliverAll(client, { since, until: first.until })).toMatchObject({ redelivered: 0, skipped: 0 });
    await sqlIn(account, "DELETE FROM deliveries");
  });

  it("can be limited to one endpoint, and changes only its mode", async () => {
    const client = await createClient();
    const { id, account } = await abandon(client);
    const other = await endJob(receiver("gone"), { account });
    await expectAttempts(other, 1);
    const test = await createClient({ accountId: client.accountId, mode: "test" });
    expect(await redeliverAll(test, { since })).toMatchObject({ redelivered: 0 });
    await sqlIn(account, "UPDATE deliveries SET created_at = created_at - 1");
    expect(await redeliverAll(client, { since, endpoint_id: "default" })).toMatchObject({ redelivered: 1 });
    const rounds = (await listDeliveries(client)).map((delivery) => [delivery.id, delivery.attempts.length > 0]);
    expect(rounds.map(([first]) => first).sort()).toEqual([id, other.id].sort());
    expect((await readDelivery(other))?.round).toBe(1);
  });

  it.each([
    [{}, "since"],
    [{ since: "yesterday" }, "since"],
    [{ since: "2026-11-21T09:00:00" }, "since"],
    [{ since: "2026-11-21", until: "2026-11-20" }, "until"],
    [{ since: "2026-11-21", until: "2099-01-01" }, "until"],
    [{ since: "2026-11-21", status: "broken" }, "status"],
    [{ since: "2026-11-21", limit: 7 }, "limit"],
  ])("is refused with the parameter: %j", async (body, path) => {
    const response = await (await createClient()).call("POST", PATH, body);
    expect([response.status, (await read(response)).error.details?.[0]?.path]).toEqual([400, path]);
  });

  it("requires the scope 'jobs'", async () => {
    const client = await createClient({ scopes: ["keys"] });
    expect((await client.call("POST", PATH, { since })).status).toBe(403);
  });
});

describe("a delivery that is read", () => {
  it("has the payload and the headers that were sent", async () => {
    const client = await createClient();
    const url = receiver("ok");
    const delivery = await endJob(url, { account: await refOf(client.accountId) });
    await expectAttempts(delivery, 1);
    const [post] = await expectPosts(url, 1);
    const response = await client.call("GET", `/v1/webhooks/deliveries/${delivery.id}`);
    const { data } = await response.json<{ data: { payload: string; attempts: { request_headers: object }[] } }>();
    expect(data.payload).toBe(bodyOf(post));
    const sent = Object.entries(data.attempts[0]?.request_headers ?? {});
    expect(sent.map(([name]) => name)).toContain("X-Webhook-Signature");
    for (const [name, value] of sent) expect([name, post?.headers[name.toLowerCase()]]).toEqual([name, value]);
    expect(JSON.stringify(data)).not.toContain("whsec_");
  });

  it("has no payload after the job's result was deleted", async () => {
    const client = await createClient();
    const delivery = await endJob(receiver("ok"), { account: await refOf(client.accountId) });
    await expectAttempts(delivery, 1);
    await sqlIn(delivery.account, "UPDATE jobs SET expired = 1");
    const { data } = await read(await client.call("GET", `/v1/webhooks/deliveries/${delivery.id}`));
    expect(data).toMatchObject({ id: delivery.id, payload: null });
    expect((await client.call("GET", "/v1/webhooks/deliveries/nothing")).status).toBe(404);
  });
});
