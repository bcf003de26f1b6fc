import { expect, inject } from "vitest";
import { Semaphore } from "../../src/lib/async";
import { PROXY_CONNECTIONS } from "../../src/model/page-limits";
import type { Http1Request } from "../../src/net/http1";
import { proxiedFetch } from "../../src/net/proxied-fetch";
import { chooseProxy, type ProxyAddress, parseProxies } from "../../src/net/proxy-config";
import { site } from "./client";
import type { ProxyLog } from "./proxy";
import type { Post } from "./receiver";

const WIRE_ORIGIN = "http://target.example";

interface Options {
  signal?: AbortSignal;
  connections?: Semaphore;
  secure?: boolean;
  password?: string;
  /** host:port of another proxy. The default is the stand-in proxy. */
  host?: string;
}

/** Returns the name of a proxy user that no other test uses. `behavior` selects the proxy's response. */
export function newProxyUser(behavior = "ok"): string {
  return `${behavior}-${crypto.randomUUID()}`;
}

function addressFor(user: string, { secure = false, password = "secret", host }: Options = {}): ProxyAddress {
  const origin = secure ? `https://USER@${inject("secureProxy")}` : `http://USER@${host ?? inject("proxy")}`;
  const address = chooseProxy(
    parseProxies(JSON.stringify({ "*": origin.replace("USER", `${user}:${password}`) })),
    "DE",
    "0",
  );
  if (address === null) throw new Error("PROXIES has no proxy for DE.");
  return address;
}

export function fetchThroughProxy(
  user: string,
  url: string,
  request: Partial<Http1Request> = {},
  options: Options = {},
): Promise<Response> {
  return proxiedFetch(
    addressFor(user, options),
    { method: "GET", headers: new Headers(), ...request, url: new URL(url) },
    {
      signal: options.signal ?? new AbortController().signal,
      connections: options.connections ?? new Semaphore(PROXY_CONNECTIONS),
    },
  );
}

/**
 * Returns the URL of a target that responds with exactly the given bytes, in pieces of `piece` bytes. With `hold`, the
 * connection stays open afterwards.
 */
export function rawResponseUrl(
  bytes: string | Buffer,
  { piece, hold = false }: { piece?: number; hold?: boolean } = {},
): string {
  const path = (typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes).toString("base64url");
  const query = [...(piece === undefined ? [] : [`piece=${piece}`]), ...(hold ? ["hold"] : [])].join("&");
  return `${WIRE_ORIGIN}/${path}?${query}`;
}

export async function proxyLog(user: string): Promise<ProxyLog> {
  return await (await fetch(`${site}/__proxy-log?path=${user}`)).json<ProxyLog>();
}

export async function waitForClosedConnections(user: string): Promise<void> {
  await expect.poll(async () => (await proxyLog(user)).open).toBe(0);
}

export async function lastPost(url: string): Promise<Post | undefined> {
  const posts = await fetch(`${site}/__posts?path=${new URL(url).pathname}`);
  return (await posts.json<Post[]>()).at(-1);
}

export const appError = (code: string, message: string | RegExp, retryable = true) =>
  expect.objectContaining({ name: "AppError", code, message: expect.stringMatching(message), retryable });

export const OK = "HTTP/1.1 200 OK\r\n";
