import type { z } from "@hono/zod-openapi";
import { sign } from "@octokit/webhooks-methods";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { ExtractionClient } from "../../clients/typescript/src/client";
import {
  type BatchPageEvent,
  type CrawlPageEvent,
  verifyWebhook,
  type WebhookEvent,
  WebhookSignatureError,
} from "../../clients/typescript/src/verify-webhook";
import type * as contract from "../../src/contract/batch-events";
import { createClient, page } from "../support/client";
import { openFolder } from "../support/crawls";
import { connect, failureOf } from "../support/extraction-client";
import { expectPosts, receiver } from "../support/webhooks";

describe("webhook settings", () => {
  it("can be read, set, rotated and tested, and their secret verifies the events", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const { url, secret } = await client.webhooks.get();
    expect(url).toBeNull();
    expect(await failureOf(client.webhooks.test())).toMatchObject({ code: "invalid_request", status: 400 });

    const hook = receiver("ok");
    expect(await client.webhooks.setUrl(hook)).toEqual({ url: hook, secret, previous_secret_expires_at: null });
    const sent = await client.webhooks.test();
    expect(sent).toMatchObject({ event: "webhook.test", job_id: null, url: hook });
    const [test] = await expectPosts(hook, 1);
    expect(await verifyWebhook({ ...toRequest(test), secret })).toMatchObject({ event: "webhook.test" });

    const rotated = await client.webhooks.rotateSecret();
    expect(rotated.secret).not.toBe(secret);
    const job = await client.startScrape({ url: "https://example.com/", formats: ["text"] });
    const { data } = await job.result();
    const [, post] = await expectPosts(hook, 2);
    // Both secrets verify the events, because events are signed with the new and the previous secret after a rotation.
    for (const known of [rotated.secret, secret]) {
      const event = await verifyWebhook<{ text: string }>({ ...toRequest(post), secret: known });
      if (event.event !== "job.completed") throw new Error(event.event);
      expect(event).toMatchObject({ job_id: job.id, status: "completed", endpoint: "scrape", result: data });
      expect(event.meta.completed_at).toBe((await job.get()).completed_at);
    }
    expect(await client.webhooks.setUrl(null)).toMatchObject({ url: null });
  });

  it("list deliveries, which can be redelivered", async () => {
    const client = connect(await createClient());
    const hook = receiver("ok");
    const job = await client.startScrape({ url: page("status?code=404"), webhook_url: hook });
    const [post] = await expectPosts(hook, 1);
    const { secret } = await client.webhooks.get();
    const event = await verifyWebhook({ ...toRequest(post), secret });
    expect(event).toMatchObject({ event: "job.failed", error: { code: "target_http_error" } });

    const one = async () => (await client.webhooks.deliveriesPage({ job_id: job.id })).data[0];
    await expect.poll(async () => (await one())?.status).toBe("succeeded");
    const id = (await one())?.id ?? "";
    expect(post?.headers["x-webhook-id"]).toBe(id);
    expect(await client.webhooks.redeliver(id)).toMatchObject({ id, status: "pending" });
    await expectPosts(hook, 2);
    const listed = [];
    for await (const delivery of client.webhooks.deliveries({ limit: 1 })) listed.push(delivery.id);
    expect(listed).toEqual([id]);
    for await (const delivery of client.webhooks.deliveries({ job_id: "another" })) expect.unreachable(delivery.id);
    await expect.poll(async () => (await one())?.status).toBe("succeeded");
    const detail = await client.webhooks.delivery(id);
    expect(JSON.parse(detail.payload ?? "")).toMatchObject({ event: "job.failed", job_id: job.id });
    expect(detail.attempts[0]?.request_headers?.["X-Webhook-ID"]).toBe(id);
    const other = receiver("ok");
    expect(await client.webhooks.redeliver(id, { url: other })).toMatchObject({ url: other });
    await expectPosts(other, 1);
    await expect.poll(async () => (await one())?.status).toBe("succeeded");
    const request = { since: detail.created_at, status: "all" } as const;
    expect(await client.webhooks.redeliverAll(request)).toMatchObject({ redelivered: 1, has_more: false });
    await expectPosts(other, 2);
  });

  it("are sent to several endpoints", async () => {
    const { endpoints } = connect(await createClient()).webhooks;
    const url = receiver("ok");
    const created = await endpoints.create({ url, events: ["job.failed"] });
    expect(await endpoints.get(created.id)).toEqual(created);
    expect(await endpoints.change(created.id, { events: null })).toMatchObject({ url, secret: created.secret });
    expect((await endpoints.rotateSecret(created.id)).secret).not.toBe(created.secret);
    expect(await endpoints.test(created.id)).toMatchObject({ endpoint_id: created.id });
    await expectPosts(url, 1);
    const listed = [];
    for await (const { id } of endpoints.list()) listed.push(id);
    expect(listed).toEqual([created.id]);
    await endpoints.delete(created.id);
    await expect(endpoints.get(created.id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the events of batches and crawls", () => {
  const endpoint = "scrape";

  /** Returns the verified events that a webhook receiver got, in the order of their pages, with the end last. */
  async function readEvents(client: ExtractionClient, hook: string, count: number) {
    const { secret } = await client.webhooks.get();
    const posts = await expectPosts(hook, count);
    const events = await Promise.all(
      posts.map((post) => verifyWebhook<{ text: string }>({ ...toRequest(post), secret })),
    );
    const order = (event: WebhookEvent) => ("page" in event ? event.page : Number.POSITIVE_INFINITY);
    return events.toSorted((a, b) => order(a) - order(b));
  }

  it("have types for the pages and the end of a batch", async () => {
    const client = connect(await createClient());
    const hook = receiver("ok");
    const requests = [{ url: page("article") }, { url: page("status?code=404") }];
    const webhooks = { webhook_url: hook, webhook_events: ["batch.completed" as const, "batch.page" as const] };
    const batch = await client.batch({ endpoint, requests, defaults: { formats: ["text"] }, ...webhooks });
    const [first, second, end] = await readEvents(client, hook, 3);
    if (first?.event !== "batch.page" || first.status !== "completed") throw new Error(first?.event);
    expectTypeOf(first.result).toEqualTypeOf<{ text: string } | null>();
    expect(first).toMatchObject({ batch_id: batch.id, page: 1, url: requests[0]?.url, meta: { outcome: "ok" } });
    expect(first.result?.text).toContain("1899");
    if (second?.event !== "batch.page" || second.status !== "failed") throw new Error(second?.event);
    expect([second.batch_id, second.page, second.error.code]).toEqual([batch.id, 2, "target_http_error"]);
    if (end?.event !== "batch.completed") throw new Error(end?.event);
    expect([end.batch_id, end.status, end.counts.by_code]).toEqual([
      batch.id,
      "completed",
      { ok: 1, target_http_error: 1 },
    ]);
    const { created_at, completed_at } = await batch.status();
    expect(end.meta).toEqual({ created_at, completed_at });
  });

  it("have types for the pages and the end of a crawl", async () => {
    const client = connect(await createClient());
    const hook = receiver("ok");
    const url = openFolder().page("tree/1");
    const webhooks = { webhook_url: hook, webhook_events: ["crawl.completed" as const, "crawl.page" as const] };
    const scrape = { formats: ["text" as const] };
    const crawl = await client.crawl({ url, max_depth: 0, sitemap: "skip", scrape, ...webhooks });
    const [first, end] = await readEvents(client, hook, 2);
    if (first?.event !== "crawl.page" || first.status !== "completed") throw new Error(first?.event);
    expect([first.crawl_id, first.page, first.url]).toEqual([crawl.id, 1, url]);
    expect(first.result?.text).toContain("Tree 1");
    if (end?.event !== "crawl.completed") throw new Error(end?.event);
    expect([end.crawl_id, end.status, end.counts.total, end.credits.used]).toEqual([crawl.id, "completed", 1, 1]);
  });

  it("have an error if the batch was canceled", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const hook = receiver("ok");
    const requests = [{ url: "https://slow-60.test/" }];
    await (await client.batch({ endpoint, requests, webhook_url: hook })).cancel();
    const [end] = await readEvents(client, hook, 1);
    if (end?.event !== "batch.completed") throw new Error(end?.event);
    expect([end.status, end.error?.code]).toEqual(["failed", "cancelled"]);
  });

  it("have the fields of the contract", () => {
    expectTypeOf<BatchPageEvent["page"]>().toEqualTypeOf<z.output<typeof contract.BatchPageEvent>["page"]>();
    type Fields<Event> = Event extends unknown ? keyof Event : never;
    expectTypeOf<Fields<BatchPageEvent>>().toEqualTypeOf<keyof z.output<typeof contract.BatchPageEvent>>();
    expectTypeOf<Fields<CrawlPageEvent>>().toEqualTypeOf<keyof z.output<typeof contract.CrawlPageEvent>>();
  });
});

describe("verifying a webhook", () => {
  const secret = "whsec_of-this-test";
  const body = '{"event":"webhook.test","message":"Zażółć","meta":{"created_at":"2026-11-21T09:00:00.000Z"}}';

  it("accepts the body and header types of all platforms", async () => {
    const signature = await sign(secret, body);
    const bytes = new TextEncoder().encode(body);
    const within = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
    for (const given of [body, bytes, Uint8Array.from(bytes).buffer, within]) {
      for (const headers of [
        new Headers({ "X-Webhook-Signature": signature }),
        { "x-webhook-signature": signature },
        { "X-Webhook-Signature": [signature] },
        { "x-webhook-signature": await sign("whsec_of-before", body), "x-webhook-signature-previous": signature },
      ]) {
        expect(await verifyWebhook({ body: given, headers, secret })).toEqual(JSON.parse(body));
      }
    }
  });

  it("refuses a missing signature, another secret and a changed body", async () => {
    const good = await sign(secret, body);
    const cases = {
      unsigned: { body, headers: {} },
      "another secret": { body, headers: { "x-webhook-signature": await sign("whsec_another", body) } },
      "a changed body": { body: body.replace("test", "tost"), headers: { "x-webhook-signature": good } },
      "a byte more": { body: `${body} `, headers: { "x-webhook-signature": good } },
      "cut short": { body, headers: { "x-webhook-signature": good.slice(0, -2) } },
      "another algorithm's name": { body, headers: { "x-webhook-signature": good.replace("sha256", "sha1") } },
      "no hexadecimal digits": { body, headers: { "x-webhook-signature": `sha256=${"zz".repeat(32)}` } },
      "no name": { body, headers: { "x-webhook-signature": good.replace("sha256=", "") } },
    };
    for (const [name, request] of Object.entries(cases)) {
      const verified = verifyWebhook({ ...request, secret });
      await expect(verified, name).rejects.toBeInstanceOf(WebhookSignatureError);
    }
  });

  it("throws a TypeError if the body was already parsed", async () => {
    const headers = { "x-webhook-signature": await sign(secret, body) };
    for (const parsed of [JSON.parse(body), undefined, null]) {
      await expect(verifyWebhook({ body: parsed, headers, secret })).rejects.toThrow("'body' must be the raw body");
    }
  });

  it("throws a TypeError if the secret is empty", async () => {
    await expect(verifyWebhook({ body, headers: {}, secret: "" })).rejects.toThrow("'secret' must be");
  });
});

/** Converts a received POST to the input of `verifyWebhook`. */
function toRequest(post: { headers: Record<string, string>; body: string } | undefined) {
  const body = Uint8Array.from(atob(post?.body ?? ""), (character) => character.charCodeAt(0));
  return { body, headers: post?.headers ?? {} };
}
