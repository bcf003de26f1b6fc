import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { DeliveryRecord } from "../../src/contract/webhooks";
import { DAY_MS } from "../../src/model/limits";
import { sqlIn } from "../support/account";
import { createAccount, createClient, read, refOf } from "../support/client";
import {
  bodyOf,
  deliveryOf,
  endJob,
  expectAttempts,
  expectPosts,
  fireAlarm,
  listDeliveries,
  postsTo,
  readSecret,
  receiver,
} from "../support/webhooks";

afterEach(() => void vi.useRealTimers());

describe("the webhook settings", () => {
  it("have a secret for each mode, created on the first read", async () => {
    const accountId = await createAccount();
    const live = await createClient({ accountId });
    const [a, b] = await Promise.all([readSecret(live), readSecret(live)]);
    expect(a).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(b).toBe(a);
    expect(await readSecret(await createClient({ accountId, mode: "test" }))).not.toBe(a);
  });

  it("keep the URL", async () => {
    const client = await createClient();
    const url = "https://example.org/hook";
    const set = await read(await client.call("PUT", "/v1/webhooks", { url }));
    expect(set.data).toEqual({
      url,
      secret: expect.stringMatching(/^whsec_/),
      previous_secret_expires_at: null,
    });
    expect((await read(await client.call("GET", "/v1/webhooks"))).data).toEqual(set.data);
    const unset = await read(await client.call("PUT", "/v1/webhooks", { url: null }));
    expect(unset.data).toEqual({ ...set.data, url: null });
  });

  it("are stored encrypted", async () => {
    const client = await createClient();
    const secret = await readSecret(client);
    await client.call("POST", "/v1/webhooks/rotate");
    const stored = JSON.stringify(await sqlIn(await refOf(client.accountId), "SELECT * FROM webhooks"));
    expect(stored).toMatch(/"secret":"v1\./);
    expect(stored).not.toContain("whsec_");
    expect(stored).not.toContain(secret.slice("whsec_".length));
  });

  it("can be decrypted only for their account", async () => {
    const [one, other] = [await createClient(), await createClient()];
    await readSecret(one);
    await readSecret(other);
    const [row] = await sqlIn<{ secret: string }>(await refOf(one.accountId), "SELECT secret FROM webhooks");
    await sqlIn(await refOf(other.accountId), "UPDATE webhooks SET secret = ?1", row?.secret ?? "");
    expect((await other.call("GET", "/v1/webhooks")).status).toBe(503);
  });

  it("sign with the previous secret for 24 hours after a rotation", async () => {
    const client = await createClient();
    const before = await readSecret(client);
    const rotated = await read(await client.call("POST", "/v1/webhooks/rotate"));
    const after = rotated.data.secret ?? "";
    expect(after).not.toBe(before);
    const expiresAt = Date.parse(rotated.data.previous_secret_expires_at ?? "");
    expect(Math.abs(expiresAt - Date.now() - DAY_MS)).toBeLessThan(60_000);

    const url = receiver("fail");
    const delivery = await endJob(url, { account: await refOf(client.accountId) });
    await expectAttempts(delivery, 1);
    const [first] = await expectPosts(url, 1);
    const signature = (name: string, post = first) => post?.headers[`x-webhook-signature${name}`] ?? "sha256=none";
    expect(await verify(after, bodyOf(first), signature(""))).toBe(true);
    expect(await verify(before, bodyOf(first), signature("-previous"))).toBe(true);
    for (const secret of [before, after])
      expect(new Webhook(secret).verify(bodyOf(first), first?.headers ?? {})).toEqual(JSON.parse(bodyOf(first)));

    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(expiresAt);
    await fireAlarm(delivery);
    const [, second] = await expectPosts(url, 2);
    expect(await verify(after, bodyOf(second), signature("", second))).toBe(true);
    expect(second?.headers).not.toHaveProperty("x-webhook-signature-previous");
    const settings = await read(await client.call("GET", "/v1/webhooks"));
    expect(settings.data.previous_secret_expires_at).toBeNull();
  });

  it("keep the previous secret if a rotation is repeated within five minutes", async () => {
    const client = await createClient();
    const known = await readSecret(client);
    await client.call("POST", "/v1/webhooks/rotate");
    await client.call("POST", "/v1/webhooks/rotate");
    const url = receiver("ok");
    await endJob(url, { account: await refOf(client.accountId) });
    const [post] = await expectPosts(url, 1);
    expect(await verify(known, bodyOf(post), post?.headers["x-webhook-signature-previous"] ?? "sha256=none")).toBe(
      true,
    );
  });

  it("normalize the URL", async () => {
    const client = await createClient();
    const set = await read(await client.call("PUT", "/v1/webhooks", { url: " https://EXAMPLE.org:443/a b " }));
    expect(set.data.url).toBe("https://example.org/a%20b");
    for (const url of ["https:example.com/a", "https:\\\\example.com\\x"]) {
      expect((await client.call("PUT", "/v1/webhooks", { url })).status).toBe(400);
    }
  });

  it("require the scope 'keys', and report errors in the body", async () => {
    const client = await createClient({ scopes: ["scrape", "jobs"] });
    for (const [method, path] of [
      ["GET", "/v1/webhooks"],
      ["PUT", "/v1/webhooks"],
      ["POST", "/v1/webhooks/rotate"],
      ["POST", "/v1/webhooks/test"],
    ] as const) {
      const response = await client.call(method, path, method === "PUT" ? { url: null } : undefined);
      expect([response.status, (await read(response)).error.code]).toEqual([403, "insufficient_scope"]);
    }
    const owner = await createClient();
    for (const body of [{}, { url: 7 }, { url: null, secret: "whsec_mine" }]) {
      const response = await owner.call("PUT", "/v1/webhooks", body);
      expect([response.status, (await read(response)).error.code]).toEqual([400, "invalid_request"]);
    }
  });

  it("can be tested with an event that has one attempt", async () => {
    const client = await createClient();
    expect((await client.call("POST", "/v1/webhooks/test")).status).toBe(400);
    for (const [behavior, status] of [
      ["ok", "succeeded"],
      ["fail", "abandoned"],
    ] as const) {
      const url = receiver(behavior);
      await client.call("PUT", "/v1/webhooks", { url });
      const response = await client.call("POST", "/v1/webhooks/test");
      const { data } = await response.json<{ data: DeliveryRecord }>();
      expect([response.status, data]).toMatchObject([202, { job_id: null, event: "webhook.test", url }]);
      const [post] = await expectPosts(url, 1);
      expect(JSON.parse(bodyOf(post))).toMatchObject({ event: "webhook.test" });
      expect(await verify(await readSecret(client), bodyOf(post), post?.headers["x-webhook-signature"] ?? "")).toBe(
        true,
      );
      expect(await expectAttempts(await deliveryOf(client, data.id), 1)).toMatchObject({ status });
    }
  });
});

describe("deliveries", () => {
  it("are listed newest first in pages, with filters for status and job", async () => {
    const client = await createClient();
    const account = await refOf(client.accountId);
    const ids: string[] = [];
    for (const behavior of ["ok", "gone", "fail"]) {
      const delivery = await endJob(receiver(behavior), { account });
      await expectAttempts(delivery, 1);
      ids.unshift(delivery.id);
    }
    const idsOf = async (query: string) => (await listDeliveries(client, query)).map((delivery) => delivery.id);
    expect(await idsOf("")).toEqual(ids);
    expect(await idsOf("?limit=1&offset=1")).toEqual([ids[1]]);
    expect(await idsOf("?status=pending")).toEqual([ids[0]]);
    expect(await idsOf("?status=abandoned")).toEqual([ids[1]]);
    expect(await idsOf(`?job_id=${ids[2]}`)).toEqual([ids[2]]);
    const page = await read(await client.call("GET", "/v1/webhooks/deliveries?limit=2"));
    expect(page.pagination).toEqual({ total: 3, limit: 2, offset: 0, has_more: true });
    expect((await client.call("GET", "/v1/webhooks/deliveries?status=lost")).status).toBe(400);
  });

  it("are visible only in their account and mode", async () => {
    const client = await createClient();
    const delivery = await endJob(receiver("ok"), { account: await refOf(client.accountId) });
    const { id } = delivery;
    await expectAttempts(delivery, 1);
    const strangers = [await createClient(), await createClient({ accountId: client.accountId, mode: "test" })];
    for (const stranger of strangers) {
      expect(await listDeliveries(stranger)).toEqual([]);
      expect((await stranger.call("POST", `/v1/webhooks/deliveries/${id}/redeliver`)).status).toBe(404);
    }
    expect((await client.call("POST", "/v1/webhooks/deliveries/nothing/redeliver")).status).toBe(404);
    const keyless = await createClient({ accountId: client.accountId, scopes: ["keys"] });
    expect((await keyless.call("GET", "/v1/webhooks/deliveries")).status).toBe(403);
    expect((await keyless.call("POST", `/v1/webhooks/deliveries/${id}/redeliver`)).status).toBe(403);
  });

  it("can be redelivered in a new round with the same id and body", async () => {
    const client = await createClient();
    const url = receiver("ok");
    const delivery = await endJob(url, { account: await refOf(client.accountId) });
    const { id } = delivery;
    await expectAttempts(delivery, 1);
    const again = await client.call("POST", `/v1/webhooks/deliveries/${id}/redeliver`);
    expect([again.status, (await read(again)).data]).toMatchObject([202, { id, status: "pending" }]);
    const [first, second] = await expectPosts(url, 2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["x-webhook-id"]).toBe(id);
    await expect.poll(async () => (await listDeliveries(client))[0]?.status).toBe("succeeded");
    expect((await listDeliveries(client))[0]?.attempts).toHaveLength(2);
  });

  it("start a new round when they are redelivered, even during an attempt", async () => {
    const client = await createClient();
    const url = receiver("never");
    const { id } = await endJob(url, { account: await refOf(client.accountId) });
    await expectPosts(url, 1);
    await client.call("POST", `/v1/webhooks/deliveries/${id}/redeliver`);
    const [, second] = await expectPosts(url, 2);
    expect(second?.headers["x-webhook-attempt"]).toBe("1");
    const cutShort = async () => (await listDeliveries(client))[0]?.attempts;
    await expect.poll(cutShort).toMatchObject([{ error: expect.stringContaining("restarted") }]);

    const failing = receiver("fail");
    const other = await endJob(failing, { account: await refOf(client.accountId) });
    await expectAttempts(other, 1);
    await client.call("POST", `/v1/webhooks/deliveries/${other.id}/redeliver`);
    await expectPosts(failing, 2);
    expect(await expectAttempts(other, 1)).toMatchObject({ status: "pending", round: 2 });
    expect((await postsTo(failing)).map((post) => post.headers["x-webhook-attempt"])).toEqual(["1", "1"]);
  });
});
