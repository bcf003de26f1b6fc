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
  header: "said by the header",
  meta: "said by a <meta>",
  wrong: "said to be another",
  none: "not said",
};

const MISNAMES = ["windows-1254", "windows-1251", "koi8-r", "gbk", "shift_jis", "big5", "euc-kr"];

const characters: Case[] = [
  ...MISNAMES.flatMap((name) =>
    (["header", "meta"] as const).map(
      (declared): Case => [
        `utf-8, said to be ${name}${DECLARATIONS[declared].slice("said".length)}`,
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
        `${encoding} with its mark, ${DECLARATIONS[declared as "none"]}`,
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
    [`cut off in its ${encoding}`, `encoded-cut?encoding=${encoding}`, "connection_failed"],
    [`said to be ${encoding}, and isn't`, `encoded-not?encoding=${encoding}`, "connection_failed"],
    [`a ${encoding} bomb without end`, `bomb?encoding=${encoding}`, "target_too_large"],
  ]),
  ["said to be gzip, and empty", "encoded-empty", EMPTY],
  ["a body without end", "endless", "target_too_large"],
  ["a body declared as a terabyte", "declared", "target_too_large"],
  ["an empty body", "empty", EMPTY],
  ["a body of white space", "blank", EMPTY],
  ["100,000 elements deep", "nested?deep=100000", PAGE],
  ["20,000 tables deep", "nested-tables", PAGE],
  ["500,000 elements wide", "enormous?wide=500000", PAGE],
  ["an attribute of 4 MB, and 10,000 others", "attribute", PAGE],
  ["comments that never end", "unclosed", PAGE],
  ["megabytes of scripts and drawings", "script-heavy", PAGE],
  ["100,000 zeros", "zeros", PAGE],
  ["noise that calls itself HTML", "bytes", { text: "t" }],
];

const moves: Case[] = [
  ...[301, 302, 303, 307, 308].map((code): Case => [`a redirect (${code})`, `redirect?code=${code}`, PAGE]),
  ["10 redirects", "chain?left=10", PAGE],
  ["11 redirects", "chain?left=11", "too_many_redirects"],
  ["redirects in a circle", "loop", "too_many_redirects"],
  ["a redirect to itself with a new cookie each time", "loop-cookie", "too_many_redirects"],
  ["http to https", "secure-article", PAGE],
  ["http to https to http", "secure-and-back", PAGE],
  ["a redirect without an address", "redirect-nowhere", PAGE],
  ["a redirect to no address", "redirect?to=http://", "invalid_target"],
  ["a redirect to loopback", "redirect?to=http://127.0.0.1:1/", "invalid_target"],
  ["a redirect to loopback in octal", "redirect?to=http://0177.1/", "invalid_target"],
  ["a redirect to a cloud's metadata", "redirect?to=http://169.254.169.254/latest/meta-data/", "invalid_target"],
  ["a redirect to a private name", "redirect?to=http://private.world.example/", "invalid_target"],
  ["a redirect to a file", "redirect?to=file:///etc/passwd", "invalid_target"],
  ["a redirect to a script", "redirect?to=javascript:alert(1)", "invalid_target"],
  ["a redirect to data", "redirect?to=data:text/html,x", "invalid_target"],
  ["a redirect with a password", "redirect?to=http://a:b@public.world.example/", "invalid_target"],
  ["a redirect to a name that doesn't exist", "redirect?to=http://nowhere.world.example/", "dns_failure"],
  ["a meta refresh", "refresh", PAGE],
  ["10 meta refreshes", "refresh-chain?left=10", PAGE],
  ["11 meta refreshes", "refresh-chain?left=11", "too_many_redirects"],
  ["meta refreshes without end", "refresh-loop", "too_many_redirects"],
  ["a meta refresh to itself", "refresh-itself", PAGE],
  ["a meta refresh in an hour", "refresh-late", PAGE],
  ["a meta refresh to loopback", "refresh?to=http://127.0.0.1:1/", "invalid_target"],
  ["a Refresh header", "refresh-header", PAGE],
];

const statuses: Case[] = [
  ...[204, 205].map((code): Case => [`status ${code}`, `status?code=${code}`, EMPTY]),
  ...[201, 203, 206, 226, 299].map((code): Case => [`status ${code}`, `status?code=${code}`, PAGE]),
  ...[300, 305, 306].map((code): Case => [`status ${code}`, `status?code=${code}`, PAGE]),
  ["status 304 that nobody asked for", "status?code=304", EMPTY],
  ...[400, 401, 403, 404, 410, 418, 451, 500, 502, 504, 599].map(
    (code): Case => [`status ${code}`, `status?code=${code}`, "target_http_error"],
  ),
  ["status 404 without a body", "status-empty?code=404", "target_http_error"],
  ["status 401 that asks for a password", "login", "target_http_error"],
  ...[429, 503].flatMap((code): Case[] => [
    [`status ${code} once, to be tried again in 1 s`, `busy?code=${code}&after=1`, PAGE],
    [`status ${code}, to be tried again in an hour`, `busy?code=${code}&after=3600`, "target_http_error"],
    [`status ${code}, to be tried again nobody knows when`, `busy?code=${code}&after=soon`, "target_http_error"],
  ]),
];

const types: Case[] = [
  ["plain text, as it is", "type?type=text/plain&content=text", { text: "<b>as is</b>" }],
  ["JSON, as it is", "type?type=application/json&content=json", { text: '{"words":"The keeper' }],
  ["XML, as it is", "type?type=application/xml&content=xml", { text: '<?xml version="1.0"?><tide>' }],
  ["XHTML", "type?type=application/xhtml%2Bxml", PAGE],
  ["a PDF", "type?type=application/pdf&content=pdf-report", { text: "The harbour of Leba" }],
  ["a PDF that calls itself HTML", "type?type=text/html&content=pdf-report", { text: "The harbour of Leba" }],
  ["a PDF without a type", "type?content=pdf-report", { text: "The harbour of Leba" }],
  ["a PDF that only the owner can open", "type?type=application/pdf&content=pdf-encrypted", "unsupported_content"],
  ["a PDF that is none", "type?type=application/pdf&content=article", "unsupported_content"],
  ["a broken PDF", "type?type=application/pdf&content=pdf-broken", "unsupported_content"],
  ["a PDF of 501 pages", "type?type=application/pdf&content=pdf-long", "target_too_large"],
  ["a picture", "type?type=image/png&content=png", "unsupported_content"],
  ["a picture that calls itself HTML", "type?type=text/html&content=png", "unsupported_content"],
  ["a picture without a type", "type?content=png", "unsupported_content"],
  ["HTML that calls itself a picture", "type?type=image/png", "unsupported_content"],
  ["HTML that calls itself bytes", "type?type=application/octet-stream", "unsupported_content"],
  ["HTML that calls itself text", "type?type=text/plain", { text: "<article>" }],
  ["HTML without a type", "type", PAGE],
  ["HTML with a type that is none", "type?type=;;/", PAGE],
  ["an attachment", "attachment", PAGE],
];

const wire: Case[] = [
  ["something that isn't HTTP", "not-http", "connection_failed"],
  ["a page without a status line", "no-status-line", "connection_failed"],
  ["a status that is a word", "status-word", "connection_failed"],
  ["a status of five digits", "status-huge", "connection_failed"],
  ["a status above 599", "status-unknown", "target_http_error"],
  ["a version of HTTP that nobody knows", "version-unknown", "connection_failed"],
  ["a status line without a reason", "reason-missing", PAGE],
  ["bare newlines", "bare-newlines", PAGE],
  ["headers that break off", "head-cut", "connection_failed"],
  ["a header of 2 MB", "header-huge", "connection_failed"],
  ["20,000 headers", "headers-many", "connection_failed"],
  ["300 cookies", "cookies-many", PAGE],
  ["a header with a zero", "header-nul", "connection_failed"],
  ["a header without a colon", "header-no-colon", "connection_failed"],
  ["a header in Latin-1", "header-latin1", PAGE],
  ["two types", "types-two", "unsupported_content"],
  ["two lengths", "lengths-two", "connection_failed"],
  ["a negative length", "length-negative", "connection_failed"],
  ["a body shorter than its length", "length-long", "connection_failed"],
  ["a body longer than its length", "length-short", PAGE],
  ["a length and chunks", "length-and-chunks", PAGE],
  ["a chunk without a size", "chunk-invalid", "connection_failed"],
  ["a chunk of a negative size", "chunk-negative", "connection_failed"],
  ["a chunk of 64 bits and more", "chunk-huge", "connection_failed"],
  ["chunks that break off", "chunk-cut", "connection_failed"],
  ["20 hints before the answer", "informed-often", PAGE],
  ["an upgrade that nobody asked for", "switching-protocols", "connection_failed"],
  ["two addresses to go to", "locations-two", "target_http_error"],
  ["no answer", "silent", "connection_failed"],
  ["a hang-up", "reset", "connection_failed"],
  ["a hang-up in the body", "reset-in-body", "connection_failed"],
];

const slow: Case[] = [
  ["headers that drip", "slow-head", "target_timeout"],
  ["a body that drips", "slow-body", "target_timeout"],
];

/** What a plain fetch meets, by part; what takes longest comes first. */
export const plainCases: Record<string, Case[]> = {
  "slow answers": slow,
  characters,
  bodies,
  "redirects and refreshes": moves,
  statuses,
  types,
  "broken HTTP": wire,
};
