import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/cfworker";
import { type Client as KeyHolder, ORIGIN, request } from "./client";

/** Connects the official MCP client with the given key. */
export async function connectMcp({ secret }: Pick<KeyHolder, "secret">): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() });
  const transport = new StreamableHTTPClientTransport(new URL(`${ORIGIN}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${secret}` } },
    fetch: (url, init) => request(new URL(url).pathname, init as RequestInit),
  });
  // The SDK's types aren't compatible with `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return client;
}

export interface McpResult {
  content: { type: string; text?: string }[];
  isError?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the members of its tool.
  structuredContent?: Record<string, any>;
}

/** Calls a tool. Returns its result, and the text of all content parts of the result. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<McpResult & { text: string }> {
  const result = (await client.callTool({ name, arguments: args })) as McpResult;
  return { ...result, text: result.content.map(({ text = "" }) => text).join("\n") };
}
