// A loopback of the parts of Cloudflare's API that wrangler 4.155 calls for a deployment. It stores an account in memory.
// Databases are SQLite databases in memory. It records every request that changes something, and every unknown request.
import { createServer } from "node:http";
import { type Loopback, listen } from "../loopback.ts";
import { readBody } from "../read-body.ts";
import { sendJson } from "../responses.ts";
import { ACCOUNT_ID, type Account, ApiError, type Body, type Route } from "./account.ts";
import { databaseRoutes } from "./databases.ts";
import { bucketRoutes, queueRoutes } from "./storage.ts";
import { workerRoutes } from "./workers.ts";

export interface CloudflareApi extends Account, Omit<Loopback, "port"> {
  /** The requests that changed something: method and path below the account. */
  changes: string[];
  /** The requests without a route. */
  unknown: string[];
}

const USER_ROUTES: Route[] = [
  ["GET", /^\/user$/, () => ({ id: "1", email: "me@example.com" })],
  ["GET", /^\/user\/tokens\/verify$/, () => ({ id: "1", status: "active" })],
  ["GET", /^\/memberships$/, () => [{ id: "1", account: { id: ACCOUNT_ID, name: "Mine" } }]],
  ["GET", /^\/accounts$/, () => [{ id: ACCOUNT_ID, name: "Mine" }]],
];

export async function startCloudflareApi(): Promise<CloudflareApi> {
  const account: Account = { databases: [], buckets: [], queues: [], workers: new Map() };
  const [changes, unknown]: [string[], string[]] = [[], []];
  let origin = "";
  const routes = [
    ...USER_ROUTES,
    ...databaseRoutes(account, () => origin),
    ...bucketRoutes(account),
    ...queueRoutes(account),
    ...workerRoutes(account),
  ];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://api");
    const path = decodeURIComponent(url.pathname)
      .replace(/^\/client\/v4/, "")
      .replace(`/accounts/${ACCOUNT_ID}`, "");
    const raw = (await readBody(request)) ?? Buffer.alloc(0);
    const method = request.method ?? "";
    const route = routes.find(([verb, pattern]) => verb === method && pattern.test(path));
    if (route === undefined) {
      unknown.push(`${method} ${path}`);
      return sendJson(response, toEnvelope(null, { code: 7003, message: `No route for ${method} ${path}` }), {
        status: 404,
      });
    }
    const [, pattern, answer] = route;
    try {
      const call = { query: url.searchParams, headers: request.headers, raw, body: parse(raw) };
      const result = await answer(pattern.exec(path)?.slice(1) ?? [], call);
      const isRead = method === "GET" || /\/(?:query|assets-upload-session)$/.test(path) || call.body.action === "poll";
      if (!isRead) changes.push(`${method} ${path}`);
      if (path.startsWith("/uploads/")) return void response.writeHead(200, { etag: `"${result}"` }).end();
      sendJson(response, toEnvelope(result));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      sendJson(response, toEnvelope(null, { code: error.code, message: error.message }), { status: error.status });
    }
  });
  const loopback = await listen(server);
  origin = loopback.origin;
  return { ...account, changes, unknown, origin, close: loopback.close };
}

function toEnvelope(result: unknown, error?: { code: number; message: string }) {
  const count = Array.isArray(result) ? result.length : 0;
  return {
    success: error === undefined,
    errors: error === undefined ? [] : [error],
    messages: [],
    result,
    result_info: { page: 1, per_page: 100, count, total_count: count, total_pages: 1 },
  };
}

function parse(raw: Buffer): Body {
  try {
    const value: unknown = JSON.parse(raw.toString());
    return typeof value === "object" && value !== null ? (value as Body) : ({} as Body);
  } catch {
    return {} as Body;
  }
}
