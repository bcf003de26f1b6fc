import { verify } from "@octokit/webhooks-methods";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { WebhookEndpointWithSecret } from "../../src/contract/webhook-endpoints";
import { stubOf } from "../support/account";
import { type Client, createAccount, createClient, page, read, refOf } from "../support/client";
import {
  bodyOf,
  deliveryOf,
  expectAttempts,
  expectPosts,
  fireAlarm,
  listDeliveries,
  postsTo,
  readSecret,
  receiver,
} from "../support/webhooks";

afterEach(() => void vi.useRealTimers());

const PATH = "/v1/webhooks/endpoints";

async function create(client: Client, body: object): Promise<WebhookEndpointWithSecret> {
  const response = await client.call("POST", PATH, body);
  expect(response.status).toBe(201);
  return (await response.json<{ data: WebhookEndpointWithSecret }>()).data;
}

/** Ends a job of the client's account without a `webhook_url`. */
async function endJobOf(client: Client, url = page("article")): Promise<string> {
  const { job_id } = await read(await client.call("POST", "/v1/scrape", { url, formats: ["text"] }));
  return job_id;
}

const FAILING = `${page("status")}?code=404`;

describe("webhook endpoints", () => {
  it("receive their events next to the account's URL, each signed with its own secret", async () => {
    const client = await createClient();
    const [general, failures, all] = [receiver("ok"), receiver("ok"), receiver("ok")];
    await client.call("PUT", "/v1/webhooks", { url: general });
    const forFailures = await create(client, { url: failures, events: ["job.failed"] });
    const forAll = await create(client, { url: all });
    expect(forFailures).toMatchObject({ url: failures, events: ["job.failed"], previous_secret_expires_at: null });
    const id = await endJobOf(client, FAILING);
    const [[first], [second], [third]] = await Promise.all([
      expectPosts(general, 1),
      expectPosts(failures, 1),
      expectPosts(all, 1),
    ]);
    const secrets = [await readSecret(client), forFailures.secret, forAll.secret];
    expect(new Set(secrets).size).toBe(3);
    for (const [i, post] of [first, second, third].entries()) {
      expect(JSON.parse(bodyOf(post))).toMatchObject({ event: "job.failed", job_id: id });
      const signature = post?.headers["x-webhook-signature"] ?? "";
      for (const [j, secret] of secrets.entries()) expect(await verify(secret, bodyOf(post), signature)).toBe(i === j);
    }
    // The account's URL gets the job's id as before. The other deliveries have their own ids.
    expect(first?.headers["x-webhook-id"]).toBe(id);
    const ids = [first, second, third].map((post) => post?.headers["x-webhook-id"]);
    expect(new Set(ids).size).toBe(3);
    const listed = await listDeliveries(client, `?job_id=${id}`);
    expect(listed.map(({ endpoint_id }) => endpoint_id).sort()).toEqual(["default", forAll.id, forFailures.id].sort());
    await endJobOf(client);
    await Promise.all([expectPosts(general, 2), expectPosts(all, 2)]);
    expect(await postsTo(failures)).toHaveLength(1);
  });

  it("don't receive the event of a request with its own webhook_url", async () => {
    const client = await createClient();
    const [own, further] = [receiver("ok"), receiver("ok")];
    await create(client, { url: further });
    const body = { url: page("article"), formats: ["text"], webhook_url: own };
    const { job_id } = await read(await client.call("POST", "/v1/scrape", body));
    await expectPosts(own, 1);
    expect(await listDeliveries(client, `?job_id=${job_id}`)).toMatchObject([{ endpoint_id: null, url: own }]);
    expect(await postsTo(further)).toEqual([]);
  });

  it("get an event once if its job ends twice", async () => {
    const client = await createClient();
    const url = receiver("ok");
    await create(client, { url });
    const id = await endJobOf(client);
    await expectPosts(url, 1);
    const account = await refOf(client.accountId);
    await stubOf(account).detach({ mode: "live", id }, { accepted: true });
    expect(await listDeliveries(client, `?job_id=${id}`)).toHaveLength(1);
  });

  it("are listed with the account's URL first, and can be read, changed and deleted", async () => {
    const client = await createClient();
    const list = async () => (await (await client.call("GET", PATH)).json<{ data: { id: string }[] }>()).data;
    expect(await list()).toEqual([]);
    await client.call("PUT", "/v1/webhooks", { url: "https://example.org/first" });
    const created = await create(client, {
      url: "https://example.org/second",
      events: ["job.failed", "job.completed"],
    });
    const { secret, previous_secret_expires_at, ...listed } = created;
    expect(listed.events).toEqual(["job.completed", "job.failed"]);
    expect(await list()).toEqual([
      {
        id: "default",
        url: "https://example.org/first",
        events: expect.arrayContaining(["job.failed"]),
        created_at: null,
      },
      listed,
    ]);
    const path = `${PATH}/${created.id}`;
    expect((await read(await client.call("GET", path))).data).toEqual(created);
    const url = "https://example.org/third";
    const changed = await read(await client.call("PATCH", path, { url, events: ["job.failed"] }));
    expect(changed.data).toEqual({ ...created, url, events: ["job.failed"] });
    expect((await read(await client.call("PATCH", path, { events: null }))).data).toMatchObject({
      events: expect.arrayContaining(["job.completed", "job.failed"]),
    });
    expect((await client.call("DELETE", path)).status).toBe(204);
    for (const method of ["GET", "DELETE"]) expect((await client.call(method, path)).status).toBe(404);
    expect((await list()).map(({ id }) => id)).toEqual(["default"]);
  });

  it("include the account's URL as 'default', with the settings of /v1/webhooks", async () => {
    const client = await createClient();
    expect((await client.call("GET", `${PATH}/default`)).status).toBe(404);
    const url = receiver("ok");
    const { data: settings } = await read(await client.call("PUT", "/v1/webhooks", { url }));
    const endpoint = (await read(await client.call("GET", `${PATH}/default`))).data;
    expect(endpoint).toMatchObject({ id: "default", ...settings });
    await client.call("PATCH", `${PATH}/default`, { events: ["job.failed"] });
    const completed = await endJobOf(client);
    await endJobOf(client, FAILING);
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post)).event).toBe("job.failed");
    expect(await listDeliveries(client, `?job_id=${completed}`)).toEqual([]);
    expect((await client.call("DELETE", `${PATH}/default`)).status).toBe(204);
    expect((await read(await client.call("GET", "/v1/webhooks"))).data).toEqual({ ...settings, url: null });
  });

  it("rotate their secrets and send test events separately", async () => {
    const client = await createClient();
    const url = receiver("ok");
    const { id, secret: before } = await create(client, { url, events: ["job.failed"] });
    const rotated = (await read(await client.call("POST", `${PATH}/${id}/rotate`))).data;
    expect(rotated.secret).not.toBe(before);
    const sent = await read(await client.call("POST", `${PATH}/${id}/test`));
    expect(sent.data).toMatchObject({ event: "webhook.test", endpoint_id: id, url });
    const [post] = await expectPosts(url, 1);
    expect(await verify(rotated.secret ?? "", bodyOf(post), post?.headers["x-webhook-signature"] ?? "")).toBe(true);
    const previous = post?.headers["x-webhook-signature-previous"] ?? "sha256=none";
    expect(await verify(before, bodyOf(post), previous)).toBe(true);
    expect((await client.call("POST", `${PATH}/nothing/test`)).status).toBe(404);
    expect((await client.call("POST", `${PATH}/nothing/rotate`)).status).toBe(404);
  });

  it.each([
    [{}, "url", "required"],
    [{ url: "http://example.com/" }, "url", "https"],
    [{ url: "https://10.0.0.1/" }, "url", "private"],
    [{ url: "https://example.com/", events: [] }, "events", "at least one event"],
    [{ url: "https://example.com/", events: ["job.done"] }, "events.0", "job.completed, job.failed"],
    [{ url: "https://example.com/", secret: "whsec_mine" }, "secret", "not a known parameter"],
  ])("are refused with the reason: %j", async (body, path, message) => {
    const client = await createClient();
    const response = await client.call("POST", PATH, body);
    expect(response.status).toBe(400);
    const { error } = await read(response);
    expect(error).toMatchObject({
      code: "invalid_request",
      details: [{ path, message: expect.stringContaining(message) }],
    });
  });

  it("can't have the URL of another endpoint, and are limited to 10", async () => {
    const client = await createClient();
    const url = "https://example.org/hook";
    await client.call("PUT", "/v1/webhooks", { url });
    expect((await client.call("POST", PATH, { url })).status).toBe(400);
    const { id } = await create(client, { url: `${url}/1` });
    expect((await client.call("PATCH", `${PATH}/${id}`, { url })).status).toBe(400);
    expect((await client.call("PATCH", `${PATH}/${id}`, {})).status).toBe(400);
    expect((await client.call("PUT", "/v1/webhooks", { url: `${url}/1` })).status).toBe(400);
    for (let i = 2; i <= 9; i++) await create(client, { url: `${url}/${i}` });
    const refused = await client.call("POST", PATH, { url: `${url}/10` });
    expect([refused.status, (await read(refused)).error.message]).toEqual([400, expect.stringContaining("at most 10")]);
  });

  it("belong to one account and mode, and require the scope 'keys'", async () => {
    const accountId = await createAccount();
    const live = await createClient({ accountId });
    const { id } = await create(live, { url: "https://example.org/hook" });
    for (const stranger of [await createClient({ accountId, mode: "test" }), await createClient()]) {
      expect((await stranger.call("GET", `${PATH}/${id}`)).status).toBe(404);
      expect((await stranger.call("PATCH", `${PATH}/${id}`, { events: null })).status).toBe(404);
      expect((await stranger.call("DELETE", `${PATH}/${id}`)).status).toBe(404);
    }
    const reader = await createClient({ accountId, scopes: ["jobs", "scrape"] });
    expect((await reader.call("GET", PATH)).status).toBe(403);
    expect((await reader.call("POST", PATH, { url: "https://example.org/other" })).status).toBe(403);
  });

  it("are limited to 10 together with the account's URL", async () => {
    const client = await createClient();
    const url = "https://example.org/hook";
    for (let i = 1; i <= 10; i++) await create(client, { url: `${url}/${i}` });
    const refused = await client.call("PUT", "/v1/webhooks", { url });
    expect([refused.status, (await read(refused)).error.message]).toEqual([400, expect.stringContaining("at most 10")]);
    expect((await read(await client.call("GET", "/v1/webhooks"))).data).toMatchObject({ url: null });
  });

  it("retry their pending deliveries at the new URL after a change", async () => {
    const client = await createClient();
    const [broken, repaired] = [receiver("fail"), receiver("ok")];
    const { id } = await create(client, { url: broken });
    await endJobOf(client);
    await expectPosts(broken, 1);
    const [delivery] = await listDeliveries(client);
    const ref = await deliveryOf(client, delivery?.id ?? "");
    await expectAttempts(ref, 1);
    await client.call("PATCH", `${PATH}/${id}`, { url: repaired });
    vi.useFakeTimers({ toFake: ["Date"] });
    await fireAlarm(ref);
    await expectPosts(repaired, 1);
    expect(await expectAttempts(ref, 2)).toMatchObject({
      status: "succeeded",
      attempts: [{ url: broken }, { url: repaired }],
    });
    expect(await postsTo(broken)).toHaveLength(1);
  });

  it("abandon their unfinished deliveries when they are deleted", async () => {
    const client = await createClient();
    const url = receiver("fail");
    const { id } = await create(client, { url });
    await endJobOf(client);
    await expectPosts(url, 1);
    const [delivery] = await listDeliveries(client);
    const ref = await deliveryOf(client, delivery?.id ?? "");
    await expectAttempts(ref, 1);
    await client.call("DELETE", `${PATH}/${id}`);
    expect(await expectAttempts(ref, 2)).toMatchObject({
      status: "abandoned",
      attempts: [{}, { error: "Not sent: the webhook endpoint was deleted." }],
    });
    const refused = await client.call("POST", `/v1/webhooks/deliveries/${ref.id}/redeliver`);
    expect([refused.status, (await read(refused)).error.message]).toEqual([
      400,
      expect.stringContaining("was deleted"),
    ]);
    const other = receiver("ok");
    const sent = await client.call("POST", `/v1/webhooks/deliveries/${ref.id}/redeliver`, { url: other });
    expect(sent.status).toBe(202);
    await expectPosts(other, 1);
  });
});
