import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { sqlIn } from "../support/account";
import {
  type Client,
  createClient,
  ORIGIN,
  read,
  readContract,
  refOf,
  request,
  waitForAllJobs,
} from "../support/client";
import { Contract, codesOf, type Operation } from "../support/contract";
import { forAll } from "../support/for-all";
import { expectPosts, receiver } from "../support/webhooks";

const { document } = await readContract();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
);
const own = operations.filter(({ path }) => path.startsWith("/v1/"));
const extractions = own.filter(({ operationId }) => ["scrape", "parse", "serp", "map"].includes(operationId));

/** Returns the first example of the operation's body, or undefined if it has none. */
function exampleOf({ requestBody }: Operation): unknown {
  return Object.values(requestBody?.content["application/json"]?.examples ?? {})[0]?.value;
}

describe("the OpenAPI document", () => {
  it("has the request's origin in servers, and can be read by scripts of any origin", async () => {
    const response = await request("/openapi.json");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const body = await response.json<{ openapi: string; servers: unknown }>();
    expect([body.openapi, body.servers]).toEqual(["3.1.0", [{ url: ORIGIN }]]);
  });

  it("has every route under /v1", () => {
    const served = app.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/v1/"))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect(own.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...new Set(served)].sort());
  });

  forAll(operations)("has a summary, a scope and response examples for each operation", (operation) => {
    expect(operation).toMatchObject({
      operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
      summary: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\S/),
      tags: [expect.stringMatching(/\S/)],
    });
    if (operation.requestBody !== undefined) expect(exampleOf(operation)).toBeDefined();
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) >= 400) expect(codesOf(response)).not.toEqual([]);
    }
  });

  it("has examples that match its schemas", async () => {
    const contract = await readContract();
    const events = Object.values(document.webhooks).map(({ post }) => post);
    expect([...operations, ...events].flatMap((operation) => contract.exampleProblems(operation))).toEqual([]);
  });

  it("has the meaning of each response to an event", () => {
    for (const { post } of Object.values(document.webhooks))
      expect(Object.keys(post.responses).sort()).toEqual(["2XX", "410", "default"]);
  });

  it.each(own.filter(({ requestBody }) => requestBody !== undefined))(
    "has request examples for $operationId that the service accepts",
    async ({ method, path, requestBody }) => {
      const examples = Object.values(requestBody?.content["application/json"]?.examples ?? {});
      for (const { value } of examples) {
        // A test key can't have a credit limit.
        const client = await createClient({ mode: path.startsWith("/v1/keys") ? "live" : "test" });
        const isPushed = Object.hasOwn(value as object, "webhook_url");
        const url = receiver("ok");
        // Replaces the webhook URL of the example, because its host isn't part of the test.
        const body = isPushed ? { ...(value as object), webhook_url: url } : value;
        expect((await client.call(method, path.replace("{id}", await createObject(client, path)), body)).ok).toBe(true);
        const { webhook_events: events = ["one"] } = value as { webhook_events?: unknown[] };
        if (isPushed) await expectPosts(url, events.length);
      }
      await waitForAllJobs();
    },
  );
});

/** Returns the id of an object that the operations of a path can use. */
async function createObject(client: Client, path: string): Promise<string> {
  if (!path.includes("{id}") || path.startsWith("/v1/keys")) return client.keyId;
  await client.call("PUT", "/v1/webhooks", { url: receiver("ok") });
  if (path.startsWith("/v1/webhooks/endpoints")) return "default";
  return (await read(await client.call("POST", "/v1/webhooks/test"))).data.id ?? "";
}

/** Changes an ended batch as if the account couldn't have paid for its last page. */
async function stopForCredits({ accountId }: Client, id: string): Promise<void> {
  const change = "UPDATE batches SET status = 'failed', code = 'insufficient_credits', error = '{}', started = 0";
  await sqlIn(await refOf(accountId), `${change} WHERE id = ?1`, id);
  await sqlIn(await refOf(accountId), "UPDATE batch_pages SET job_id = NULL WHERE batch_id = ?1", id);
}

