import fc from "fast-check";
import type { OpenApiDocument, Operation } from "../../support/contract";
import { CONTENT_TYPES, nastyHeader, nastyHeaderText, nastyText, nastyValue, textChange } from "./noise";
import { valuesOf, withFewMembers } from "./values";

/** A generated request. It has placeholders for keys and ids, which exist only during the run. */
export interface GeneratedRequest {
  operationId: string;
  method: string;
  /** The path. `{known /v1/keys 3}` is replaced with one of the ids of this list in the responses so far. */
  path: string;
  headers: [string, string][];
  body: string | Uint8Array<ArrayBuffer> | undefined;
  /** The mode of the key, or another Authorization header. */
  key: "test" | "live" | { authorization: string | null };
}

type Json = Record<string, unknown>;
type Body = GeneratedRequest["body"];
type Change = (body: Json) => Json;

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "PROPFIND", "TRACE", "get", "X"];

/**
 * Returns an arbitrary that generates valid, nearly valid and hostile requests for all operations of the OpenAPI
 * document.
 */
export function requestsOf(document: OpenApiDocument): fc.Arbitrary<GeneratedRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestsFor(path, method.toUpperCase(), operation)),
  );
  return fc.oneof(...operations);
}

function requestsFor(template: string, ownMethod: string, operation: Operation): fc.Arbitrary<GeneratedRequest> {
  const media = operation.requestBody?.content["application/json"];
  return fc
    .record({
      method: rarely(fc.constantFrom(...METHODS), fc.constant(ownMethod)),
      path: pathsOf(template),
      query: queriesOf(operation),
      body: media === undefined ? fc.constant<Body>(undefined) : bodiesOf(media.schema),
      type: rarely(fc.constantFrom(...CONTENT_TYPES), fc.constant("application/json")),
      idempotency: rarely(nastyHeaderText, fc.constant(undefined)),
      headers: rarely(fc.array(nastyHeader, { maxLength: 4 }), fc.constant([])),
      key: rarely(keys, fc.constant("test" as const)),
    })
    .map(({ method, path, query, body, type, idempotency, headers, key }) => ({
      operationId: operation.operationId,
      method,
      path: `${path}${query}`,
      headers: [
        ...(body === undefined ? [] : [["content-type", type] as [string, string]]),
        ...(idempotency === undefined ? [] : [["idempotency-key", idempotency] as [string, string]]),
        ...headers,
      ],
      body: /^(get|head)$/i.test(method) ? undefined : body,
      key,
    }));
}

function rarely<Rare, Usual>(rare: fc.Arbitrary<Rare>, usual: fc.Arbitrary<Usual>): fc.Arbitrary<Rare | Usual> {
  return fc.oneof({ weight: 1, arbitrary: rare }, { weight: 9, arbitrary: usual });
}

const keys: fc.Arbitrary<GeneratedRequest["key"]> = fc.oneof(
  fc.constant("live" as const),
  fc
    .constantFrom(null, "", "Bearer", "Bearer ", "Basic YTpi", "Bearer sk_test_", "bearer a b", "Bearer a, Bearer b")
    .map((authorization) => ({ authorization })),
  nastyHeaderText.map((text) => ({ authorization: `Bearer ${text}` })),
);

const pathText = fc.oneof(
  nastyText.map(encodeURIComponentOfAny),
  fc.constantFrom(
    "..",
    ".",
    "%",
    "%zz",
    "%ff",
    "%2e%2e",
    "..%2f..%2fkeys",
    "%00",
    "a;b",
    "a%2Fb",
    "%252e",
    "x".repeat(5_000),
  ),
  fc.uuid({ version: 7 }),
);

const PATH_CHANGES: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.replaceAll("/", "//"),
  (path) => path.toUpperCase(),
  (path) => `${path}/..%2f..%2fdashboard`,
  (path) => `${path}%00`,
  (path) => path.replace("/v1", "/v1/../v1/."),
  (path) => path.replace("v1", "%76%31"),
  (path) => `${path}/%`,
  (path) => path.replace("/v1", "/v2"),
];

function pathsOf(template: string): fc.Arbitrary<string> {
  const id = fc.oneof(
    { weight: 7, arbitrary: fc.nat(1_000).map((n) => `{known ${template.split("/{")[0]} ${n}}`) },
    { weight: 3, arbitrary: pathText },
  );
  const filled = template.includes("{")
    ? id.map((text) => template.replace(/\{\w+\}/, () => text))
    : fc.constant(template);
  const changed = fc.tuple(filled, fc.constantFrom(...PATH_CHANGES)).map(([path, change]) => change(path));
  return fc.oneof({ weight: 1, arbitrary: changed }, { weight: 14, arbitrary: filled });
}

