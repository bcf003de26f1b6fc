// Uses the MCP server of a service that `npm start` runs, with the official client and the official inspector.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endBrowsers } from "../../scripts/processes.ts";
import { type Loopback, listen } from "../support/loopback.ts";
import { type Product, startProduct } from "../support/product.ts";
import { sendHtml } from "../support/responses.ts";

const temporary = mkdtempSync(join(tmpdir(), "extraction-e2e-"));
const INSPECTOR = resolve("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const SECTIONS = 60;
let site: Loopback;
let product: Product;
let client: Client;

/** Returns a page of about 300,000 characters. */
function longPage(): string {
  const sections = Array.from({ length: SECTIONS }, (_, index) => {
    const section = index + 1;
    const paragraphs = Array.from(
      { length: 10 },
      (_, at) =>
        `<p>Paragraph ${section}.${at + 1}: the keeper of lighthouse ${section} writes the height of the tide into the ledger. ${"The wind comes from the west, and the lamp burns through the night. ".repeat(6)}</p>`,
    );
    return `<h2>Lighthouse ${section}</h2>${paragraphs.join("")}<p>The lamp of lighthouse ${section} has ${section * 7} mirrors.</p>`;
  });
  return `<!doctype html><title>Lighthouses</title><main><h1>Lighthouses of the coast</h1>${sections.join("")}</main>`;
}

beforeAll(async () => {
  site = await listen(createServer((_, response) => sendHtml(response, longPage())));
  product = await startProduct({
    state: join(temporary, "state"),
    temporary,
    allowedHosts: new URL(site.origin).host,
  });
  client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${product.live}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${product.base}/mcp`), { requestInit });
  // The SDK's types aren't compatible with `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  // The client compiles the output schemas, and checks the result of each call.
  await client.listTools();
});
afterAll(async () => {
  await client?.close();
  await product?.stop();
  await endBrowsers((commandLine) => commandLine.includes(temporary));
  site.close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
});

interface Answer {
  text: string;
  tokens: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the members of its tool.
  data: any;
}

async function call(name: string, args: Record<string, unknown>): Promise<Answer> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const text = (content as { text?: string }[]).map((part) => part.text ?? "").join("\n");
  expect([isError ?? false, text]).toEqual([false, text]);
  return { text, tokens: encode(text).length, data: structuredContent };
}

async function inspect(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  const connection = ["--transport", "http", "--header", `Authorization: Bearer ${product.live}`];
  const child = spawn(process.execPath, [INSPECTOR, "--cli", `${product.base}/mcp`, ...connection, ...args], {
    env: { ...process.env, HOME: temporary, XDG_CONFIG_HOME: temporary, XDG_DATA_HOME: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (errors += data));
  const [code] = await once(child, "close");
  return { code, output, errors };
}

it("the inspector finds no problem in the schemas of the tools", async () => {
  const { code, output, errors } = await inspect("--method", "tools/list", "--strict");
  expect([code, errors]).toEqual([0, expect.not.stringMatching(/warning|error/i)]);
  expect(JSON.parse(output).tools).toHaveLength(10);
});

it("the inspector calls a tool, and reads a resource and a prompt", async () => {
  const usage = await inspect("--method", "tools/call", "--tool-name", "usage");
  expect(usage.output).toContain("balance");
  const options = await inspect("--method", "resources/read", "--uri", "options://scrape");
  expect(options.output).toContain("proxy_country");
  const prompt = ["--prompt-name", "research_question", "--prompt-args", "question=How many mirrors?"];
  expect((await inspect("--method", "prompts/get", ...prompt)).output).toContain("How many mirrors?");
});

it("a long page is read in parts, by sections and by passages, for the price of one scrape", async () => {
  const credits = async () => (await call("usage", {})).data.balance as number;
  const before = await credits();
  const first = await call("scrape", { url: site.origin });
  const id = first.data.job_id;
  expect(first.text).toMatch(/\d+\. ## Lighthouse 60 \(offset \d+/);
  expect(first.tokens).toBeLessThan(11_000);

  const outline = await call("read", { id, outline: true });
  const section = await call("read", { id, section: "Lighthouse 44" });
  const passages = await call("read", { id, query: "How many mirrors does the lamp of lighthouse 44 have?" });
  for (const { text } of [section, passages]) expect(text).toContain("has 308 mirrors");

  const parts = [first];
  for (let next = first.data.next_offset; next !== null; next = parts.at(-1)?.data.next_offset)
    parts.push(await call("read", { id, offset: next }));
  for (let n = 1; n <= SECTIONS; n++)
    expect(parts.some(({ text }) => text.includes(`has ${n * 7} mirrors.`))).toBe(true);
  expect(await credits()).toBe(before - 1);

  // docs/evidence/agents-day.md has these figures.
  const whole = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  console.log({
    ...{ chars: first.data.total_chars, calls: parts.length, whole, first: first.tokens },
    ...{ outline: outline.tokens, section: section.tokens, passages: passages.tokens },
  });
  expect(whole).toBeGreaterThan(60_000);
  for (const { tokens } of [outline, section, passages]) expect(tokens).toBeLessThan(whole / 20);
});