describe("a successful response that an operation documents", () => {
  it("is returned by every operation", async () => {
    const client = await createClient({ mode: "test" });
    const given = new Map<string, number[]>();
    const call = async (id: string, path: string, body?: unknown) => {
      const operation = operations.find(({ operationId }) => operationId === id);
      const response = await client.call(operation?.method ?? "", path, body);
      given.set(id, [...(given.get(id) ?? []), response.status]);
      return response;
    };
    for (const operation of extractions) {
      await call(operation.operationId, operation.path, exampleOf(operation));
      await call(operation.operationId, `${operation.path}?wait=true`, exampleOf(operation));
    }
    const picture = { url: "https://example.com/", formats: ["screenshot", "pdf"] };
    const { job_id, data } = await read(await call("scrape", "/v1/scrape?wait=true", picture));
    for (const [id, url] of [
      ["getScreenshot", data.screenshot_url],
      ["getPdf", data.pdf_url],
    ] as const) {
      const link = new URL(url ?? "");
      await call(id, link.pathname + link.search);
    }
    await call("getJob", `/v1/jobs/${job_id}`);
    await call("cancelJob", `/v1/jobs/${job_id}`);
    const batch = { endpoint: "scrape", requests: [{ url: "https://example.com/" }] };
    await call("createBatch", "/v1/batch", { ...batch, dry_run: true });
    const { batch_id } = await read(await call("createBatch", "/v1/batch", batch));
    await call("getBatch", `/v1/batch/${batch_id}?wait=10`);
    await call("listBatches", "/v1/batch");
    await call("resumeBatch", `/v1/batch/${batch_id}/resume`);
    await stopForCredits(client, String(batch_id));
    await call("resumeBatch", `/v1/batch/${batch_id}/resume`);
    await call("cancelBatch", `/v1/batch/${batch_id}`);
    const crawl = { url: "https://example.com/", limit: 1 };
    await call("createCrawl", "/v1/crawl", { ...crawl, dry_run: true });
    const { crawl_id } = await read(await call("createCrawl", "/v1/crawl", crawl));
    await call("getCrawl", `/v1/crawl/${crawl_id}?wait=10`);
    await call("listCrawls", "/v1/crawl?status=completed");
    await call("listSkipped", `/v1/crawl/${crawl_id}/skipped`);
    await call("resumeCrawl", `/v1/crawl/${crawl_id}/resume`);
    await stopForCredits(client, String(crawl_id));
    await call("resumeCrawl", `/v1/crawl/${crawl_id}/resume`);
    await call("cancelCrawl", `/v1/crawl/${crawl_id}`);
    await call("listJobs", "/v1/jobs");
    const made = await (await call("createKey", "/v1/keys", {})).json<{ data: { id: string } }>();
    await call("listKeys", "/v1/keys");
    await call("changeKey", `/v1/keys/${made.data.id}`, { name: "CI" });
    await call("rotateKey", `/v1/keys/${made.data.id}/rotate`, {});
    await call("deleteKey", `/v1/keys/${made.data.id}`);
    await call("listSchemas", "/v1/schemas");
    await call("getSchema", "/v1/schemas/product");
    await call("getUsage", "/v1/usage");
    await call("getHealth", "/health");
    await call("getReadiness", "/health/ready");
    await call("getSerpHealth", "/v1/serp/health");
    await call("getWebhook", "/v1/webhooks");
    await call("rotateWebhookSecret", "/v1/webhooks/rotate");
    const url = receiver("ok");
    await call("setWebhook", "/v1/webhooks", { url });
    const tested = await (await call("testWebhook", "/v1/webhooks/test")).json<{ data: { id: string } }>();
    await expectPosts(url, 1);
    await call("listWebhookDeliveries", "/v1/webhooks/deliveries");
    await call("redeliverWebhook", `/v1/webhooks/deliveries/${tested.data.id}/redeliver`);
    await expectPosts(url, 2);
    const delivery = `/v1/webhooks/deliveries/${tested.data.id}`;
    await call("getWebhookDelivery", delivery);
    await call("redeliverWebhooks", "/v1/webhooks/deliveries/redeliver", { since: "2026-11-21" });
    const endpoints = "/v1/webhooks/endpoints";
    const endpoint = await read(await call("createWebhookEndpoint", endpoints, { url: receiver("ok") }));
    const path = `${endpoints}/${endpoint.data.id}`;
    await call("listWebhookEndpoints", endpoints);
    await call("getWebhookEndpoint", path);
    await call("changeWebhookEndpoint", path, { events: ["job.failed"] });
    await call("rotateWebhookEndpointSecret", `${path}/rotate`);
    await call("testWebhookEndpoint", `${path}/test`);
    await call("deleteWebhookEndpoint", path);
    for (const { operationId, responses } of operations) {
      const good = Object.keys(responses).filter((status) => Number(status) < 400);
      expect([...new Set(given.get(operationId))].sort(), operationId).toEqual(good.map(Number));
    }
    await waitForAllJobs();
  });
});

