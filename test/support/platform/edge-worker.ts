// Answers the outbound requests of the service as Cloudflare's `fetch` does. Requests to test servers are forwarded.
// Where the local runtime throws an error, this Worker answers with Cloudflare's status and error page.
import { env } from "cloudflare:workers";
import ipaddr from "ipaddr.js";
import { findAddressRefusal } from "../../../src/net/egress";
import { DNS_RECORDS } from "../dns-records.ts";
import { type AnswerCode, type AnswerForm, toAnswer } from "./answers.ts";
import { isCacheable, toTtlMs } from "./cache.ts";
import { DOMAIN, type Name } from "./names.ts";

interface EdgeEnv {
  /** A network with the test servers. */
  NETWORK: Fetcher;
  /** The origin of the server that finds the reasons of failed connections. */
  DIAGNOSIS: string;
  /** The host:port of the test servers, comma-separated. Their addresses on loopback stand for public names. */
  SERVERS: string;
  /** The names of DOMAIN, as JSON. */
  NAMES: string;
}

interface Cached {
  until: number;
  body: ArrayBuffer;
  init: { status: number; headers: [string, string][] };
}

/** A URL that returns the requests so far for which the cache was allowed, as JSON. */
const CACHEABLE_URL = `http://${DOMAIN}/__cacheable`;

const { NETWORK, DIAGNOSIS, SERVERS, NAMES } = env as unknown as EdgeEnv;
const servers = new Set(SERVERS.split(","));
const names = JSON.parse(NAMES) as Record<string, Name>;
const cache = new Map<string, Cached>();
/** The requests without `cache: "no-store"`. Requests of the tests themselves aren't included. */
const cacheable: string[] = [];
// Two of the ranges of Cloudflare's own addresses.
const CLOUDFLARE_RANGES = ["104.16.0.0/13", "172.64.0.0/13"].map((range) => ipaddr.IPv4.parseCIDR(range));

export default {
  fetch: async (request) => {
    if (request.url === CACHEABLE_URL) return Response.json(cacheable);
    const url = new URL(request.url);
    const usesCache = readCacheMode(request) !== "no-store";
    if (usesCache && !isFromTest(url, request)) cacheable.push(`${request.method} ${request.url}`);
    // The target may respond before it has read the body. A body that is read here can't be read too late.
    const body = request.body === null ? null : await request.arrayBuffer();
    const target = findTarget(url);
    if ("answer" in target) return toAnswer(target.answer, toForm(url, request), url.host);
    const key = usesCache && isCacheable(request.method, url) ? request.url : null;
    return (key === null ? null : readCache(key)) ?? (await forward(request, body, { to: target.to, key }));
  },
} satisfies ExportedHandler;

/** Returns true for actions of the test site, whose paths begin with two underscores, and for requests with X-Test. */
function isFromTest({ pathname }: URL, { headers }: Request): boolean {
  return pathname.startsWith("/__") || headers.has("x-test");
}

/** Returns the value of `cache` in the options of the service's `fetch`. */
function readCacheMode({ cf }: Request): string | undefined {
  return (cf as { cacheControl?: string } | undefined)?.cacheControl;
}

function findTarget(url: URL): { to: string } | { answer: AnswerCode } {
  const { hostname } = url;
  if (servers.has(`${hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`)) return { to: url.href };
  if (hostname.startsWith("[") || /(?:^|\.)\d+$/.test(hostname)) return { answer: toLiteralCode(hostname) };
  const name = names[hostname.endsWith(`.${DOMAIN}`) ? (hostname.split(".")[0] ?? "") : hostname];
  if (name !== undefined) {
    if ("page" in name) return { to: name.page + url.search };
    return "to" in name ? { to: new URL(url.pathname + url.search, name.to).href } : name;
  }
  const records = DNS_RECORDS[hostname];
  if (records === undefined) return { answer: 1016 };
  const addresses = [...(records.A ?? []), ...(records.AAAA ?? [])];
  // Nothing responds at the public addresses of the test domains.
  return { answer: addresses.some((address) => findAddressRefusal(address) !== null) ? 1002 : 522 };
}

function toLiteralCode(hostname: string): AnswerCode {
  if (hostname.startsWith("[")) return 1003;
  const address = ipaddr.IPv4.parse(hostname);
  return CLOUDFLARE_RANGES.some((range) => address.match(range)) ? 1024 : 1003;
}

/** Returns the form of an answer: the second label of a name of DOMAIN, or `text`. */
function toForm({ hostname }: URL, { headers }: Request): AnswerForm {
  const label = hostname.endsWith(`.${DOMAIN}`) ? hostname.split(".")[1] : undefined;
  if (label === "html" || label === "headers") return label;
  return label === "json" && headers.get("accept") !== null ? "json" : "text";
}

function readCache(key: string): Response | null {
  const cached = cache.get(key);
  if (cached === undefined || cached.until <= Date.now()) return null;
  const headers = new Headers(cached.init.headers);
  headers.set("cf-cache-status", "HIT");
  return new Response(cached.body, { ...cached.init, headers });
}

/** Sends the request to a test server. Stores the response in the cache if `key` isn't null. */
async function forward(
  request: Request,
  body: ArrayBuffer | null,
  { to, key }: { to: string; key: string | null },
): Promise<Response> {
  let response: Response;
  try {
    const { method, headers, signal } = request;
    response = await NETWORK.fetch(to, { method, headers, signal, body, redirect: "manual" });
  } catch (error) {
    if (request.signal.aborted) throw error;
    const reply = await NETWORK.fetch(`${DIAGNOSIS}/?url=${encodeURIComponent(to)}`);
    return toAnswer(await reply.json<AnswerCode>(), toForm(new URL(request.url), request), new URL(request.url).host);
  }
  // A Worker can't create a response with such a status, but it can pass one on.
  if (response.status < 200 || response.status > 599) return response;
  const headers = new Headers(response.headers);
  headers.set("server", "cloudflare");
  headers.set("cf-ray", "9a1b2c3d4e5f6789-FRA");
  headers.set("cf-cache-status", key === null ? "DYNAMIC" : "MISS");
  const { status, statusText } = response;
  const ttlMs = key === null ? 0 : toTtlMs(status, response.headers, Date.now());
  if (key === null || ttlMs === 0) return new Response(response.body, { status, statusText, headers });
  const bytes = await response.arrayBuffer();
  headers.delete("content-encoding");
  cache.set(key, { until: Date.now() + ttlMs, body: bytes, init: { status, headers: [...headers] } });
  return new Response(bytes, { status, statusText, headers });
}
