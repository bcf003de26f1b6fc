import fc from "fast-check";

/** Strings that are known to cause errors in software. */
export const NASTY_TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udfffb",
  "\ufeff",
  "\u202e\u2066",
  "\r\nX-Injected: 1\r\n\r\n",
  "' OR '1'='1",
  "'); DROP TABLE jobs; --",
  "?1",
  "%",
  "%00",
  "%ff",
  "%E0%A4%A",
  "../../etc/passwd",
  "..%2f..%2f",
  "\\\\evil\\share",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "NaN",
  "-0",
  "1e999",
  "9007199254740993",
  "٣",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "e\u0301".repeat(50),
  "İ",
  "ß",
  "x".repeat(10_000),
  "🙂".repeat(1_024),
] as const;

export const nastyText = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
);

/** Strings for headers. Characters beyond ASCII are rare, because the runtime logs a warning for each. */
export const nastyHeaderText = fc.oneof(
  { weight: 19, arbitrary: nastyText.map((text) => text.replace(/[^\t\x20-\x7e]/g, "?")) },
  { weight: 1, arbitrary: nastyText },
);

/** JSON values of unexpected types. */
export const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    0.5,
    1e308,
    -1e308,
    5e-324,
    2 ** 31,
    2 ** 53,
    2 ** 64,
    [],
    {},
    [[]],
    [null],
    [""],
  ),
  fc.tuple(fc.constantFrom("array", "object"), fc.constantFrom(60, 500, 4_000)).map(([kind, depth]) => {
    let value: unknown = 1;
    for (let i = 0; i < depth; i++) value = kind === "array" ? [value] : { a: value };
    return value;
  }),
  fc.constantFrom(101, 10_000).map((length) => Array.from({ length }, (_, i) => i)),
  fc.constantFrom(101, 10_000).map((length) => Object.fromEntries(Array.from({ length }, (_, i) => [`m${i}`, i]))),
);

/** Functions that change JSON text. No generated value could have the resulting text. */
const TEXT_CHANGES: ((json: string) => string | Uint8Array<ArrayBuffer>)[] = [
  (json) => json.slice(0, Math.floor(json.length / 2)),
  (json) => `${json}${json}`,
  (json) => `\ufeff${json}`,
  (json) => `${json.slice(0, -1)},}`,
  // Adds members before the existing ones. A parser uses the last of several members with the same name.
  (json) => `{"url":1,"prompt":[],"query":{},"name":0,${json.slice(1)}`,
  (json) => `{"__proto__":{"js_render":true},"constructor":{"prototype":{}},${json.slice(1)}`,
  (json) => json.replace(/:("[^"]*"|\d+|true|false)/, ":1e400"),
  (json) => json.replace(/:("[^"]*"|\d+|true|false)/, ":NaN"),
  (json) => json.replace(/:("[^"]*"|\d+|true|false)/, ":-0"),
  (json) => json.replace(/:"/, ':"\\ud800'),
  (json) => json.replace(/:"/, ':"\\u0000'),
  (json) => json.replace(/:"/, ':"\u0000'),
  (json) => json.replaceAll('"', "'"),
  (json) => `/* so */ ${json}`,
  () => "",
  () => " ",
  () => "null",
  () => "[]",
  () => '"text"',
  () => "0",
  () => "{}",
  () => "{",
  () => "[".repeat(100_000),
  () => `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
  () => `{"schema":${'{"not":'.repeat(5_000)}{}${"}".repeat(5_000)},"html":"x","prompt":"p"}`,
  (json) => new Uint8Array([...new TextEncoder().encode(json).slice(0, 12), 0xff, 0xfe, 0xc0, 0x80]),
  (json) => new Uint8Array(new Uint16Array([...json].map((character) => character.charCodeAt(0))).buffer),
];

export const textChange = fc.constantFrom(...TEXT_CHANGES);

/** Headers that some servers interpret, and that this service must ignore or handle. */
export const nastyHeader = fc.oneof(
  fc.constantFrom<[string, string]>(
    ["range", "bytes=0-0"],
    ["range", "bytes=-1"],
    ["range", "bytes=9-1,0-,x"],
    ["if-none-match", "*"],
    ["if-none-match", 'W/"x", "y'],
    ["if-match", '"nothing"'],
    ["if-modified-since", "Thu, 01 Jan 2099 00:00:00 GMT"],
    ["if-unmodified-since", "yesterday"],
    ["if-range", '"x"'],
    ["expect", "100-continue"],
    ["accept", "text/html;q=0, */*;q=-1"],
    ["accept", ","],
    ["accept-encoding", "br;q=2, *"],
    ["content-encoding", "gzip"],
    ["content-language", "x"],
    ["transfer-encoding", "chunked"],
    ["content-length", "-1"],
    ["content-length", "99999999"],
    ["origin", "null"],
    ["origin", "https://evil.example"],
    ["access-control-request-method", "DELETE"],
    ["x-http-method-override", "DELETE"],
    ["x-forwarded-for", "127.0.0.1"],
    ["x-forwarded-host", "evil.example"],
    ["forwarded", "for=127.0.0.1;host=evil.example"],
    ["x-request-id", "mine"],
    ["x-original-url", "/dashboard/admin"],
    ["host", "evil.example"],
    ["cookie", "extraction.session_token=%E0%A4%A; a=b; ;=;__Secure-extraction.session_token=x"],
    ["cf-connecting-ip", "127.0.0.1, 10.0.0.1"],
    ["cf-connecting-ip", "not an address"],
    ["cf-connecting-ip", ""],
    ["cf-connecting-ip", "::ffff:203.0.113.1"],
  ),
  fc.tuple(fc.constantFrom("idempotency-key", "accept", "range", "x-what", "user-agent"), nastyHeaderText),
);

export const CONTENT_TYPES = [
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "application/json; charset=utf-16le",
  "application/json;",
  " application/json ",
  "application/json, text/plain",
  "application/jsonp",
  "application/problem+json",
  "text/plain",
  "text/html",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "application/octet-stream",
  ";",
  "",
] as const;
