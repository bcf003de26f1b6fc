import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newSecret } from "../../src/keys/secret";
import { newId } from "../../src/lib/id";
import { type Mode, SCOPES, type Scope } from "../../src/model/api-key";
import { sqlIn } from "../support/account";
import { type Client, createAccount, createClient, page, read, readContract, refOf, request } from "../support/client";
import type { Operation } from "../support/contract";

/**
 * The scope that each operation requires. If the list has several scopes, one of them is sufficient for an unknown id.
 * Null if the operation requires no key.
 */
const REQUIRED_SCOPES: Record<string, Scope | Scope[] | null> = {
  createBatch: ["scrape", "parse"],
  getBatch: "jobs",
  cancelBatch: ["scrape", "parse"],
  resumeBatch: ["scrape", "parse"],
  listBatches: "jobs",
  createCrawl: "scrape",
  getCrawl: "jobs",
  listCrawls: "jobs",
  listSkipped: "jobs",
  cancelCrawl: "scrape",
  resumeCrawl: "scrape",
  cancelJob: ["scrape", "parse", "serp"],
  scrape: "scrape",
  parse: "parse",
  serp: "serp",
  map: "scrape",
  getSerpHealth: "serp",
  listSchemas: "parse",
  getSchema: "parse",
  getJob: "jobs",
  listJobs: "jobs",
  getUsage: "jobs",
  listWebhookDeliveries: "jobs",
  getWebhookDelivery: "jobs",
  redeliverWebhook: "jobs",
  redeliverWebhooks: "jobs",
  createKey: "keys",
  listKeys: "keys",
  changeKey: "keys",
  deleteKey: "keys",
  rotateKey: "keys",
  getWebhook: "keys",
  setWebhook: "keys",
  rotateWebhookSecret: "keys",
  testWebhook: "keys",
  listWebhookEndpoints: "keys",
  createWebhookEndpoint: "keys",
  getWebhookEndpoint: "keys",
  changeWebhookEndpoint: "keys",
  deleteWebhookEndpoint: "keys",
  rotateWebhookEndpointSecret: "keys",
  testWebhookEndpoint: "keys",
  getPdf: null,
  getScreenshot: null,
  getHealth: null,
  getReadiness: null,
};

const { document } = await readContract();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...(operation as Operation & { security?: { bearer?: Scope[] }[] }),
    path,
    method: method.toUpperCase(),
  })),
);
type DocumentedOperation = (typeof operations)[number];
const guarded = operations.filter(({ operationId }) => REQUIRED_SCOPES[operationId] !== null);

function scopesOf(operationId: string): Scope[] {
  return [REQUIRED_SCOPES[operationId] ?? []].flat();
}

function bodyOf({ requestBody }: DocumentedOperation): unknown {
  return Object.values(requestBody?.content["application/json"]?.examples ?? {})[0]?.value;
}

/** Creates clients. Every operation must reject their requests with the given status and error code. */
async function refusedClients(): Promise<[client: Client, status: number, code: string][]> {
  const suspended = await createClient();
  await env.DB.prepare("UPDATE accounts SET suspended_at = 1 WHERE id = ?1").bind(suspended.accountId).run();
  return [
    [await createClient({ revoked: true }), 401, "revoked_api_key"],
    [suspended, 403, "account_suspended"],
    [await createClient({ allowedIps: ["203.0.113.0/24"] }), 403, "ip_not_allowed"],
  ];
}

async function callOperation(
  client: Pick<Client, "call">,
  operation: DocumentedOperation,
  id = newId(),
  init?: RequestInit,
) {
  return await client.call(operation.method, operation.path.replace("{id}", id), bodyOf(operation), init);
}

