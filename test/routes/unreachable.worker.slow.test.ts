import {
  createExecutionContext,
  evictDurableObject,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { newSecret } from "../../src/keys/secret";
import { MAX_ROW_REQUEST_BYTES } from "../../src/model/limits";
import { findRequest } from "../../src/store/objects";
import { objectOf, sqlIn, withFailingAccounts } from "../support/account";
import { type Client, createClient, ORIGIN, page, querySite, read, refOf, request } from "../support/client";
import { signUp, Visitor } from "../support/visitor";

const unreachable = withFailingAccounts(() => "before");

/** All operations that need the account's Durable Object. */
const OPERATIONS: [method: string, path: string, body?: object][] = [
  ["POST", "/v1/scrape", { url: page("article") }],
  ["POST", "/v1/scrape?wait=true", { url: page("article") }],
  ["POST", "/v1/parse", { html: "<p>x</p>", prompt: "p" }],
  ["POST", "/v1/serp", { query: "tides" }],
  ["GET", "/v1/jobs"],
  ["GET", "/v1/usage"],
  ["GET", "/v1/webhooks"],
  ["PUT", "/v1/webhooks", { url: "https://example.org/" }],
  ["POST", "/v1/webhooks/rotate"],
  ["POST", "/v1/webhooks/test"],
  ["GET", "/v1/webhooks/deliveries"],
];

/** Sends a request to a Worker with these bindings. */
async function send(bindings: Env, { secret }: Client, [method, path, body]: (typeof OPERATIONS)[number]) {
  const ctx = createExecutionContext();
  const init = {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", "idempotency-key": "once" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const response = await app.fetch(new Request(`${ORIGIN}${path}`, init), bindings, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

describe("while an account's Durable Object can't be reached", () => {
  it.each(OPERATIONS)("%s %s responds with 503 and Retry-After", async (...operation) => {
    const client = await createClient();
    const response = await send(unreachable, client, operation);
    expect([response.status, Number(response.headers.get("retry-after"))]).toEqual([503, 5]);
    expect((await read(response)).error).toMatchObject({ code: "unavailable", retryable: true });
  });

  it("requests with an id of the account respond with 503 too", async () => {
    const client = await createClient();
    const { job_id } = await read(await client.scrape({ url: page("article") }));
    for (const operation of [
      ["GET", `/v1/jobs/${job_id}`],
      ["POST", `/v1/webhooks/deliveries/${job_id}/redeliver`],
    ] as [string, string][]) {
      expect([operation, (await send(unreachable, client, operation)).status]).toEqual([operation, 503]);
    }
  });

  it("a failed request creates no job, and its retry creates the first one", async () => {
    const client = await createClient();
    const url = page("article");
    const operation: (typeof OPERATIONS)[number] = ["POST", "/v1/scrape?wait=true", { url }];
    expect((await send(unreachable, client, operation)).status).toBe(503);
    expect(await querySite("hits", url)).toBe(0);
    const usage = await read(await client.call("GET", "/v1/usage"));
    expect(usage.data).toMatchObject({ balance: 100_000, reserved: 0 });
    expect((await read(await client.call("GET", "/v1/jobs"))).pagination).toMatchObject({ total: 0 });
    expect((await send(env, client, operation)).status).toBe(200);
    expect((await read(await client.call("GET", "/v1/jobs"))).pagination).toMatchObject({ total: 1 });
  });

  it.each([
    { retryable: true, path: "/v1/scrape?wait=true", status: 200 },
    { retryable: false, path: "/v1/scrape?wait=true", status: 200 },
    { retryable: false, path: "/v1/scrape", status: 202 },
  ])("a job is created and charged once, even if the call fails after the write: %o", async (given) => {
    const client = await createClient();
    const account = await refOf(client.accountId);
    let failures = 1;
    const lostReply = withFailingAccounts(
      (method) => (method === "createJob" && failures-- > 0 ? "after" : null),
      given,
    );
    const response = await send(lostReply, client, ["POST", given.path, { url: page("article") }]);
    expect(response.status).toBe(given.status);
    const { job_id } = await read(response);
    await expect
      .poll(() => sqlIn(account, "SELECT id, status, credits_used FROM jobs"))
      .toEqual([{ id: job_id, status: "completed", credits_used: 1 }]);
    expect((await read(await client.call("GET", "/v1/usage"))).data).toMatchObject({ balance: 99_999, reserved: 0 });
  });

  it("a large request stays in R2 if its job may have been created", async () => {
    const client = await createClient();
    const lostReply = withFailingAccounts((method) => (method === "createJob" ? "after" : null));
    const html = `<p>${"x".repeat(MAX_ROW_REQUEST_BYTES)}</p>`;
    const response = await send(lostReply, client, ["POST", "/v1/parse", { html, prompt: "p" }]);
    expect([response.status, Number(response.headers.get("retry-after"))]).toEqual([503, 5]);
    const [job] = await sqlIn<{ id: string }>(await refOf(client.accountId), "SELECT id FROM jobs");
    expect(await findRequest(env.STORE, job?.id ?? "")).toContain(html);
  });

  it("a tool call returns the error unavailable", async () => {
    const { secret } = await createClient();
    const params = { name: "scrape", arguments: { url: page("article") } };
    const ctx = createExecutionContext();
    const init = {
      method: "POST",
      headers: {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    };
    const response = await app.fetch(new Request(`${ORIGIN}/mcp`, init), unreachable, ctx);
    const text = await response.text();
    await waitOnExecutionContext(ctx);
    expect(text).toContain("unavailable");
  });

  it("a page of the dashboard shows the error", async () => {
    const { visitor } = await signUp();
    await visitor.read("/dashboard");
    const cut = new Visitor({ ACCOUNT: unreachable.ACCOUNT });
    for (const [name, value] of visitor.cookies) cut.cookies.set(name, value);
    for (const path of ["", "/jobs", "/playground", "/webhooks"]) {
      const response = await cut.get(`/dashboard${path}`);
      expect([path, response.status, response.headers.get("retry-after")]).toEqual([path, 503, "5"]);
      expect(await response.text()).toContain("Temporarily unavailable");
    }
  });
});

describe("an account whose Durable Object was erased", () => {
  it("gets a dashboard page with Retry-After", async () => {
    const { visitor } = await signUp();
    await visitor.read("/dashboard");
    const gone = { getByName: () => env.ACCOUNT.getByName("an object that was never opened") };
    const cut = new Visitor({ ACCOUNT: gone as unknown as Env["ACCOUNT"] });
    for (const [name, value] of visitor.cookies) cut.cookies.set(name, value);
    const response = await cut.get("/dashboard");
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("Reload the page in a minute.");
  });

  it.each(OPERATIONS)("gets the response of an unknown key for %s %s", async (...operation) => {
    const client = await createClient();
    expect((await client.call("GET", "/v1/usage")).status).toBe(200);
    const object = objectOf(await refOf(client.accountId));
    await runInDurableObject(object, (_, { storage }) => storage.deleteAll());
    await evictDurableObject(object);
    // The key's verifier still has the old record, so it accepts the key.
    const response = await send(env, client, operation);
    const [method, path, body] = operation;
    const unknown = await request(path, {
      method,
      headers: { authorization: `Bearer ${newSecret("live")}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const [{ error: given }, { error: expected }] = [await read(response), await read(unknown)];
    expect({ ...given, request_id: "" }).toEqual({ ...expected, request_id: "" });
  });
});
