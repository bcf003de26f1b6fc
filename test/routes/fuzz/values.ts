import fc from "fast-check";
import { page } from "../../support/client";
import { receiverOrigin } from "../../support/webhooks";

type Json = Record<string, unknown>;

const target = fc.oneof(
  fc.webPath().map((path) => `https://example.com${path}`),
  // The simulated hosts for requests with test keys. Slow hosts are omitted, because they would only delay the fuzz test.
  fc
    .constantFrom(
      "blocked",
      "timeout",
      "dns",
      "large",
      "out-of-credits",
      "rate-limited",
      "http-404",
      "http-503",
      "slow-0",
    )
    .map((word) => `https://${word}.test/`),
  fc.constantFrom(
    "HTTP://EXAMPLE.COM",
    "http://münchen.example/ß?q=ü#x",
    "https://example.com:8443/a%20b",
    page("article"),
  ),
);

const jsonSchema = fc.oneof(
  fc.constantFrom<Json>(
    { type: "object" },
    { type: "object", properties: { a: { type: "string", pattern: "^[a-z]{2,5}$" } }, required: ["a"] },
    { type: "object", properties: { n: { type: "number", minimum: 1, maximum: 2, multipleOf: 0.25 } } },
    {
      type: "object",
      properties: { list: { type: "array", items: { $ref: "#/$defs/x" }, minItems: 2 } },
      $defs: { x: { enum: [1, "a", null] } },
    },
    { type: "object", patternProperties: { "^x": { type: "integer" } }, minProperties: 3, additionalProperties: false },
    { $ref: "#/$defs/a", $defs: { a: { type: "object", properties: { again: { $ref: "#/$defs/a" } } } } },
    {
      anyOf: [
        { type: "object", properties: { a: { const: 1 } } },
        { type: "object", required: ["b"] },
      ],
    },
  ),
  fc.dictionary(
    fc.constantFrom(
      "type",
      "properties",
      "required",
      "items",
      "enum",
      "pattern",
      "$ref",
      "anyOf",
      "not",
      "minimum",
      "format",
    ),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 4 },
  ),
);

/** Values for members whose format only the descriptions in the OpenAPI document define. */
const MEMBERS: Record<string, fc.Arbitrary<unknown>> = {
  url: target,
  webhook_url: fc.constant(`${receiverOrigin}/fuzz/ok`),
  html: fc.constantFrom("<p>x</p>", "<h1>A & B</h1><table><tr><td>1", "no markup", "<", "<!doctype html><p>é🙂"),
  prompt: fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 }).map((text) => `p${text}`),
  schema: jsonSchema,
  model: fc.constantFrom("gpt-5.4-mini", "claude-haiku-4-5"),
  json: fc.constantFrom({ prompt: "The title." }, { prompt: "x", schema: { type: "object" } }),
  max_credits: fc.integer({ min: 0, max: 12 }),
  query: fc.oneof(fc.constantFrom("tide tables", "blocked.test", "dns", "müsli"), fc.lorem({ maxCount: 4 })),
  language: fc.constantFrom("tr", "en-US", "zh-Hant-TW"),
  location: fc.constantFrom("Istanbul, Turkey", "DE", "Paris", "Germany"),
  headers: fc.constantFrom({}, { "X-Api-Key": "a" }, { "accept-language": "de" }),
  cookies: fc.constantFrom({ a: "1" }, [{ name: "a", value: "1", path: "/x" }], []),
  user_agent: fc.constantFrom("Mozilla/5.0 (X11)", "Tester/1.0"),
  basic_auth: fc.constantFrom({ username: "a", password: "b:c" }, { username: "", password: "ü" }),
  proxy_country: fc.constantFrom("TR", "tr", "DE", "FR"),
  expires_at: fc.constantFrom(null, "2099-01-31T12:00:00Z", "2099-01-31T12:00:00+02:00"),
  // Most requests have a test key, which can't have a limit.
  credit_limit: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.integer({ min: 1, max: 1_000 })),
  since: fc.constantFrom("2026-01-05T00:00:00Z", "2026-01-05"),
  until: fc.constantFrom("2026-03-01T00:00:00Z", "2026-04-01T00:00:00+02:00"),
  endpoint_id: fc.constantFrom("default", "0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11"),
  from: fc.constantFrom("2026-01-05", "2026-02-28"),
  to: fc.constantFrom("2026-03-01", "2026-11-23"),
  group_by: fc.constantFrom("day", "key,code", "endpoint,day,key,code"),
  actions: fc.constantFrom(
    [],
    [{ type: "click", selector: "#a" }, { type: "html" }],
    [{ type: "scroll", to: "end" }, { type: "screenshot" }, { type: "wait", ms: 5 }],
    [
      { type: "type", selector: "#a", text: "x" },
      { type: "press", key: "Enter" },
    ],
  ),
  timeout_ms: fc.constantFrom(1_000, 20_000, 55_000),
  locale: fc.constantFrom("de", "de-CH", "zh-Hant-TW", "es-419"),
  timezone: fc.constantFrom("Europe/Berlin", "UTC", "asia/kolkata"),
  viewport: fc.constantFrom({ width: 800, height: 600 }, { width: 1_024, height: 240 }),
  wait_for: fc.constantFrom("#price", "main > p:first-child"),
  selector: fc.constantFrom("#price", "main > p:first-child"),
  hide_selectors: fc.constantFrom([], [".advert", "nav"]),
  include_selectors: fc.constantFrom([], ["#product"], ["main", ".a .b"]),
  exclude_selectors: fc.constantFrom([], [".advert", "nav"]),
  allowed_ips: fc.constantFrom([], ["203.0.113.0/24", "2001:db8::/32"], ["198.51.100.7"]),
  metadata: fc.constantFrom({}, { order: 1042, customer: "müsli" }, { "a b]": true, x: -0.5 }),
  tags: fc.constantFrom([], ["prices"], ["a", "b c", "é🙂"]),
  tag: fc.constantFrom("prices", "é🙂"),
  name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((text) => `n${text}`),
};

