import { exports } from "cloudflare:workers";
import fc from "fast-check";
import { dashboard } from "../../../src/dashboard/app";
import { createClient, ORIGIN, page } from "../../support/client";
import { signUp, Visitor } from "../../support/visitor";
import { nastyHeader, nastyText, nastyValue, textChange } from "./noise";

/** A random request to a path that the OpenAPI document doesn't describe, and the checks of its response. */
export interface Noise {
  request: Request;
  what: string;
}

const TOOLS = [
  "scrape",
  "parse",
  "serp",
  "map",
  "batch",
  "crawl",
  "read",
  "list_jobs",
  "usage",
  "cancel",
  "nothing",
  "__proto__",
  "",
];
const METHODS = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "prompts/get",
  "notifications/initialized",
  "toString",
  "",
];

const toolArguments = fc.oneof(
  nastyValue,
  fc.constantFrom<unknown>(
    { url: "https://example.com/" },
    { url: "https://blocked.test/", formats: ["html", "links"] },
    { html: "<p>x</p>", prompt: "p", schema: { type: "object" } },
    { query: "tide tables", num_results: 3 },
    { query: "dns" },
    { job_id: "x", wait: 1 },
    { name: "product" },
  ),
  fc.dictionary(fc.constantFrom("url", "html", "prompt", "query", "job_id", "wait", "schema", "formats"), nastyValue, {
    maxKeys: 3,
  }),
);

const call = fc.tuple(fc.constantFrom(...TOOLS), toolArguments).map(([name, args]) => ({ name, arguments: args }));

const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant<unknown>("2.0") }, { weight: 1, arbitrary: nastyValue }),
    id: fc.oneof(fc.nat(), fc.string(), nastyValue),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, { weight: 1, arbitrary: nastyText }),
    params: fc.oneof({ weight: 4, arbitrary: call }, { weight: 1, arbitrary: nastyValue }),
  },
  { requiredKeys: ["method"] },
);

const rpc = fc.record({
  body: fc.oneof(
    { weight: 8, arbitrary: message.map((each) => JSON.stringify(each)) },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((each) => JSON.stringify(each)) },
    { weight: 1, arbitrary: fc.tuple(message, textChange).map(([each, change]) => change(JSON.stringify(each))) },
  ),
  method: fc.oneof(
    { weight: 9, arbitrary: fc.constant("POST") },
    { weight: 1, arbitrary: fc.constantFrom("GET", "PUT", "DELETE", "HEAD") },
  ),
  accept: fc.constantFrom(
    "application/json, text/event-stream",
    "application/json, text/event-stream",
    "*/*",
    "text/html",
    "",
  ),
  version: fc.constantFrom("2025-11-25", "2025-06-18", "1999-01-01", ""),
  headers: fc.array(nastyHeader, { maxLength: 2 }),
});

/** Returns random requests to /mcp. */
export async function rpcNoise(seed: number, count: number): Promise<Noise[]> {
  const client = await createClient({ mode: "test" });
  return fc.sample(rpc, { seed, numRuns: count }).flatMap(({ body, method, accept, version, headers }) => {
    const all: [string, string][] = [
      ["accept", accept],
      ["content-type", "application/json"],
      ["mcp-protocol-version", version],
      ...headers,
      ["authorization", `Bearer ${client.secret}`],
    ];
    return build("/mcp", { method, headers: all, ...(/GET|HEAD/.test(method) ? {} : { body }) });
  });
}

const FIELDS = [
  "email",
  "password",
  "current",
  "token",
  "to",
  "name",
  "mode",
  "scopes",
  "allowed_ips",
  "url",
  "webhook_url",
  "formats",
  "js_render",
  "wait_for",
  "prompt",
  "html",
  "schema",
  "query",
  "num_results",
  "location",
  "language",
  "engine",
  "plan",
  "credits",
  "rate_per_minute",
  "monthly_credits",
  "suspended",
  "endpoint",
  "offset",
  "status",
  "job",
  "from",
  "done",
  "error",
  "search",
  "before",
  "tab",
  "view",
] as const;

