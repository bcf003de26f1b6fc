import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MCP_CLIENTS } from "../../src/mcp/clients";

const docs = readFileSync(join(import.meta.dirname, "../../docs/mcp.md"), "utf8");

it.each(MCP_CLIENTS.map((client) => [client.name, client] as const))(
  "the documentation of %s is the same as in the dashboard",
  (name, { step, language, toText }) => {
    const text = toText("https://extraction.example.com/mcp", "sk_live_…");
    expect(docs).toContain(`\n### ${name}\n\n${step}\n\n\`\`\`${language}\n${text}\n\`\`\`\n`);
  },
);

it("each JSON configuration has the URL and the key", () => {
  for (const { language, toText } of MCP_CLIENTS) {
    const text = toText("https://api.example/mcp", "sk_live_1");
    expect(text).toContain("https://api.example/mcp");
    if (language === "json") expect(JSON.stringify(JSON.parse(text))).toContain('"Bearer sk_live_1"');
  }
});
