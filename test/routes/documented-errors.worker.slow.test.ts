import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/id";
import { createAccount, createClient, page, read, readContract, readEnded, request } from "../support/client";
import type { Operation } from "../support/contract";
import { openFolder } from "../support/crawls";

const { document } = await readContract();
const own = Object.entries(document.paths)
  .filter(([path]) => path.startsWith("/v1/"))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );

/** Returns the first example of the operation's body, or undefined if it has none. */
function exampleOf({ requestBody }: Operation): unknown {
  return Object.values(requestBody?.content["application/json"]?.examples ?? {})[0]?.value;
}

function fill(path: string): string {
  return path.replace("{id}", crypto.randomUUID());
}

/** The simulated hosts for requests with test keys (`<name>.test`), by the status code that each host causes. */
const SIMULATED = { 402: "out-of-credits", 502: "blocked", 504: "timeout" } as const;

/** The statuses that other tests cover: unexpected errors, and errors that need a special page or model. */
const TESTED_ELSEWHERE = new Set(["422", "500", "503"]);

type SendRequest = (operation: (typeof own)[number]) => Promise<Response>;

/**
 * For each status code, a function that makes an operation respond with it. The tests call it for each operation that
 * documents the status.
 */
const REQUESTS_BY_STATUS: Record<string, SendRequest> = {
  400: async (operation) => {
    const client = await createClient();
    return await client.call(operation.method, `${fill(operation.path)}?nonsense=1`, exampleOf(operation));
  },
  401: (operation) => request(fill(operation.path), { method: operation.method }),
  402: async (operation) => {
    if (operation.operationId === "resumeBatch") return await resumeWithoutCredits();
    if (operation.operationId === "resumeCrawl") return await resumeCrawlWithoutCredits();
    if (operation.operationId !== "createBatch" && operation.operationId !== "createCrawl")
      return await simulate(operation, SIMULATED[402]);
    const client = await createClient({ accountId: await createAccount({ credits: 0 }) });
    return await client.call("POST", operation.path, exampleOf(operation));
  },
  403: async (operation) => {
    const client = await createClient({ scopes: [] });
    return await client.call(operation.method, fill(operation.path), exampleOf(operation));
  },
  404: async (operation) => {
    const isExtraction = operation.operationId === "scrape" || operation.operationId === "parse";
    const prompt = operation.operationId === "parse" ? { prompt: "The title." } : {};
    const body = isExtraction ? { capture_id: newId(), ...prompt } : exampleOf(operation);
    return await (await createClient()).call(operation.method, fill(operation.path), body);
  },
  409: async (operation) => {
    const client = await createClient({ mode: "test", accountId: await createAccount({ plan: "free" }) });
    if (operation.operationId === "createKey") {
      await client.call("POST", operation.path, {});
      await client.call("POST", operation.path, {});
      return await client.call("POST", operation.path, {});
    }
    const headers = { "idempotency-key": "one" };
    await client.call("POST", operation.path, exampleOf(operation), { headers });
    return await client.call("POST", operation.path, changed(exampleOf(operation)), { headers });
  },
  413: async (operation) =>
    await (await createClient()).call(operation.method, operation.path, { prompt: "x".repeat(5 * 1024 * 1024) }),
  415: async (operation) => {
    const init = { body: "a=1", headers: { "content-type": "text/plain" } };
    return await (await createClient()).call(operation.method, operation.path, undefined, init);
  },
  429: async (operation) => {
    const client = await createClient({ accountId: await createAccount({ ratePerMinute: 1 }) });
    const requests = Array.from({ length: 11 }, () => client.call(operation.method, fill(operation.path)));
    return (await Promise.all(requests)).find(({ status }) => status === 429) ?? Response.error();
  },
  502: async (operation) => await simulate(operation, SIMULATED[502]),
  504: async (operation) => await simulate(operation, SIMULATED[504]),
};

async function simulate(operation: Operation & { path: string }, word: string): Promise<Response> {
  const client = await createClient({ mode: "test" });
  const target = operation.operationId === "serp" ? { query: `${word}.test` } : { url: `https://${word}.test/` };
  const prompt = operation.operationId === "parse" ? { prompt: "Anything." } : {};
  return await client.call("POST", `${operation.path}?wait=true`, { ...target, ...prompt });
}

function changed(body: unknown): unknown {
  const { query, url, requests } = body as { query?: string; url?: string; requests?: unknown[] };
  if (requests !== undefined) return { ...(body as object), requests: requests.slice(1) };
  return { ...(body as object), ...(query === undefined ? { url: `${url}?changed` } : { query: `${query} changed` }) };
}

describe("an error that an operation documents", () => {
  const documented = own.flatMap((operation) =>
    Object.keys(operation.responses)
      .filter((status) => Number(status) >= 400 && !TESTED_ELSEWHERE.has(status))
      .map((status) => ({ operation, status, id: operation.operationId })),
  );

  it.each(documented)("is returned by $id: $status", async ({ operation, status }) => {
    const response = await REQUESTS_BY_STATUS[status]?.(operation);
    expect(response?.status).toBe(Number(status));
  });
});

async function resumeWithoutCredits(): Promise<Response> {
  const client = await createClient({ accountId: await createAccount({ credits: 1 }) });
  const requests = [{ url: page("article") }, { url: page("article") }];
  const { batch_id } = await read(await client.call("POST", "/v1/batch", { endpoint: "scrape", requests }));
  await readEnded(client, `/v1/batch/${batch_id}`);
  return await client.call("POST", `/v1/batch/${batch_id}/resume`);
}

async function resumeCrawlWithoutCredits(): Promise<Response> {
  const client = await createClient({ accountId: await createAccount({ credits: 1 }) });
  const { crawl_id } = await read(await client.call("POST", "/v1/crawl", { url: openFolder().page("tree/1") }));
  await readEnded(client, `/v1/crawl/${crawl_id}`);
  return await client.call("POST", `/v1/crawl/${crawl_id}/resume`);
}