const pair = fc.tuple(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom<string>(...FIELDS) }, { weight: 1, arbitrary: nastyText }),
  fc.oneof(
    nastyText,
    fc.constantFrom(
      "live",
      "test",
      "scrape",
      "parse",
      "serp",
      "1",
      "-1",
      "99999999999999999999",
      "on",
      "true",
      "{}",
      "[1]",
      "a@b.cd",
    ),
  ),
);

const form = fc.record({
  route: fc.nat(),
  id: fc.oneof(
    nastyText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.uuid({ version: 7 }),
    fc.constantFrom("%ff", "%00", "..%2f"),
  ),
  fields: fc.array(pair, { maxLength: 8 }),
  query: fc.array(pair, { maxLength: 3 }),
  headers: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(nastyHeader, { maxLength: 3 }) },
  ),
  type: fc.oneof(
    { weight: 8, arbitrary: fc.constant("application/x-www-form-urlencoded") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "application/x-www-form-urlencoded; charset=utf-16",
        "text/plain",
      ),
    },
  ),
});

/** All pages and forms of the dashboard. */
export const PAGES = [
  ...new Set(dashboard.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`)),
]
  .filter((name) => !name.includes("*"))
  // Excludes requests that end the session, because requests of later pages need the session.
  .filter((name) => !/sign-out/.test(name));

/** Returns random requests to the dashboard, with or without a session. */
export async function formNoise(seed: number, count: number, signedIn: boolean): Promise<Noise[]> {
  const visitor = signedIn ? (await signUp()).visitor : new Visitor();
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return fc.sample(form, { seed, numRuns: count }).flatMap(({ route, id, fields, query, headers, type }, i) => {
    const [method = "GET", template = ""] = (PAGES[route % PAGES.length] ?? "").split(" ");
    const search = new URLSearchParams(query.map(wellFormed));
    const all: [string, string][] = [
      ...headers,
      ["origin", ORIGIN],
      ["cookie", cookie],
      ["cf-connecting-ip", `2001:db8:${i.toString(16)}::1`],
      ...(method === "POST" ? [["content-type", type] as [string, string]] : []),
    ];
    const body = new URLSearchParams(fields.map(wellFormed).map(onLoopback)).toString();
    const path = `${template.replace(/:\w+/, () => id)}?${search}`;
    return build(path, { method, headers: all, ...(method === "POST" ? { body } : {}) });
  });
}

function wellFormed([name, value]: [string, string]): [string, string] {
  return [name.toWellFormed(), value.toWellFormed()];
}

/** Replaces a URL with one on loopback, so that the playground sends no requests to other machines. */
function onLoopback([name, value]: [string, string]): [string, string] {
  return [name, name === "url" && value.length > 3 ? page("article") : value];
}

function build(
  path: string,
  { headers, ...init }: { method: string; headers: [string, string][]; body?: string | Uint8Array<ArrayBuffer> },
): Noise[] {
  try {
    const all = new Headers();
    for (const [name, value] of headers) if (value !== "") all.set(name, value);
    const request = new Request(`${ORIGIN}${path}`, { ...init, headers: all, redirect: "manual" });
    return [
      {
        request,
        what: `${init.method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${String(init.body).slice(0, 500)}`,
      },
    ];
  } catch {
    // The runtime refuses to build this request, so no client could send it.
    return [];
  }
}

/** Sends the requests. Returns the distinct problems of the responses, each with one request that causes it. */
export async function problemsOf(all: Noise[], tally: Map<string, number>): Promise<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const { request, what } of all) {
    const response = await exports.default.fetch(request);
    const text = await response.text();
    const name = `${new URL(request.url).pathname.split("/").slice(0, 3).join("/")} ${response.status}`;
    tally.set(name, (tally.get(name) ?? 0) + 1);
    if (response.status >= 500) problems[`${name}: an unexpected error`] ??= what;
    // The filter of the dashboard's list of jobs contains all error codes.
    const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
    if (!isPage && text.includes('"internal_error"')) problems[`${name}: an internal_error in a tool result`] ??= what;
    if (!response.headers.has("x-request-id")) problems[`${name}: X-Request-Id is missing`] ??= what;
    if (response.headers.has("x-injected")) problems[`${name}: a header was injected`] ??= what;
  }
  return problems;
}
