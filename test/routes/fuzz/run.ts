import { exports } from "cloudflare:workers";
import fc from "fast-check";
import { type Client, createClient, ORIGIN, page, readContract } from "../../support/client";
import type { Contract } from "../../support/contract";
import { type GeneratedRequest, requestsOf } from "./requests";

/**
 * The number of responses by operation and status, and the distinct problems. Each problem has a request that causes
 * it.
 */
export interface Findings {
  tally: Map<string, number>;
  problems: Map<string, string>;
}

const CHUNK = 100;
const RESPONSE_TIMEOUT_MS = 100_000;
const RATE_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
/** The codes of unexpected errors. A failed job has other codes. */
const UNEXPECTED_ERRORS = new Set(["internal_error", "unavailable"]);

/** The ids in the responses so far, by the path of their list. */
type KnownIds = Map<string, string[]>;

/** Sends generated requests one after the other. Checks each response against the OpenAPI document. */
export async function fuzzApi({
  requests,
  seed,
  settle,
}: {
  requests: number;
  seed: number;
  settle: () => Promise<void>;
}) {
  const contract = await readContract();
  const arbitrary = requestsOf(contract.document);
  const findings: Findings = { tally: new Map(), problems: new Map() };
  for (let sent = 0; sent < requests; sent += CHUNK) {
    const numRuns = Math.min(CHUNK, requests - sent);
    const clients = { test: await createClient({ mode: "test" }), live: await createClient() };
    const { accountId } = clients.test;
    const spares = await Promise.all([1, 2, 3].map(() => createClient({ mode: "test", accountId })));
    const ids: KnownIds = new Map([
      ["/v1/keys", spares.map(({ keyId }) => keyId)],
      ["/v1/webhooks/endpoints", await createEndpoints(clients.test)],
      ["/v1/webhooks/deliveries", [await createDelivery(clients.test)]],
      ["/v1/batch", [await createBatch(clients.test)]],
      ["/v1/crawl", [await createCrawl(clients.test)]],
      ["/v1/schemas", ["product", "article"]],
    ]);
    // The seed depends only on `seed` and `sent`. Therefore a shorter run sends the same first requests as a longer
    // one.
    for (const generated of fc.sample(arbitrary, { numRuns, seed: seed + sent })) {
      await tryOne(contract, findings, clients, ids, generated);
    }
    await settle();
  }
  return findings;
}

/** Creates webhook endpoints and returns their ids. */
async function createEndpoints(client: Client): Promise<string[]> {
  const create = async (path: string) => {
    const response = await client.call("POST", "/v1/webhooks/endpoints", { url: `https://example.com/${path}` });
    const { data } = await response.json<{ data: { id: string } }>();
    return data.id;
  };
  return [await create("one"), await create("two")];
}

/** Creates the delivery of a test event and returns its id. */
async function createDelivery(client: Client): Promise<string> {
  await client.call("PUT", "/v1/webhooks", { url: "https://example.com/default" });
  const response = await client.call("POST", "/v1/webhooks/test");
  const { data } = await response.json<{ data: { id: string } }>();
  return data.id;
}

/** Creates a batch and returns its id. */
async function createBatch(client: Client): Promise<string> {
  const requests = [{ url: "https://example.com/" }];
  const response = await client.call("POST", "/v1/batch", { endpoint: "scrape", requests });
  return (await response.json<{ batch_id: string }>()).batch_id;
}

/** Creates a crawl and returns its id. */
async function createCrawl(client: Client): Promise<string> {
  const response = await client.call("POST", "/v1/crawl", { url: "https://example.com/", limit: 1 });
  return (await response.json<{ crawl_id: string }>()).crawl_id;
}

async function tryOne(
  contract: Contract,
  { tally, problems }: Findings,
  clients: Record<"test" | "live", Client>,
  ids: KnownIds,
  generated: GeneratedRequest,
): Promise<void> {
  const sent = generated.key === "live" ? onLoopback(generated) : generated;
  const request = toRequest(sent, clients, ids);
  if (request === null) return count(tally, "could not be sent");
  const { pathname, search } = new URL(request.url);
  const path = `${decodePath(pathname)}${search}`;
  const found = (problem: string) => {
    const name = `${generated.operationId}: ${problem}`;
    if (!problems.has(name)) problems.set(name, describe(sent, path));
  };
  let response: Response | "nothing";
  try {
    response = await describeResponse(request);
  } catch (error) {
    return found(`the Worker threw: ${error}`);
  }
  if (response === "nothing") return found(`no response within ${RESPONSE_TIMEOUT_MS} ms`);
  count(tally, `${generated.operationId} ${response.status}`);
  if (!/^[0-9a-f-]{36}$/.test(response.headers.get("x-request-id") ?? "")) found("X-Request-Id is missing");
  // The OpenAPI document doesn't describe responses to CORS preflights.
  if (pathname.startsWith("/v1/") && request.method !== "OPTIONS") {
    for (const name of RATE_HEADERS) if (!/^\d+$/.test(response.headers.get(name) ?? "")) found(`${name} is missing`);
  }
  if (response.headers.has("x-injected")) found("a header was injected");
  await keepIds(response.clone() as Response, toList(pathname), ids, found);
  const body = typeof sent.body === "string" ? sent.body : undefined;
  try {
    for (const problem of await contract.problemsOf({ method: request.method, path, body }, response)) found(problem);
  } catch (error) {
    found(`it can't be held against the document: ${error}`);
  }
}

