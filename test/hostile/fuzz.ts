import fc from "fast-check";
import { inject } from "vitest";
import { convertHtml } from "../../src/html/convert";
import { ERRORS } from "../../src/model/errors";
import { findRefusal, parseEgressPolicy } from "../../src/net/egress";
import { type Client, read } from "../support/client";
import { WORDS } from "../support/hostile/article";

/** Error codes of failures inside the service. No target may cause them. */
const FORBIDDEN_CODES: ReadonlySet<string> = new Set(["internal_error", "unavailable", "render_failed", "job_timeout"]);
const TIMEOUT_MS = 100_000;

/** The number of fuzz runs with each outcome. */
export type Tally = Map<string, number>;

const HEADER_NAMES = [
  "content-type",
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "location",
  "refresh",
  "retry-after",
  "set-cookie",
  "content-disposition",
  "server",
  "link",
  "content-range",
  "x-what",
] as const;

const TYPES = [
  "text/html",
  "text/plain",
  "application/json",
  "application/xml",
  "application/pdf",
  "image/png",
  "",
  ";",
];
const CHARSETS = [
  "utf-8",
  "utf-16",
  "utf-16be",
  "shift_jis",
  "gb18030",
  "koi8-r",
  "iso-2022-jp",
  "x-user-defined",
  "replacement",
  "nope",
];

/**
 * Generates URLs of unknown hosts and of forbidden addresses only, because the test must not contact other machines.
 */
const url = fc
  .oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: "binary", maxLength: 60 }),
    fc
      .string({ unit: fc.constantFrom(..."0127xXfF.:[]%@/\\#?。１ lo"), maxLength: 40 })
      .map((host) => `http://${host}`),
    fc
      .tuple(fc.constantFrom("http", "https", "ftp", "file", "data", "javascript"), fc.string())
      .map((parts) => parts.join(":")),
    fc.constantFrom("", "/", "#", "?", "//", "article", "http://", "http://[", "\0", "http://a.world.example:99999/"),
  )
  .filter(isHarmless);

function isHarmless(text: string): boolean {
  const target = URL.parse(text);
  if (target === null || findRefusal(target, parseEgressPolicy("", [])) !== null) return true;
  return !/^\[|(^|\.)\d+\.?$/.test(target.hostname);
}

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 80 }), fc.string({ maxLength: 80 }));
const value = fc.oneof(
  text,
  url,
  fc
    .tuple(fc.constantFrom(...TYPES), fc.constantFrom(...CHARSETS))
    .map(([type, charset]) => `${type}; charset=${charset}`),
  fc.constantFrom(
    "gzip",
    "br",
    "deflate",
    "zstd",
    "gzip, gzip",
    "identity",
    "chunked",
    "0",
    "-1",
    "5",
    "99999999999",
    "0; url=article",
  ),
  fc.constantFrom(
    "attachment; filename=x",
    "a=b; Path=/; Max-Age=99999999999999",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "bytes 0-5/6",
  ),
);
const status = fc.oneof(
  { weight: 4, arbitrary: fc.constant(200) },
  fc.constantFrom(204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 404, 407, 451, 500, 502),
  fc.integer({ min: -1, max: 1200 }),
);

const TAGS = [
  "p",
  "div",
  "table",
  "tr",
  "td",
  "a",
  "script",
  "style",
  "svg",
  "math",
  "template",
  "title",
  "pre",
  "code",
  "ul",
  "li",
  "select",
  "iframe",
  "base",
  "meta",
  "noscript",
  "textarea",
  "frameset",
  "b",
  "sup",
  "img",
  "h1",
  "article",
  "plaintext",
];
const attribute = fc
  .tuple(
    fc.constantFrom(
      "href",
      "src",
      "content",
      "http-equiv",
      "name",
      "property",
      "charset",
      "class",
      "id",
      "colspan",
      "style",
      "type",
    ),
    fc.oneof(value, fc.constantFrom("refresh", "og:title", "application/ld+json", "65534", "display:none")),
  )
  .map(([name, content]) => ` ${name}="${content}"`);