/** Calls an operation with this Authorization header. Returns the status, the error code and WWW-Authenticate. */
async function outcome(operation: DocumentedOperation, authorization: string | null): Promise<unknown[]> {
  const body = bodyOf(operation);
  const response = await request(operation.path.replace("{id}", newId()), {
    method: operation.method,
    headers: { "content-type": "application/json", ...(authorization === null ? {} : { authorization }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { error } = await read(response);
  return [response.status, error.code, response.headers.get("www-authenticate")];
}

describe("the OpenAPI document", () => {
  it("requires the expected scope for each operation", () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(REQUIRED_SCOPES).sort());
    for (const { operationId, "x-scopes": scopes = [] } of operations)
      expect([operationId, scopes]).toEqual([operationId, scopesOf(operationId)]);
  });
});

it.each(guarded)("$operationId accepts only keys with its scope", async (operation) => {
  expect(await outcome(operation, null)).toEqual([401, "missing_api_key", "Bearer"]);
  for (const scope of SCOPES) {
    const response = await callOperation(await createClient({ mode: "test", scopes: [scope] }), operation);
    const { error } = response.status === 204 ? { error: undefined } : await read(response);
    const refused = response.status === 403 && error?.code === "insufficient_scope";
    // The example of a batch contains scrapes.
    const allowed = operation.operationId === "createBatch" ? ["scrape"] : scopesOf(operation.operationId);
    expect([scope, refused]).toEqual([scope, !allowed.includes(scope)]);
    if (refused) expect(error?.message).toContain(`'${allowed[0]}'`);
  }
});

// The same code checks the key of every operation, so one operation is enough.
describe("an operation", () => {
  const operation = guarded.find(({ operationId }) => operationId === "scrape") as DocumentedOperation;
  const mistyped = newSecret("live").replace(/.$/, (last) => (last === "0" ? "1" : "0"));

  it.each([
    ["an empty header", "", "missing_api_key"],
    ["another scheme", "Basic dXNlcjpwYXNz", "malformed_authorization"],
    ["only the scheme", "Bearer", "malformed_authorization"],
    ["a bare key", newSecret("live"), "malformed_authorization"],
    ["two keys", `Bearer ${newSecret("live")}, Bearer ${newSecret("live")}`, "malformed_authorization"],
    ["a mistyped key", `Bearer ${mistyped}`, "invalid_api_key"],
    ["an unknown key", `Bearer ${newSecret("live")}`, "invalid_api_key"],
  ])("refuses %s", async (_, authorization, code) => {
    expect(await outcome(operation, authorization)).toEqual([401, code, "Bearer"]);
  });

  it("refuses a revoked key, a suspended account and an IP address that isn't allowed", async () => {
    for (const [{ secret }, status, code] of await refusedClients()) {
      const shown = status === 401 ? "Bearer" : null;
      expect(await outcome(operation, `Bearer ${secret}`)).toEqual([status, code, shown]);
    }
  });
});

/** The operations that take the id of a webhook endpoint. */
const ENDPOINT_OPERATIONS = [
  "changeWebhookEndpoint",
  "deleteWebhookEndpoint",
  "getWebhookEndpoint",
  "rotateWebhookEndpointSecret",
  "testWebhookEndpoint",
];

/** The operations that take the id of a batch. */
const BATCH_OPERATIONS = ["cancelBatch", "getBatch", "resumeBatch"];

/** The operations that take the id of a crawl. */
const CRAWL_OPERATIONS = ["cancelCrawl", "getCrawl", "listSkipped", "resumeCrawl"];

/** Creates one object of each kind that has an id, in a new account. */
async function createObjects(mode: Mode) {
  const owner = await createClient({ mode });
  const spare = async () => (await createClient({ mode, accountId: owner.accountId })).keyId;
  const { job_id: id } = await read(
    await owner.scrape({ url: mode === "live" ? page("article") : "https://a.example/" }),
  );
  await sqlIn(
    await refOf(owner.accountId),
    `INSERT INTO deliveries (mode, id, job_id, event, endpoint_id, url, host, origin, status, created_at)
     VALUES (?1, ?2, ?2, 'job.completed', 'request', 'https://example.org/hook', 'example.org', 'https://here.example',
       'abandoned', 1)`,
    ...[mode, id],
  );
  const keys = { changeKey: await spare(), deleteKey: await spare(), rotateKey: await spare() };
  const url = mode === "live" ? page("article") : "https://a.example/";
  const batch = { endpoint: "scrape", requests: [{ url }] };
  const { batch_id } = await read(await owner.call("POST", "/v1/batch", batch));
  const { crawl_id } = await read(await owner.call("POST", "/v1/crawl", { url, limit: 1 }));
  const batches = Object.fromEntries([
    ...BATCH_OPERATIONS.map((name) => [name, String(batch_id)]),
    ...CRAWL_OPERATIONS.map((name) => [name, String(crawl_id)]),
  ]);
  const ids: Record<string, string> = {
    ...batches,
    getJob: id,
    cancelJob: id,
    getWebhookDelivery: id,
    redeliverWebhook: id,
    ...keys,
  };
  for (const operationId of ENDPOINT_OPERATIONS) {
    const body = { url: `https://example.org/${operationId}` };
    ids[operationId] = (await read(await owner.call("POST", "/v1/webhooks/endpoints", body))).data.id ?? "";
  }
  return { owner, ids };
}

const withId = operations.filter(({ path }) => path.startsWith("/v1/") && path.includes("{id}"));
const withoutId = operations.filter(({ method, path }) => method === "GET" && !path.includes("{id}"));

describe("an object of another account or mode", () => {
  it("is tested for each operation that takes an id", () => {
    const others = [
      "cancelJob",
      "changeKey",
      "deleteKey",
      "getJob",
      "getWebhookDelivery",
      "redeliverWebhook",
      "rotateKey",
    ];
    expect(withId.map(({ operationId }) => operationId).sort()).toEqual(
      [...BATCH_OPERATIONS, ...CRAWL_OPERATIONS, ...ENDPOINT_OPERATIONS, ...others].sort(),
    );
  });

  it.each<[string, Mode, Mode, "same" | "other"]>([
    ["a key of another account", "live", "live", "other"],
    ["a test key of another account", "test", "test", "other"],
    ["a test key of the same account", "live", "test", "same"],
  ])("can't be read, changed or listed with %s", async (_, mode, otherMode, account) => {
    const { owner, ids } = await createObjects(mode);
    const stranger = await createClient({
      mode: otherMode,
      accountId: account === "same" ? owner.accountId : await createAccount(),
    });
    for (const operation of withId) {
      const response = await callOperation(stranger, operation, ids[operation.operationId]);
      const unknown = await callOperation(stranger, operation);
      const [{ error }, { error: ofUnknown }] = [await read(response), await read(unknown)];
      expect([operation.operationId, response.status, error.code]).toEqual([operation.operationId, 404, "not_found"]);
      // The message must not reveal that the object exists.
      expect(error.message.replace(/'.*'/, "")).toBe(ofUnknown.message.replace(/'.*'/, ""));
    }
    for (const operation of withoutId) {
      const text = await (await callOperation(stranger, operation)).text();
      for (const id of Object.values(ids))
        expect([operation.operationId, text.includes(id)]).toEqual([operation.operationId, false]);
    }
    for (const operation of withId)
      expect((await callOperation(owner, operation, ids[operation.operationId])).ok).toBe(true);
  });

  it("in test mode can't be read or changed with a live key, but a live key may manage test keys", async () => {
    const { owner, ids } = await createObjects("test");
    const live = await createClient({ accountId: owner.accountId });
    for (const operation of withId) {
      const isAllowed = operation.path.startsWith("/v1/keys/");
      const response = await callOperation(live, operation, ids[operation.operationId]);
      expect([operation.operationId, response.ok || response.status]).toEqual([
        operation.operationId,
        isAllowed || 404,
      ]);
    }
  });

  it("keeps its webhook settings when another mode or account changes its own", async () => {
    const live = await createClient();
    const test = await createClient({ mode: "test", accountId: live.accountId });
    const stranger = await createClient();
    const settings = async ({ call }: Client) => (await read(await call("GET", "/v1/webhooks"))).data;
    const before = await settings(live);
    for (const other of [test, stranger]) {
      await other.call("PUT", "/v1/webhooks", { url: "https://example.org/theirs" });
      await other.call("POST", "/v1/webhooks/rotate");
      expect((await settings(other)).secret).not.toBe(before.secret);
    }
    expect(await settings(live)).toEqual(before);
  });

  it("isn't accessible through a new key with more permissions than its creator", async () => {
    const few = await createClient({ scopes: ["keys", "jobs"], allowedIps: ["203.0.113.0/24"] });
    const from = { headers: { "cf-connecting-ip": "203.0.113.5" } };
    const create = async (client: Client, body: unknown) => {
      const response = await client.call("POST", "/v1/keys", body, from);
      return [response.status, (await read(response)).error?.code];
    };
    expect(await create(few, { scopes: ["scrape"] })).toEqual([403, "insufficient_scope"]);
    expect(await create(few, { allowed_ips: ["0.0.0.0/0"] })).toEqual([403, "ip_not_allowed"]);
    expect(await create(few, { allowed_ips: [] })).toEqual([403, "ip_not_allowed"]);
    expect(await create(few, {})).toEqual([201, undefined]);
    expect(await create(await createClient({ mode: "test" }), { mode: "live" })).toEqual([403, "insufficient_scope"]);
  });
});

describe("the MCP tools", () => {
  const call = (name: string) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: { job_id: "x", url: 1 } },
    });
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };

  it.each([
    ["no key", undefined, 401],
    ["another scheme", "Basic x", 401],
    ["an unknown key", `Bearer ${newSecret("live")}`, 401],
  ])("refuse %s", async (_, authorization, status) => {
    const init = {
      method: "POST",
      body: call("scrape"),
      headers: { ...headers, ...(authorization && { authorization }) },
    };
    expect((await request("/mcp", init)).status).toBe(status);
  });

  it("refuse a revoked key, a suspended account and an IP address that isn't allowed", async () => {
    for (const [client, status, code] of await refusedClients()) {
      const response = await client.call("POST", "/mcp", undefined, { body: call("scrape"), headers });
      expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(code)]);
    }
  });

  it.each([
    ["scrape", ["scrape"]],
    ["parse", ["parse"]],
    ["serp", ["serp"]],
    ["map", ["scrape"]],
    ["batch", ["scrape", "parse"]],
    ["crawl", ["scrape"]],
    ["read", ["jobs"]],
    ["list_jobs", ["jobs"]],
    ["usage", ["jobs"]],
    ["cancel", ["scrape", "parse", "serp"]],
  ] as const)("require the scope of their operation: %s", async (tool, needed) => {
    for (const scope of SCOPES) {
      const client = await createClient({ mode: "test", scopes: [scope] });
      const response = await client.call("POST", "/mcp", undefined, { body: call(tool), headers });
      expect([scope, (await response.text()).includes("insufficient_scope")]).toEqual([
        scope,
        !needed.some((each) => each === scope),
      ]);
    }
  });
});
