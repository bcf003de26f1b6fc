import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Mode, newSecret, SCOPES, type Scope } from "../../src/model/api-key";
import { sqlIn } from "../support/account";
import { type Client, createAccount, createClient, page, read, readContract, refOf, request } from "../support/client";
import type { Operation } from "../support/contract";

/** The scope that each operation asks for, as the contract has it; null: no key at all. */
const NEEDS: Record<string, Scope | null> = {
  scrape: "scrape",
  parse: "parse",
  serp: "serp",
  getSerpHealth: "serp",
  getJob: "jobs",
  listJobs: "jobs",
  getUsage: "jobs",
  listWebhookDeliveries: "jobs",
  redeliverWebhook: "jobs",
  createKey: "keys",
  listKeys: "keys",
  deleteKey: "keys",
  getWebhook: "keys",
  setWebhook: "keys",
  rotateWebhookSecret: "keys",
  testWebhook: "keys",
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
type Asked = (typeof operations)[number];
const guarded = operations.filter(({ operationId }) => NEEDS[operationId] !== null);

function bodyOf({ requestBody }: Asked): unknown {
  return Object.values(requestBody?.content["application/json"]?.examples ?? {})[0]?.value;
}

/** Clients that nothing opens for, with the status and the code that tell them. */
async function refusedClients(): Promise<[client: Client, status: number, code: string][]> {
  const suspended = await createClient();
  await env.DB.prepare("UPDATE accounts SET suspended_at = 1 WHERE id = ?1").bind(suspended.accountId).run();
  return [
    [await createClient({ revoked: true }), 401, "revoked_api_key"],
    [suspended, 403, "account_suspended"],
    [await createClient({ allowedIps: ["203.0.113.0/24"] }), 403, "ip_not_allowed"],
  ];
}

async function ask(client: Pick<Client, "call">, operation: Asked, id = crypto.randomUUID(), init?: RequestInit) {
  return await client.call(operation.method, operation.path.replace("{id}", id), bodyOf(operation), init);
}

/** What an operation says to this Authorization header. */
async function outcome(operation: Asked, authorization: string | null): Promise<unknown[]> {
  const body = bodyOf(operation);
  const response = await request(operation.path.replace("{id}", crypto.randomUUID()), {
    method: operation.method,
    headers: { "content-type": "application/json", ...(authorization === null ? {} : { authorization }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { error } = await read(response);
  return [response.status, error.code, response.headers.get("www-authenticate")];
}

describe("the document", () => {
  it("asks of each operation the scope that the contract has for it", () => {
    const said = operations.map(({ operationId, security }) => [operationId, security?.[0]?.bearer?.[0] ?? null]);
    expect(Object.fromEntries(said)).toEqual(NEEDS);
    for (const { operationId, security } of guarded)
      expect([operationId, security]).toEqual([operationId, [{ bearer: [NEEDS[operationId]] }]]);
  });
});

describe.each(guarded)("$operationId", (operation) => {
  const mistyped = newSecret("live").replace(/.$/, (last) => (last === "0" ? "1" : "0"));

  it.each([
    ["no key", null, "missing_api_key"],
    ["an empty header", "", "missing_api_key"],
    ["another scheme", "Basic dXNlcjpwYXNz", "malformed_authorization"],
    ["the scheme alone", "Bearer", "malformed_authorization"],
    ["a bare key", newSecret("live"), "malformed_authorization"],
    ["two keys", `Bearer ${newSecret("live")}, Bearer ${newSecret("live")}`, "malformed_authorization"],
    ["a mistyped key", `Bearer ${mistyped}`, "invalid_api_key"],
    ["a key that nobody made", `Bearer ${newSecret("live")}`, "invalid_api_key"],
  ])("is shut for %s", async (_, authorization, code) => {
    expect(await outcome(operation, authorization)).toEqual([401, code, "Bearer"]);
  });

  it("is shut for a revoked key, a suspended account and an address that isn't listed", async () => {
    for (const [{ secret }, status, code] of await refusedClients()) {
      const shown = status === 401 ? "Bearer" : null;
      expect(await outcome(operation, `Bearer ${secret}`)).toEqual([status, code, shown]);
    }
  });

  it("opens for its own scope alone, and its key opens nothing else here", async () => {
    for (const scope of SCOPES) {
      const response = await ask(await createClient({ mode: "test", scopes: [scope] }), operation);
      const { error } = response.status === 204 ? { error: undefined } : await read(response);
      const refused = response.status === 403 && error?.code === "insufficient_scope";
      expect([scope, refused]).toEqual([scope, scope !== NEEDS[operation.operationId]]);
      if (refused) expect(error?.message).toContain(`'${NEEDS[operation.operationId]}'`);
    }
  });
});

/** Something of each kind that has an id: of one account and mode. */
async function belongings(mode: Mode) {
  const owner = await createClient({ mode });
  const spare = await createClient({ mode, accountId: owner.accountId });
  const { job_id: id } = await read(
    await owner.scrape({ url: mode === "live" ? page("article") : "https://a.example/" }),
  );
  await sqlIn(
    await refOf(owner.accountId),
    `INSERT INTO deliveries (mode, id, job_id, event, url, host, origin, status, created_at)
     VALUES (?1, ?2, ?2, 'job.completed', 'https://example.org/hook', 'example.org', 'https://here.example', 'abandoned', 1)`,
    ...[mode, id],
  );
  const ids: Record<string, string> = { getJob: id, redeliverWebhook: id, deleteKey: spare.keyId };
  return { owner, ids };
}

const withId = operations.filter(({ path }) => path.startsWith("/v1/") && path.includes("{id}"));
const withoutId = operations.filter(({ method, path }) => method === "GET" && !path.includes("{id}"));

describe("what another owns", () => {
  it("is known by id where an operation takes one", () => {
    expect(withId.map(({ operationId }) => operationId).sort()).toEqual(["deleteKey", "getJob", "redeliverWebhook"]);
  });

  it.each<[string, Mode, Mode, "same" | "other"]>([
    ["another account", "live", "live", "other"],
    ["another account, with test keys", "test", "test", "other"],
    ["a test key of the same account", "live", "test", "same"],
  ])("isn't there for %s: not read, not changed, not listed", async (_, mode, otherMode, account) => {
    const { owner, ids } = await belongings(mode);
    const stranger = await createClient({
      mode: otherMode,
      accountId: account === "same" ? owner.accountId : await createAccount(),
    });
    for (const operation of withId) {
      const response = await ask(stranger, operation, ids[operation.operationId]);
      const unknown = await ask(stranger, operation);
      const [{ error }, { error: ofUnknown }] = [await read(response), await read(unknown)];
      expect([operation.operationId, response.status, error.code]).toEqual([operation.operationId, 404, "not_found"]);
      // Not even that there is such a thing.
      expect(error.message.replace(/'.*'/, "")).toBe(ofUnknown.message.replace(/'.*'/, ""));
    }
    for (const operation of withoutId) {
      const text = await (await ask(stranger, operation)).text();
      for (const id of Object.values(ids))
        expect([operation.operationId, text.includes(id)]).toEqual([operation.operationId, false]);
    }
    for (const operation of withId) expect((await ask(owner, operation, ids[operation.operationId])).ok).toBe(true);
  });

  it("of test data isn't there for a live key, but for the keys, which it may revoke", async () => {
    const { owner, ids } = await belongings("test");
    const live = await createClient({ accountId: owner.accountId });
    for (const operation of withId) {
      const expected = operation.operationId === "deleteKey" ? 204 : 404;
      const response = await ask(live, operation, ids[operation.operationId]);
      expect([operation.operationId, response.status]).toEqual([operation.operationId, expected]);
    }
  });

  it("isn't touched by the settings of another mode or account", async () => {
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

  it("is never granted to a key by one that hasn't it", async () => {
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

describe("the tools for agents", () => {
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
    ["a key that nobody made", `Bearer ${newSecret("live")}`, 401],
  ])("are shut for %s", async (_, authorization, status) => {
    const init = {
      method: "POST",
      body: call("scrape"),
      headers: { ...headers, ...(authorization && { authorization }) },
    };
    expect((await request("/mcp", init)).status).toBe(status);
  });

  it("are shut for a revoked key, a suspended account and an address that isn't listed", async () => {
    for (const [client, status, code] of await refusedClients()) {
      const response = await client.call("POST", "/mcp", undefined, { body: call("scrape"), headers });
      expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(code)]);
    }
  });

  it.each([
    ["scrape", "scrape"],
    ["parse", "parse"],
    ["serp", "serp"],
    ["get_job", "jobs"],
  ] as const)("ask for the scope of what they stand for: %s", async (tool, needed) => {
    for (const scope of SCOPES) {
      const client = await createClient({ mode: "test", scopes: [scope] });
      const response = await client.call("POST", "/mcp", undefined, { body: call(tool), headers });
      expect([scope, (await response.text()).includes("insufficient_scope")]).toEqual([scope, scope !== needed]);
    }
  });
});