function queriesOf({ parameters = [] }: Operation): fc.Arbitrary<string> {
  const own = parameters.filter((parameter) => parameter.in === "query");
  const values = Object.fromEntries(
    own.map(({ name, schema }) =>
      name === "metadata"
        ? ["metadata[order]", fc.constantFrom("1042", "")]
        : [name, name === "wait" ? waits(schema) : valuesOf(schema, name).map(String)],
    ),
  );
  const every = fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>;
  const good = fc.oneof(every, withFewMembers(every));
  const name = fc.oneof(fc.constantFrom("limit", "", "__proto__", ...Object.keys(values)), nastyText);
  const odd = fc.oneof(
    fc
      .tuple(name, nastyText)
      .map(([key, value]) => `${encodeURIComponentOfAny(key)}=${encodeURIComponentOfAny(value)}`),
    fc.constantFrom(
      "&&=&",
      "limit",
      "limit=1&limit=2",
      "limit=%",
      "limit=+5",
      "offset=1e3",
      "offset=999999999999999",
      "wait=TRUE",
      "%ff=%ff",
      "a[]=1",
      "?",
      "limit=0x10",
    ),
  );
  return fc.tuple(good, rarely(odd, fc.constant(""))).map(([query, more]) => {
    const text = [new URLSearchParams(query).toString(), more].filter((part) => part !== "").join("&");
    return text === "" ? "" : `?${text}`;
  });
}

/** Values of `wait` for reading a job. Long waits are excluded, because they would take most of the time. */
function waits(schema: Json): fc.Arbitrary<string> {
  return schema.type === "integer" ? fc.constantFrom("0", "1") : valuesOf(schema).map(String);
}

function bodiesOf(schema: Json): fc.Arbitrary<Body> {
  const good = valuesOf(schema) as fc.Arbitrary<Json>;
  const names = Object.keys((schema.properties ?? {}) as Json);
  const nearly = fc.tuple(good, changesOf(schema, names)).map(([body, change]) => JSON.stringify(change(body)));
  return fc.oneof(
    { weight: 5, arbitrary: good.map((body) => JSON.stringify(body)) },
    { weight: 5, arbitrary: nearly },
    { weight: 1, arbitrary: fc.tuple(good, textChange).map(([body, change]) => change(JSON.stringify(body))) },
    { weight: 1, arbitrary: nastyValue.map((value) => JSON.stringify(value) ?? "") },
  );
}

/** Changes one member: removes it, gives it an invalid value, exceeds its limit, or adds an unknown member. */
function changesOf({ properties = {} }: Json, names: string[]): fc.Arbitrary<Change> {
  const name = fc.constantFrom(...names);
  const over = names.flatMap((each) => {
    const { maxLength, minimum, maximum, maxItems } = ((properties as Json)[each] ?? {}) as Record<string, number>;
    return [
      ...(maxLength === undefined
        ? []
        : [maxLength, maxLength + 1].map((length) => [each, "x".repeat(length)] as const)),
      ...(minimum === undefined ? [] : [[each, minimum - 1] as const]),
      ...(maximum === undefined ? [] : [[each, maximum + 1] as const]),
      ...(maxItems === undefined ? [] : [[each, Array.from({ length: maxItems + 1 }, () => "10.0.0.0/8")] as const]),
    ];
  });
  const unknownName = fc.oneof(fc.constantFrom("js_rendr", "", "__proto__", "constructor", "toJSON"), nastyText);
  return fc.oneof<fc.Arbitrary<Change>[]>(
    name.map((gone) => (body) => Object.fromEntries(Object.entries(body).filter(([each]) => each !== gone))),
    fc.tuple(fc.oneof(name, unknownName), nastyValue).map(
      ([key, value]) =>
        (body) =>
          withMember(body, key, value),
    ),
    ...(over.length === 0
      ? []
      : [
          fc.constantFrom(...over).map(
            ([key, value]) =>
              (body: Json) =>
                withMember(body, key, value),
          ),
        ]),
  );
}

/** Returns a copy of the body with this member set. Works even for names such as `__proto__`. */
function withMember(body: Json, name: string, value: unknown): Json {
  const copy = { ...body };
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** Encodes text like `encodeURIComponent`, but replaces unpaired surrogates with U+FFFD instead of throwing. */
function encodeURIComponentOfAny(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
