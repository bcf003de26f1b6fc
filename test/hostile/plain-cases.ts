import { sentenceOf } from "../support/hostile/characters";
import { type Case, EMPTY, PAGE } from "./check";

const ENCODINGS = [
  "utf-8",
  "windows-1254",
  "iso-8859-9",
  "windows-1251",
  "koi8-r",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
];
const DECLARATIONS = {
  header: "declared in the header",
  meta: "declared in a meta element",
  wrong: "declared as another encoding",
  none: "not declared",
};

const WRONG_ENCODINGS = ["windows-1254", "windows-1251", "koi8-r", "gbk", "shift_jis", "big5", "euc-kr"];

const characters: Case[] = [
  ...WRONG_ENCODINGS.flatMap((name) =>
    (["header", "meta"] as const).map(
      (declared): Case => [
        `utf-8, declared as ${name}${DECLARATIONS[declared].slice("declared".length)}`,
        `characters?encoding=utf-8&declared=${declared}&as=${name}`,
        { text: sentenceOf("utf-8") },
      ],
    ),
  ),
  ...ENCODINGS.flatMap((encoding) =>
    Object.entries(DECLARATIONS).map(
      ([declared, words]): Case => [
        `${encoding}, ${words}`,
        `characters?encoding=${encoding}&declared=${declared}`,
        { text: sentenceOf(encoding) },
      ],
    ),
  ),
  ...["utf-16le", "utf-16be"].flatMap((encoding) =>
    ["none", "wrong"].map(
      (declared): Case => [
        `${encoding} with a byte order mark, ${DECLARATIONS[declared as "none"]}`,
        `characters?encoding=${encoding}&declared=${declared}`,
        { text: sentenceOf(encoding) },
      ],
    ),
  ),
];

const bodies: Case[] = [
  ...["gzip", "br", "deflate", "deflate-raw", "zstd", "deflate,gzip"].map(
    (encoding): Case => [`compressed: ${encoding}`, `encoded?encoding=${encoding}`, PAGE],
  ),
  ...["gzip", "br"].flatMap((encoding): Case[] => [
    [`${encoding} data that breaks off`, `encoded-cut?encoding=${encoding}`, "connection_failed"],
    [`declared as ${encoding}, but not compressed`, `encoded-not?encoding=${encoding}`, "connection_failed"],
    [`an endless ${encoding} bomb`, `bomb?encoding=${encoding}`, "target_too_large"],
  ]),
  ["declared as gzip, but empty", "encoded-empty", EMPTY],
  ["an endless body", "endless", "target_too_large"],
  ["a body declared as a terabyte", "declared", "target_too_large"],
  ["an empty body", "empty", EMPTY],
  ["a body of whitespace", "blank", EMPTY],
  ["100,000 nested elements", "nested?deep=100000", PAGE],
  ["20,000 nested tables", "nested-tables", PAGE],
  ["50,000 sibling elements", "enormous?wide=50000", PAGE],
  ["500,000 sibling elements", "enormous?wide=500000", "target_too_large"],
  ["an attribute of 4 MB, and 10,000 others", "attribute", PAGE],
  ["comments without an end", "unclosed", PAGE],
  ["megabytes of scripts and SVG", "script-heavy", PAGE],
  ["100,000 NUL characters", "zeros", PAGE],
  ["random bytes declared as HTML", "bytes", { text: "t" }],
];

const moves: Case[] = [
  ...[301, 302, 303, 307, 308].map((code): Case => [`a redirect (${code})`, `redirect?code=${code}`, PAGE]),
  ["10 redirects", "chain?left=10", PAGE],
  ["11 redirects", "chain?left=11", "too_many_redirects"],
  ["a redirect loop", "loop", "too_many_redirects"],
  ["a redirect to itself with a new cookie each time", "loop-cookie", "too_many_redirects"],
  ["http to https", "secure-article", PAGE],
  ["http to https to http", "secure-and-back", PAGE],
  ["a redirect without a Location header", "redirect-nowhere", PAGE],
  ["a redirect to an invalid URL", "redirect?to=http://", "invalid_target"],
  ["a redirect to loopback", "redirect?to=http://127.0.0.1:1/", "invalid_target"],
  ["a redirect to loopback in octal", "redirect?to=http://0177.1/", "invalid_target"],
  ["a redirect to a cloud metadata address", "redirect?to=http://169.254.169.254/latest/meta-data/", "invalid_target"],
  ["a redirect to a host with a private address", "redirect?to=http://private.world.example/", "invalid_target"],
  ["a redirect to a file", "redirect?to=file:///etc/passwd", "invalid_target"],
  ["a redirect to a javascript: URL", "redirect?to=javascript:alert(1)", "invalid_target"],
  ["a redirect to a data: URL", "redirect?to=data:text/html,x", "invalid_target"],
  ["a redirect to a URL with a password", "redirect?to=http://a:b@public.world.example/", "invalid_target"],
  ["a redirect to an unknown host", "redirect?to=http://nowhere.world.example/", "dns_failure"],
  ["a meta refresh", "refresh", PAGE],
  ["10 meta refreshes", "refresh-chain?left=10", PAGE],
  ["11 meta refreshes", "refresh-chain?left=11", "too_many_redirects"],
  ["endless meta refreshes", "refresh-loop", "too_many_redirects"],
  ["a meta refresh to itself", "refresh-itself", PAGE],
  ["a meta refresh after 1 hour", "refresh-late", PAGE],
  ["a meta refresh to loopback", "refresh?to=http://127.0.0.1:1/", "invalid_target"],
  ["a Refresh header", "refresh-header", PAGE],
];

