import type { Endpoint } from "../../../model/endpoint.ts";
import { toApiCommand } from "../../ui/api-command.ts";

/** The request that the samples send. */
export interface SampleRequest {
  /** The origin of this service, such as `https://api.example.com`. */
  origin: string;
  operation: Endpoint | "batch" | "crawl";
  /** The body, without parameters that have their default value. */
  body: Record<string, unknown>;
  /** The name of a file that is sent instead of a URL. */
  file?: string | undefined;
}

export interface Samples {
  curl: string;
  typescript: string;
  python: string;
}

const MAX_SAMPLE_STRING_CHARS = 2_000;
const KEPT_STRING_CHARS = 200;
const MAX_SAMPLE_ITEMS = 20;
/** The timeout of the Python sample. The service holds a synchronous request for up to 60 seconds. */
const PYTHON_TIMEOUT_S = 70;

/** A request to the API. Names such as `$JOB_ID` in the URL are environment variables. */
export interface ApiRequest {
  method: string;
  url: string;
  /** Headers besides the key and the content type. */
  headers?: Record<string, string>;
  body?: Record<string, unknown> | undefined;
  /** The name of a file in the working directory. The request is then a form, and its field `options` has the body. */
  file?: string | undefined;
}

/**
 * Returns the request as code. The code reads the key from the environment variable KEY. The request
 * is synchronous unless it has a `webhook_url`, because only asynchronous jobs send events.
 */
export function toSamples({ origin, operation, body: given, file }: SampleRequest): Samples {
  const { url: _, ...options } = given;
  const body = file === undefined ? given : options;
  const isSync = operation !== "batch" && operation !== "crawl" && body.webhook_url === undefined;
  const url = `${origin}/v1/${operation}${isSync ? "?wait=true" : ""}`;
  return {
    curl: toApiCommand({ url, key: "$KEY", body, file }),
    typescript: toClient({ origin, operation, body, file }, isSync),
    python: toPython({ method: "POST", url, body, file }),
  };
}

/** Returns the request in TypeScript, without the client's package, and in Python. */
export function toCode(request: ApiRequest): Omit<Samples, "curl"> {
  return { typescript: toFetch(request), python: toPython(request) };
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

const VARIABLE = /\$([A-Z][A-Z_]*)/g;

function toClient({ origin, operation, body, file }: SampleRequest, isSync: boolean): string {
  const name = JSON.stringify(file);
  const upload = `{\n  file: { name: ${name}, data: await openAsBlob(${name}) },`;
  const request = file === undefined ? toTypeScript(body) : toTypeScript(body).replace("{", () => upload);
  const start = `start${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  let run = `console.log((await client.${start}(${request})).id);`;
  if (isSync) run = `console.log(await client.${operation}(${request}));`;
  if (operation === "batch" || operation === "crawl")
    run = `for await (const page of client.${operation}(${request})) console.log(page);`;
  return `// npm i ${origin}/client.tgz
${file === undefined ? "" : 'import { openAsBlob } from "node:fs";\n'}import { ExtractionClient } from "web-data-extraction";

const client = new ExtractionClient({ apiKey: process.env.KEY ?? "", baseUrl: ${JSON.stringify(origin)} });
${run}
`;
}

function toFetch({ method, url, headers = {}, body }: ApiRequest): string {
  const toInterpolation = (name: string) => `\${process.env.${name}}`;
  const template = url.replace(VARIABLE, (_, name: string) => toInterpolation(name));
  const json = body && toTypeScript(body);
  const type = body && { "Content-Type": "application/json" };
  const lines = [
    ...(method === "GET" ? [] : [`method: "${method}",`]),
    "headers: {",
    `  Authorization: \`Bearer ${toInterpolation("KEY")}\`,`,
    ...Object.entries({ ...headers, ...type }).map(
      ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`,
    ),
    "},",
    ...(json === undefined ? [] : `body: JSON.stringify(${json}),`.split("\n")),
  ];
  return `const response = await fetch(${template === url ? JSON.stringify(url) : `\`${template}\``}, {
${lines.map((line) => `  ${line}`).join("\n")}
});
console.log(await response.json());
`;
}

function toPython({ method, url, headers = {}, body, file }: ApiRequest): string {
  const template = url.replace(VARIABLE, "{os.environ['$1']}");
  const more = Object.entries(headers).map(([name, value]) => `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const value = body && toPythonValue(body);
  const form = `
    files={"file": open(${JSON.stringify(file)}, "rb")},
    data={"options": json.dumps(${value})},`;
  const sent = value === undefined ? "" : `\n    json=${value},`;
  return `${file === undefined ? "" : "import json\n"}import os
import requests

response = requests.${method.toLowerCase()}(
    ${template === url ? "" : "f"}${JSON.stringify(template)},
    headers={"Authorization": f"Bearer {os.environ['KEY']}"${more.join("")}},${file === undefined ? sent : form}
    timeout=${PYTHON_TIMEOUT_S},
)
print(response.json())
`;
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
