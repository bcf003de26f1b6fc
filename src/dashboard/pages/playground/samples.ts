import type { Endpoint } from "../../../model/endpoint.ts";
import { toApiCommand } from "../../ui/api-command.ts";

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
    curl: toApiCommand(toAddress(request), "$EXTRACTION_API_KEY", request.body),
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
  const request = toTypeScript(body);
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
    json=${toPythonValue(request.body)},
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

/** Returns the body as a literal of TypeScript: JSON whose names have quotes only if necessary. */
function toTypeScript(body: Record<string, unknown>): string {
  return JSON.stringify(body, null, 2).replace(/^( *)"([A-Za-z_$][\w$]*)":/gm, (_, margin: string, name: string) =>
    // `__proto__: value` would set the object's prototype instead of a property.
    name === "__proto__" ? `${margin}["__proto__"]:` : `${margin}${name}:`,
  );
}

const PYTHON_WORDS: Record<string, string> = { true: "True", false: "False", null: "None" };

/** Returns the body as a literal of Python. Strings and numbers have the same syntax as in JSON. */
function toPythonValue(body: Record<string, unknown>): string {
  return JSON.stringify(body, null, 4)
    .replace(/"(?:[^"\\]|\\.)*"|true|false|null/g, (token) => PYTHON_WORDS[token] ?? token)
    .replaceAll("\n", "\n    ");
}