/** Returns the request. Returns null if the runtime refuses to build it, because then no client could send it. */
function toRequest(
  generated: GeneratedRequest,
  clients: Record<"test" | "live", Client>,
  ids: KnownIds,
): Request | null {
  const { method, headers, body, key } = generated;
  const path = generated.path.replace(/\{known (\S+) (\d+)\}/, (_, list, n) => {
    // A change of the run's own keys would make the service refuse all later requests.
    const own = [clients.test.keyId, clients.live.keyId];
    const known = (ids.get(list) ?? []).filter((id) => !own.includes(id));
    return known[Number(n) % known.length] ?? crypto.randomUUID();
  });
  try {
    const all = new Headers([["cf-connecting-ip", `203.0.113.${Math.floor(Math.random() * 256)}`]]);
    const authorization = typeof key === "string" ? `Bearer ${clients[key].secret}` : key.authorization;
    if (authorization !== null) all.set("authorization", authorization);
    for (const [name, value] of headers) all.set(name, value);
    return new Request(`${ORIGIN}${path}`, { method, headers: all, ...(body === undefined ? {} : { body }) });
  } catch {
    return null;
  }
}

/** Changes a live request so that the service contacts only this machine and needs no browser. */
function onLoopback(generated: GeneratedRequest): GeneratedRequest {
  const { operationId, body } = generated;
  if (body === undefined) return generated;
  if (operationId === "scrape")
    return { ...generated, body: JSON.stringify({ url: page("article"), formats: ["text"] }) };
  if (operationId === "createBatch")
    return { ...generated, body: JSON.stringify({ endpoint: "scrape", requests: [{ url: page("article") }] }) };
  if (operationId === "parse") return { ...generated, body: JSON.stringify({ html: "<p>x</p>", prompt: "p" }) };
  return { ...generated, key: "test" };
}

async function describeResponse(request: Request): Promise<Response | "nothing"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<"nothing">((resolve) => {
    timer = setTimeout(() => resolve("nothing"), RESPONSE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([exports.default.fetch(request), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the path of the list that has the objects in the response to this path. */
function toList(pathname: string): string {
  if (/^\/v1\/(?:scrape|parse|serp)$/.test(pathname)) return "/v1/jobs";
  if (pathname === "/v1/webhooks/test") return "/v1/webhooks/deliveries";
  return pathname.replace(/\/[0-9a-f-]{36}(?:\/.*)?$/, "");
}

/**
 * Stores the ids in a response for later requests. Reports an unexpected error even if the OpenAPI document describes
 * it.
 */
async function keepIds(
  response: Response,
  list: string,
  ids: KnownIds,
  found: (problem: string) => void,
): Promise<void> {
  const text = await response.text();
  const [, id] = /"(?:job_id|batch_id|crawl_id|id)":"([0-9a-f-]{36})"/.exec(text) ?? [];
  if (id !== undefined && response.ok) ids.set(list, [...(ids.get(list) ?? []), id]);
  if (response.status < 500) return;
  const [, code = ""] = /"code":"(\w+)"/.exec(text) ?? [];
  if (UNEXPECTED_ERRORS.has(code) || code === "")
    found(`an unexpected error: ${response.status} ${text.slice(0, 200)}`);
}

/** Decodes a path in the same way as routers: `%6A` is `j`, but `%2F` isn't a slash. */
function decodePath(pathname: string): string {
  return pathname.replace(/(?:%[0-9a-f]{2})+/gi, (octets) => {
    try {
      return decodeURI(octets).replace(/[^\w.~-]/gu, encodeURIComponent);
    } catch {
      return octets;
    }
  });
}

function describe({ method, headers, body, key }: GeneratedRequest, path: string): string {
  const shown = typeof body === "string" ? body : body === undefined ? "" : `bytes ${[...body].slice(0, 40)}`;
  return `${method} ${path.slice(0, 300)} ${JSON.stringify({ headers, key })} ${shown.slice(0, 600)}`;
}

function count(tally: Map<string, number>, name: string): void {
  tally.set(name, (tally.get(name) ?? 0) + 1);
}
