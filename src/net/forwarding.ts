import { ACCEPT_ENCODING } from "./content-encoding";

/** A request for another party to send, or to pass on. */
export interface ForwardedRequest {
  url: URL;
  method: string;
  headers: Headers;
  body?: Uint8Array;
}

export type HeaderList = [name: string, value: string][];

// What belongs to one connection, not to the message: RFC 9110, section 7.6.1.
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** What a sender says itself, whatever the caller said. */
const SENDERS: ReadonlySet<string> = new Set(["accept-encoding", "content-length", "expect", "host"]);
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** A request's line and headers, as they go over the wire; `target` is the line's second word. */
export function toRequestText(request: ForwardedRequest, target: string, extra: HeaderList): string {
  const { url, method, headers, body } = request;
  const named = new Set((headers.get("connection") ?? "").toLowerCase().split(/[\s,]+/));
  const own = [...headers].filter(([name]) => !HOP_BY_HOP.has(name) && !SENDERS.has(name) && !named.has(name));
  const length = body?.byteLength ?? (/^(?:POST|PUT|PATCH)$/.test(method) ? 0 : null);
  const lengths: HeaderList = length === null ? [] : [["Content-Length", String(length)]];
  const list: HeaderList = [["Host", url.host], ...own, ["Accept-Encoding", ACCEPT_ENCODING], ...lengths];
  return toHeadText(`${method} ${target}`, [...list, ["Connection", "close"], ...extra]);
}

export function toHeadText(methodAndTarget: string, headers: HeaderList): string {
  return [`${methodAndTarget} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), "\r\n"].join("\r\n");
}

/** An answer's headers for who reads its body: without what was only about its way here, or isn't a header at all. */
export function toResponseHeaders(list: HeaderList, { isDecoded }: { isDecoded: boolean }): Headers {
  const headers = new Headers();
  for (const [name, value] of list) {
    const key = name.toLowerCase();
    if (HOP_BY_HOP.has(key) || !TOKEN.test(name) || value.includes("\0")) continue;
    if (isDecoded && (key === "content-encoding" || key === "content-length")) continue;
    headers.append(name, value);
  }
  return headers;
}
