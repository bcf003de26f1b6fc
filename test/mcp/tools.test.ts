import { encode } from "gpt-tokenizer/encoding/o200k_base";
import llama from "llama3-tokenizer-js";
import { expect, it } from "vitest";
import { describeTools, isToolName, TOOLS } from "../../src/mcp/tools";
import { SCOPES } from "../../src/model/api-key";

const tools = describeTools(SCOPES);

it("the list of all tools has at most 3,500 tokens", () => {
  const text = JSON.stringify({ tools });
  expect(encode(text).length).toBeLessThanOrEqual(3_500);
  expect(llama.encode(text, { bos: false, eos: false }).length).toBeLessThanOrEqual(3_500);
});

it("a tool needs the scope of its endpoint, or the scope jobs", () => {
  expect(Object.entries(TOOLS).map(([name, { scopes }]) => [name, ...scopes])).toEqual([
    ["scrape", "scrape"],
    ["parse", "parse"],
    ["serp", "serp"],
    ["map", "scrape"],
    ["batch", "scrape", "parse"],
    ["crawl", "scrape"],
    ["read", "jobs"],
    ["list_jobs", "jobs"],
    ["usage", "jobs"],
    ["cancel", "scrape", "parse", "serp"],
  ]);
  expect(describeTools(["keys"])).toEqual([]);
  expect(describeTools(["parse", "keys"]).map(({ name }) => name)).toEqual(["parse", "batch", "cancel"]);
  expect(["scrape", "read", "toString", "keys", ""].map(isToolName)).toEqual([true, true, false, false, false]);
});

it("tools that spend credits request pages and aren't read-only, and only cancel destroys something", () => {
  const namesOf = (hint: string) => tools.filter(({ annotations }) => annotations[hint]).map(({ name }) => name);
  expect(namesOf("openWorldHint")).toEqual(["scrape", "parse", "serp", "map", "batch", "crawl"]);
  expect(namesOf("readOnlyHint")).toEqual(["read", "list_jobs", "usage"]);
  expect(namesOf("destructiveHint")).toEqual(["cancel"]);
  expect(tools.find(({ name }) => name === "scrape")?.annotations.destructiveHint).toBe(false);
});

it("the shown parameters are those of the API, and all others are options", () => {
  for (const { name, title, description, inputSchema } of tools) {
    expect([title, description]).not.toContain("");
    for (const schema of Object.values(inputSchema.properties))
      expect([name, Object.keys(schema)]).not.toEqual([name, []]);
  }
  const { properties } = tools.find(({ name }) => name === "scrape")?.inputSchema ?? {};
  expect(properties?.options?.description).toContain("proxy_country");
  expect(properties?.formats).toMatchObject({ type: "array", items: { enum: expect.arrayContaining(["markdown"]) } });
  expect(tools.find(({ name }) => name === "read")?.inputSchema.required).toEqual(["id"]);
});