describe("the check of responses against the document", () => {
  const headers = {
    "content-type": "application/json",
    "x-request-id": "1",
    "x-ratelimit-limit": "10",
    "x-ratelimit-remaining": "9",
    "x-ratelimit-reset": "1795291260",
  };
  const usage = document.paths["/v1/usage"]?.get?.responses["200"]?.content?.["application/json"]?.example as {
    data: { balance: number };
  };
  const problemsOf = async (path: string, response: Response, method = "GET", body?: string) =>
    (await readContract()).problemsOf({ method, path, body }, response);

  it("finds nothing in a response that matches the document", async () => {
    expect(await problemsOf("/v1/usage", Response.json(usage, { headers }))).toEqual([]);
  });

  it.each([
    ["a member", { body: { ...usage, more: 1 } }, "/v1/usage"],
    ["a nested member", { body: { ...usage, data: { ...usage.data, more: 1 } } }, "/v1/usage"],
    ["a type", { body: { ...usage, data: { ...usage.data, balance: "1" } } }, "/v1/usage"],
    ["a status", { body: usage, status: 206 }, "/v1/usage"],
    ["a header", { body: usage, headers: { location: "/" } }, "/v1/usage"],
    ["a header's format", { body: usage, headers: { "x-ratelimit-limit": "many" } }, "/v1/usage"],
    ["a content type", { body: usage, headers: { "content-type": "text/plain" } }, "/v1/usage"],
    ["a parameter", { body: usage }, "/v1/usage?more=1"],
    [
      "a code",
      { body: { success: false, error: { code: "not_found", message: "?", retryable: false } }, status: 400 },
      "/v1/usage",
    ],
  ])("finds %s", async (_, { body, status = 200, headers: more = {} }: Given, path) => {
    const response = new Response(JSON.stringify(body), { status, headers: { ...headers, ...more } });
    expect(await problemsOf(path, response)).not.toEqual([]);
  });

  it("finds a missing header and an invalid request", async () => {
    const { "x-request-id": _, ...fewer } = headers;
    expect(await problemsOf("/v1/usage", Response.json(usage, { headers: fewer }))).toEqual([
      "the header X-Request-Id is missing",
    ]);
    const accepted = extractions[0]?.responses["202"]?.content?.["application/json"]?.example;
    const response = Response.json(accepted, {
      status: 202,
      headers: { ...headers, location: "/", "retry-after": "1" },
    });
    const problems = await problemsOf("/v1/scrape", response, "POST", '{"url": "https://example.com", "more": 1}');
    expect(problems.join()).toContain("more");
  });

  it("checks webhook events too", async () => {
    const contract = new Contract(await (await request("/openapi.json")).json());
    const signed = {
      "x-webhook-signature": `sha256=${"0".repeat(64)}`,
      "x-webhook-id": "1",
      "x-webhook-attempt": "1",
      "webhook-id": "1",
      "webhook-timestamp": "1795251600",
      "webhook-signature": `v1,${"0".repeat(43)}=`,
    };
    const event = document.webhooks["webhook.test"]?.post.requestBody?.content["application/json"]?.example as object;
    expect(contract.eventProblems(signed, JSON.stringify(event))).toEqual([]);
    expect(contract.eventProblems({ ...signed, "x-webhook-more": "1" }, JSON.stringify(event))).not.toEqual([]);
    expect(contract.eventProblems(signed, JSON.stringify({ ...event, more: 1 }))).not.toEqual([]);
    expect(contract.eventProblems(signed, JSON.stringify({ ...event, event: "job.more" }))).not.toEqual([]);
  });
});

interface Given {
  body: unknown;
  status?: number;
  headers?: Record<string, string>;
}
