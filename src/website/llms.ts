import { ERROR_REFERENCE_PATH } from "../contract/error-codes";
import { toApiCommand } from "../dashboard/ui/api-command";
import { ERRORS } from "../model/errors";
import type { Prices } from "../model/prices";
import type { ListedPage } from "./docs";
import { SUMMARY, toGuide } from "./guide";
import type { toOpenApiDocument } from "./openapi-document";

type OpenApiDocument = ReturnType<typeof toOpenApiDocument>;

interface Operation {
  summary: string;
  parameters?: { in: string; name: string; schema: { example?: string } }[];
  requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> };
  "x-scopes"?: string[];
}

/** Returns the text of /llms.txt (https://llmstxt.org), generated from the OpenAPI document. */
export function toLlmsText(
  document: OpenApiDocument,
  { prices, pages, origin }: { prices: Prices; pages: readonly ListedPage[]; origin: string },
): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => toEntry(method, path, operation as Operation, origin)),
  );
  return `${[
    `# ${document.info.title}`,
    `> ${SUMMARY}`,
    ...toGuide(prices).map(({ title, text }) => `**${title}.** ${text}`),
    `**Error codes by status.** \`invalid_target\` and \`proxy_unavailable\` have status 400 if the validation of the request detects them.\n\n${toCodes()}`,
    `**Operations.** \`$KEY\` is an API key.`,
    ...operations,
    "## Documentation",
    pages.map(({ path, title, description }) => `- [${title}](${origin}${path}.md): ${description}`).join("\n"),
    "## Reference",
    [
      `- [OpenAPI 3.1](${origin}/openapi.json): all operations, parameters, responses, error codes and webhook events`,
      `- [API reference](${origin}/docs/reference): the same content as a web page`,
      `- [Guide](${origin}/llms-full.txt): the pages for users as one text`,
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
  const [scope] = operation["x-scopes"] ?? [];
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
  const isDefault = method === (example === undefined ? "get" : "post");
  const command = toApiCommand({
    url: `${origin}${filled}${takesWait ? "?wait=true" : ""}`,
    key: "$KEY",
    body: example && JSON.stringify(example.value),
    method: isDefault ? undefined : method.toUpperCase(),
  });
  return command.replaceAll(" \\\n  ", " ");
}