const piece = fc.oneof(
  fc
    .tuple(fc.constantFrom(...TAGS), fc.array(attribute, { maxLength: 3 }))
    .map(([tag, attributes]) => `<${tag}${attributes.join("")}>`),
  fc.constantFrom(...TAGS).map((tag) => `</${tag}>`),
  text,
  fc.constantFrom(
    "<!--",
    "-->",
    "<![CDATA[",
    "<!doctype html>",
    "&amp;",
    "&#0;",
    "&#x110000;",
    "\0",
    "<",
    "</",
    WORDS,
    '{"@type":"Article","headline":',
  ),
);
const html = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
const body = fc.oneof(
  { weight: 3, arbitrary: html.map((page) => new TextEncoder().encode(page)) },
  fc.uint8Array({ maxLength: 300 }),
  html.map((page) => Uint8Array.from(page, (char) => char.charCodeAt(0) & 0xff)),
);

const response = fc.record({
  status,
  headers: fc.array(fc.tuple(fc.constantFrom(...HEADER_NAMES), value), { maxLength: 6 }),
  hasType: fc.boolean(),
  body,
});
const FORMATS = ["html", "markdown", "text", "metadata", "links"] as const;

const pages = fc.record({ kind: fc.constant("page" as const), html, main: fc.boolean() });
const responses = fc.record({ kind: fc.constant("response" as const), response });
const urls = fc.record({ kind: fc.constant("url" as const), url });

/**
 * Tests the HTML conversion with generated pages, and the public API with generated URLs and responses, for `ms`.
 * Throws if a case doesn't end in time with a result or an AppError. The same `seed` repeats a run.
 */
export async function fuzz(client: Client, { ms, seed }: { ms: number; seed: number }): Promise<Tally> {
  const tally: Tally = new Map();
  const count = (outcome: string): void => void tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  const property = fc.asyncProperty(fc.oneof(pages, responses, urls), async (input) => {
    if (input.kind === "page") {
      convertHtml(input.html, {
        url: "https://a.example/",
        markdown: true,
        text: true,
        metadata: true,
        links: true,
        onlyMainContent: input.main,
      });
      return count("page: converted");
    }
    const target = input.kind === "url" ? input.url : await register(input.response);
    count(`${input.kind}: ${await outcomeOf(client, target)}`);
  });
  const end = Date.now() + ms;
  for (let round = 0; Date.now() < end; round++) await fc.assert(property, { seed: seed + round, numRuns: 20 });
  return tally;
}

/** Stores a raw response on the hostile website and returns its URL. */
async function register({ status, headers, hasType, body }: typeof response extends fc.Arbitrary<infer T> ? T : never) {
  const lines = headers.map(([name, content]) => `${name}: ${content.replace(/[\r\n]/g, " ")}`);
  if (hasType) lines.push("content-type: text/html");
  const head = new TextEncoder().encode(
    [`HTTP/1.1 ${status} Reason`, ...lines, "connection: close", "\r\n"].join("\r\n"),
  );
  const target = `${inject("hostile")}/${crypto.randomUUID()}/stored`;
  const bytes = new Uint8Array([...head, ...body]);
  await fetch(target, { method: "PUT", body: bytes });
  return target;
}

async function outcomeOf(client: Client, target: string): Promise<string> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const hang = new Promise<never>((_, reject) =>
    timeout.addEventListener("abort", () => reject(new Error(`No response within ${TIMEOUT_MS} ms.`))),
  );
  const { success, error } = await read(await Promise.race([client.scrape({ url: target, formats: FORMATS }), hang]));
  if (success) return "success";
  if (!(error.code in ERRORS) || FORBIDDEN_CODES.has(error.code)) throw new Error(`${error.code}: ${error.message}`);
  return error.code;
}
