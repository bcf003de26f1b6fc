import { accepts } from "hono/accepts";
import { cors } from "hono/cors";
import { html } from "hono/html";
import { ERROR_HELP, ERROR_REFERENCE_PATH } from "../../contract/error-codes";
import { createRouter, originOf } from "../../http/router";
import { ERROR_HINTS } from "../../model/error-hints";
import { ERRORS, type ErrorCode } from "../../model/errors";
import { type Prices, toPrices } from "../../model/prices";
import { SUMMARY, TITLE, toGuide } from "./guide";
import { toOpenApiDocument } from "./openapi-document";
import { frontPage, LINKS, pageHead, REFERENCE_POLICY, referencePage, STATIC_POLICY } from "./pages";
import { cacheStatus } from "./status-page";

/** The public pages, which don't require a key: front page, API and error reference, OpenAPI document and llms.txt. */
export const docs = createRouter();

const CACHE_CONTROL = "public, max-age=300";

docs.get("/openapi.json", cors({ origin: "*" }), (c) =>
  c.json({ ...toOpenApiDocument(toPrices(c.env)), servers: [{ url: originOf(c) }] }, 200, {
    "Cache-Control": CACHE_CONTROL,
  }),
);

docs.get("/llms.txt", cors({ origin: "*" }), (c) => {
  const prices = toPrices(c.env);
  const text = toLlmsText(toOpenApiDocument(prices), { prices, origin: originOf(c) });
  return c.text(text, 200, { "Cache-Control": CACHE_CONTROL });
});

docs.get("/status.json", cors({ origin: "*" }), async (c) => await cacheStatus(c, "json"));

docs.get("/status", async (c) => {
  c.header("Vary", "Accept");
  const type = accepts(c, { header: "Accept", supports: ["text/html", "application/json"], default: "text/html" });
  return await cacheStatus(c, type === "application/json" ? "json" : "html");
});

docs.get("/docs", (c) => {
  c.header("Content-Security-Policy", REFERENCE_POLICY);
  return c.html(referencePage());
});

docs.get(ERROR_REFERENCE_PATH, (c) => {
  c.header("Content-Security-Policy", STATIC_POLICY);
  c.header("Cache-Control", CACHE_CONTROL);
  return c.html(errorReferencePage());
});

// Browsers and programs request this path without a link to it.
docs.get("/favicon.ico", (c) => c.redirect("/favicon.svg", 301));

docs.get("/", (c) => {
  c.header("Vary", "Accept");
  const type = accepts(c, {
    header: "Accept",
    supports: ["application/json", "text/html"],
    default: "application/json",
  });
  if (type === "text/html") {
    c.header("Content-Security-Policy", STATIC_POLICY);
    return c.html(frontPage(c.env));
  }
  const origin = originOf(c);
  const links = Object.fromEntries(LINKS.map(({ name, path }) => [name, `${origin}${path}`]));
  return c.json({ success: true, data: { name: TITLE, description: SUMMARY, links } }, 200);
});

/** Returns the error reference: one section per code, whose id is the code. `doc_url` of an error points to it. */
function errorReferencePage() {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  return html`<!doctype html>
<html lang="en">
  ${pageHead(`Errors · ${TITLE}`)}
  <body>
    <main>
      <h1>Errors</h1>
      <p>
        Every error response has a <code>code</code>, a <code>message</code>, and a <code>hint</code> with the next
        step. If <code>retryable</code> is true, the same request may succeed later. Failed requests are free.
        <a href="/docs">API reference</a>
      </p>
      <nav aria-label="Codes">${codes.map((code) => html`<a href="#${code}">${code}</a> `)}</nav>
      ${codes.map(toSection)}
    </main>
  </body>
</html>`;
}

function toSection(code: ErrorCode) {
  const { status, ...entry } = ERRORS[code];
  const { meaning, message } = ERROR_HELP[code];
  return html`<section id="${code}">
<h2>${code}</h2>
<p>Status ${status} · ${"retryable" in entry ? "retryable" : "not retryable"}
<p>${withCode(meaning)}
<p><b>Next step:</b> ${ERROR_HINTS[code]}
<p>Example: <q>${message}</q>
</section>`;
}

/** Returns the text as HTML. Text between backticks becomes code. */
function withCode(text: string) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));
}

type OpenApiDocument = ReturnType<typeof toOpenApiDocument>;

interface Operation {
  summary: string;
  parameters?: { in: string; name: string; schema: { example?: string } }[];
  requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> };
  security: { bearer: string[] }[];
}

/** Returns the text of /llms.txt (https://llmstxt.org), generated from the OpenAPI document. */
function toLlmsText(document: OpenApiDocument, { prices, origin }: { prices: Prices; origin: string }): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => toEntry(method, path, operation as Operation, origin)),
  );
  return `${[
    `# ${TITLE}`,
    `> ${SUMMARY}`,
    ...toGuide(prices).map(({ title, text }) => `**${title}.** ${text}`),
    `**Error codes by status.** \`invalid_target\` and \`proxy_unavailable\` have status 400 if the validation of the request detects them.\n\n${toCodes()}`,
    `**Operations.** \`$KEY\` is an API key.`,
    ...operations,
    "## Reference",
    [
      `- [OpenAPI 3.1](${origin}/openapi.json): all operations, parameters, responses, error codes and webhook events`,
      `- [API reference](${origin}/docs): the same content as a web page`,
      `- [Guide](${origin}/llms-full.txt): the complete documentation as one text`,
      `- [Errors](${origin}${ERROR_REFERENCE_PATH}): the meaning of each code, and what to do`,
    ].join("\n"),
  ].join("\n\n")}\n`;
}

function toCodes(): string {
  const statuses = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status);
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, entries]) => `- ${status}: ${entries.map(([code]) => `\`${code}\``).join(", ")}`)
    .join("\n");
}

/** Returns the entry of an operation, or an empty list if the operation doesn't require a key. */
function toEntry(method: string, path: string, operation: Operation, origin: string): string[] {
  const scope = operation.security[0]?.bearer[0];
  if (scope === undefined) return [];
  const curl = toCurl(method, path, operation, origin);
  return [`- ${operation.summary} (scope \`${scope}\`)\n\n  \`\`\`sh\n  ${curl}\n  \`\`\``];
}

function toCurl(method: string, path: string, { parameters = [], requestBody }: Operation, origin: string) {
  const filled = parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((text, { name, schema }) => text.replace(`{${name}}`, schema.example ?? name), path);
  const takesWait = parameters.some(({ name }) => name === "wait") && method === "post";
  const [example] = Object.values(requestBody?.content["application/json"]?.examples ?? {});
  return [
    "curl -s",
    method === "get" || example !== undefined ? "" : `-X ${method.toUpperCase()}`,
    method === "put" || method === "patch" ? `-X ${method.toUpperCase()}` : "",
    `'${origin}${filled}${takesWait ? "?wait=true" : ""}'`,
    '-H "Authorization: Bearer $KEY"',
    example === undefined ? "" : `-H 'Content-Type: application/json' -d '${JSON.stringify(example.value)}'`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}
