import type { Endpoint } from "../../../model/endpoint.ts";

/** The request that the samples send. */
export interface SampleRequest {
  /** The origin of this service, such as `https://api.example.com`. */
  origin: string;
  operation: Endpoint | "batch" | "crawl";
  /** The body, without parameters that have their default value. */
  body: Record<string, unknown>;
}

export interface Samples {
  curl: string;
  /** The service's TypeScript client. */
  client: string;
  python: string;
}

const MAX_SAMPLE_STRING_CHARS = 2_000;
const KEPT_STRING_CHARS = 200;
const MAX_SAMPLE_ITEMS = 20;
const ON_ONE_LINE_CHARS = 80;
/** The timeout of the Python sample. The service holds a synchronous request for up to 60 seconds. */
const PYTHON_TIMEOUT_S = 70;

/** The client's methods that create an asynchronous job. The methods that wait for the result have the endpoint's name. */
const START_METHODS: { [E in Endpoint]: string } = {
  scrape: "startScrape",
  parse: "startParse",
  serp: "startSerp",
  map: "startMap",
};

/**
 * Returns the request as code. The code reads the key from the environment variable EXTRACTION_API_KEY. The
 * request is synchronous unless it has a `webhook_url`, because only asynchronous jobs send events.
 */
export function toSamples(request: SampleRequest): Samples {
  return {
    curl: toCurl(request),
    client: toClientCall(request),
    python: toPython(request),
  };
}

/** Shortens long texts and lists of the body, such as a page of HTML. `cut` is true if it has shortened one. */
export function toReadable(body: Record<string, unknown>): { body: Record<string, unknown>; cut: boolean } {
  let cut = false;
  const entries = Object.entries(body).map(([name, value]) => {
    const isLong = Array.isArray(value) && value.length > MAX_SAMPLE_ITEMS;
    if (!isLong && (typeof value !== "string" || value.length <= MAX_SAMPLE_STRING_CHARS)) return [name, value];
    cut = true;
    if (typeof value !== "string") return [name, value.slice(0, MAX_SAMPLE_ITEMS)];
    return [name, `${value.slice(0, KEPT_STRING_CHARS)}…`];
  });
  return { body: Object.fromEntries(entries), cut };
}

function toCurl(request: SampleRequest): string {
  return [
    `curl ${quoteForShell(toAddress(request))}`,
    `-H "Authorization: Bearer $EXTRACTION_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoteForShell(toLiteral(request.body, JSON_TEXT, 0))}`,
  ].join(" \\\n  ");
}

function toClientCall(request: SampleRequest): string {
  return `import { ExtractionClient } from "web-data-extraction/client";

const client = new ExtractionClient({
  apiKey: process.env.EXTRACTION_API_KEY ?? "",
  baseUrl: ${JSON.stringify(request.origin)},
});
${toMethodCall(request)}
`;
}

function toMethodCall({ operation, body }: SampleRequest): string {
  const request = toLiteral(body, TYPESCRIPT, 0);
  if (operation === "batch" || operation === "crawl")
    return `for await (const page of client.${operation}(${request})) {\n  console.log(page.url, page.error?.code ?? page.outcome);\n}`;
  if (isAsync(body)) return `const job = await client.${START_METHODS[operation]}(${request});\nconsole.log(job.id);`;
  return `const { data, meta } = await client.${operation}(${request});\nconsole.log(data, meta.credits_used);`;
}

function toPython(request: SampleRequest): string {
  return `import os
import requests

response = requests.post(
    ${JSON.stringify(toAddress(request))},
    headers={"Authorization": f"Bearer {os.environ['EXTRACTION_API_KEY']}"},
    json=${toLiteral(request.body, PYTHON, 4)},
    timeout=${PYTHON_TIMEOUT_S},
)
print(response.json())
`;
}

function toAddress({ origin, operation, body }: SampleRequest): string {
  const isSync = operation !== "batch" && operation !== "crawl" && !isAsync(body);
  return `${origin}/v1/${operation}${isSync ? "?wait=true" : ""}`;
}

function isAsync(body: Record<string, unknown>): boolean {
  return body.webhook_url !== undefined;
}

/** Quotes a string as one word of a POSIX shell. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface Language {
  indent: number;
  words: { true: string; false: string; null: string };
  key: (name: string) => string;
  /** The space inside the braces of an object on one line. */
  padding: "" | " ";
  hasTrailingComma: boolean;
}

const JSON_TEXT: Language = {
  indent: 2,
  words: { true: "true", false: "false", null: "null" },
  key: (name) => JSON.stringify(name),
  padding: "",
  hasTrailingComma: false,
};

const TYPESCRIPT: Language = {
  indent: 2,
  words: { true: "true", false: "false", null: "null" },
  key: (name) => {
    // `__proto__: value` in an object literal would set the object's prototype instead of a property.
    if (name === "__proto__") return '["__proto__"]';
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  },
  padding: " ",
  hasTrailingComma: true,
};

const PYTHON: Language = {
  indent: 4,
  words: { true: "True", false: "False", null: "None" },
  key: (name) => JSON.stringify(name),
  padding: "",
  hasTrailingComma: true,
};

/** Converts a JSON value to a literal of the language. Strings and numbers have the same syntax as in JSON. */
function toLiteral(value: unknown, language: Language, margin: number): string {
  if (value === null) return language.words.null;
  if (typeof value === "boolean") return language.words[`${value}`];
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = margin + language.indent;
  if (Array.isArray(value)) {
    const items = value.map((item) => toLiteral(item, language, inner));
    return toBlock("[]", items, { margin, language, padding: "" });
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${language.key(name)}: ${toLiteral(member, language, inner)}`,
  );
  return toBlock("{}", members, { margin, language, padding: language.padding });
}

interface BlockOptions {
  margin: number;
  language: Language;
  padding: string;
}

function toBlock(brackets: "[]" | "{}", items: string[], options: BlockOptions): string {
  const { margin, language, padding } = options;
  const [open = "", close = ""] = brackets;
  if (items.length === 0) return brackets;
  const line = `${open}${padding}${items.join(", ")}${padding}${close}`;
  if (line.length <= ON_ONE_LINE_CHARS && !line.includes("\n")) return line;
  const lines = items.map((item) => `${" ".repeat(margin + language.indent)}${item}`).join(",\n");
  return `${open}\n${lines}${language.hasTrailingComma ? "," : ""}\n${" ".repeat(margin)}${close}`;
}