const statuses: Case[] = [
  ...[204, 205].map((code): Case => [`status ${code}`, `status?code=${code}`, EMPTY]),
  ...[201, 203, 206, 226, 299].map((code): Case => [`status ${code}`, `status?code=${code}`, PAGE]),
  ...[300, 305, 306].map((code): Case => [`status ${code}`, `status?code=${code}`, PAGE]),
  ["an unrequested status 304", "status?code=304", EMPTY],
  ...[400, 401, 403, 404, 410, 418, 451, 500, 502, 504, 599].map(
    (code): Case => [`status ${code}`, `status?code=${code}`, "target_http_error"],
  ),
  ["status 404 without a body", "status-empty?code=404", "target_http_error"],
  ["status 401 with a password prompt", "login", "target_http_error"],
  ...[429, 503].flatMap((code): Case[] => [
    [`status ${code} once, with Retry-After: 1`, `busy?code=${code}&after=1`, PAGE],
    [`status ${code}, with Retry-After: 3600`, `busy?code=${code}&after=3600`, "target_http_error"],
    [`status ${code} once, with an invalid Retry-After`, `busy?code=${code}&after=soon`, PAGE],
  ]),
];

const types: Case[] = [
  ["plain text, unchanged", "type?type=text/plain&content=text", { text: "<b>as is</b>" }],
  ["JSON, unchanged", "type?type=application/json&content=json", { text: '{"words":"The keeper' }],
  ["XML, unchanged", "type?type=application/xml&content=xml", { text: '<?xml version="1.0"?><tide>' }],
  ["XHTML", "type?type=application/xhtml%2Bxml", PAGE],
  ["a PDF", "type?type=application/pdf&content=pdf-report", { text: "The harbour of Leba" }],
  ["a PDF declared as HTML", "type?type=text/html&content=pdf-report", { text: "The harbour of Leba" }],
  ["a PDF without a content type", "type?content=pdf-report", { text: "The harbour of Leba" }],
  ["an encrypted PDF", "type?type=application/pdf&content=pdf-encrypted", "unsupported_content"],
  ["HTML declared as a PDF", "type?type=application/pdf&content=article", "unsupported_content"],
  ["a broken PDF", "type?type=application/pdf&content=pdf-broken", "unsupported_content"],
  ["a PDF of 501 pages", "type?type=application/pdf&content=pdf-long", { text: "Page" }],
  ["an image", "type?type=image/png&content=png", "unsupported_content"],
  ["an image declared as HTML", "type?type=text/html&content=png", "unsupported_content"],
  ["an image without a content type", "type?content=png", "unsupported_content"],
  ["HTML declared as an image", "type?type=image/png", "unsupported_content"],
  ["HTML declared as application/octet-stream", "type?type=application/octet-stream", PAGE],
  ["HTML declared as plain text", "type?type=text/plain", { text: "<article>" }],
  ["HTML without a content type", "type", PAGE],
  ["HTML with an invalid content type", "type?type=;;/", PAGE],
  ["an attachment", "attachment", PAGE],
];

const wire: Case[] = [
  ["a response that isn't HTTP", "not-http", "connection_failed"],
  ["a response without a status line", "no-status-line", "connection_failed"],
  ["a status that is a word", "status-word", "connection_failed"],
  ["a status of five digits", "status-huge", "connection_failed"],
  ["a status above 599", "status-unknown", "target_http_error"],
  ["an unknown HTTP version", "version-unknown", "connection_failed"],
  ["a status line without a reason phrase", "reason-missing", PAGE],
  ["bare newlines", "bare-newlines", PAGE],
  ["headers that break off", "head-cut", "connection_failed"],
  ["a header of 2 MB", "header-huge", "connection_failed"],
  ["20,000 headers", "headers-many", "connection_failed"],
  ["300 cookies", "cookies-many", PAGE],
  ["a header with a NUL character", "header-nul", "connection_failed"],
  ["a header without a colon", "header-no-colon", "connection_failed"],
  ["a header in Latin-1", "header-latin1", PAGE],
  ["two Content-Type headers", "types-two", "unsupported_content"],
  ["two Content-Length headers", "lengths-two", "connection_failed"],
  ["a negative Content-Length", "length-negative", "connection_failed"],
  ["a body shorter than its Content-Length", "length-long", "connection_failed"],
  ["a body longer than its Content-Length", "length-short", PAGE],
  ["a Content-Length with chunked encoding", "length-and-chunks", PAGE],
  ["a chunk without a size", "chunk-invalid", "connection_failed"],
  ["a negative chunk size", "chunk-negative", "connection_failed"],
  ["a chunk size of more than 64 bits", "chunk-huge", "connection_failed"],
  ["chunks that break off", "chunk-cut", "connection_failed"],
  ["20 Early Hints before the response", "informed-often", PAGE],
  ["an unrequested protocol upgrade", "switching-protocols", "connection_failed"],
  ["two Location headers", "locations-two", "target_http_error"],
  ["no response", "silent", "connection_failed"],
  ["a connection reset", "reset", "connection_failed"],
  ["a connection reset in the body", "reset-in-body", "connection_failed"],
];

const slow: Case[] = [
  ["headers sent one character at a time", "slow-head", "target_timeout"],
  ["a body sent one character at a time", "slow-body", "target_timeout"],
];

/** The cases for plain fetches, by section of the outcome table. The slowest section comes first. */
export const plainCases: Record<string, Case[]> = {
  "slow responses": slow,
  characters,
  bodies,
  "redirects and refreshes": moves,
  statuses,
  types,
  "broken HTTP": wire,
};