/**
 * Returns values that match a schema of the OpenAPI document. Uses MEMBERS if a member's schema doesn't define its
 * format.
 */
export function valuesOf(schema: Json, name = ""): fc.Arbitrary<unknown> {
  const known = MEMBERS[name];
  if (known !== undefined) return schema.anyOf === undefined && !saysNull(schema) ? known : fc.option(known);
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches) && schema.properties === undefined) {
    return fc.oneof(...branches.map((branch) => valuesOf(branch, name)));
  }
  switch ([schema.type].flat()[0]) {
    case "object":
      return objectsOf(schema);
    case "array":
      return fc.array(valuesOf(schema.items as Json), { minLength: Number(schema.minItems ?? 0), maxLength: 4 });
    case "integer":
    case "number":
      return fc.integer({ min: Number(schema.minimum ?? 0), max: Number(schema.maximum ?? 1_000_000) });
    case "boolean":
      return fc.boolean();
    default:
      return fc.string({ minLength: Number(schema.minLength ?? 0), maxLength: Number(schema.maxLength ?? 40) });
  }
}

function objectsOf({ properties = {}, required = [], oneOf }: Json): fc.Arbitrary<Json> {
  const members = Object.entries(properties as Json).map(([name, schema]) => [name, valuesOf(schema as Json, name)]);
  const every = fc.record(Object.fromEntries(members), { requiredKeys: required as string[] }) as fc.Arbitrary<Json>;
  const values = fc.oneof(
    { weight: 1, arbitrary: every },
    { weight: 4, arbitrary: withFewMembers(every, required as string[]) },
  );
  if (!Array.isArray(oneOf)) return values;
  // Exactly one of these members is set.
  const names = oneOf.map((branch) => (branch.required as string[])[0] ?? "");
  return fc
    .tuple(values, fc.constantFrom(...names), fc.record(Object.fromEntries(members)))
    .map(([value, chosen, all]) => {
      const others = Object.entries(value).filter(([name]) => !names.includes(name));
      return { ...Object.fromEntries(others), [chosen]: (all as Json)[chosen] };
    });
}

/** Keeps at most three optional members of an object, because many parameters exclude each other. */
export function withFewMembers<Value extends Json>(
  objects: fc.Arbitrary<Value>,
  required: readonly string[] = [],
): fc.Arbitrary<Value> {
  return fc.tuple(objects, fc.nat()).map(([value, start]) => {
    const optional = Object.keys(value).filter((name) => !required.includes(name));
    const kept = Array.from({ length: start % 4 }, (_, i) => optional[(start + 7 * i) % optional.length]);
    const members = Object.entries(value).filter(([name]) => required.includes(name) || kept.includes(name));
    return Object.fromEntries(members) as Value;
  });
}

function saysNull({ type }: Json): boolean {
  return [type].flat().includes("null");
}
