import { describe, expect, it } from "vitest";
import { createClient, page, site } from "../support/client";
import { productOf, TEMPLATE_SCHEMA, type Template } from "../support/template-site";

type Client = Awaited<ReturnType<typeof createClient>>;

interface Parsed {
  data: Record<string, unknown>;
  meta: Record<string, unknown> & { extractor?: { id: string; learned_from: number; age: number } };
}

interface Extractor {
  id: string;
  uses: number;
  last_drift: { reason: string; at: string } | null;
}

/** Returns a prompt whose pages are answered by the stand-in model, and the id that the model's server logs. */
function newPrompt(behavior = "template"): { prompt: string; id: string } {
  const id = crypto.randomUUID();
  return { prompt: `The product. [[${behavior} ${id}]]`, id };
}

async function parse(
  client: Client,
  { number, template = "first", ...fields }: { number: number; template?: Template; prompt: string; store?: boolean },
): Promise<Parsed> {
  const url = `${page("template")}?number=${number}&template=${template}`;
  const body = { url, schema: TEMPLATE_SCHEMA, strategy: "auto", evidence: true, ...fields };
  const response = await client.call("POST", "/v1/parse?wait=true", body);
  expect(response.status, await response.clone().text()).toBe(200);
  return await response.json<Parsed>();
}

/** Parses pages one after the other. Returns the numbers of the pages that needed the model. */
async function parseAll(client: Client, prompt: string, from: number, to: number, template: Template = "first") {
  const asked: number[] = [];
  for (let number = from; number <= to; number++) {
    const { data, meta } = await parse(client, { number, template, prompt });
    expect(data, `page ${number} of the template ${template}`).toEqual(productOf(number));
    expect(meta.unverified).toEqual([]);
    if (meta.model_used !== "none") asked.push(number);
  }
  return asked;
}

async function callsOf(id: string): Promise<number> {
  return (await (await fetch(`${site}/__model-requests?path=${id}`)).json<unknown[]>()).length;
}

async function listExtractors(client: Client): Promise<Extractor[]> {
  const response = await client.call("GET", "/v1/extractors");
  expect(response.status).toBe(200);
  return (await response.json<{ data: Extractor[] }>()).data;
}

describe("a learned extractor", () => {
  it("reads 60 pages of one template with seven calls of the model: to learn, and to compare one in twenty uses", async () => {
    const client = await createClient();
    const { prompt, id } = newPrompt();
    // Pages 4 and 9 are the first ones with a discount.
    expect(await parseAll(client, prompt, 1, 20)).toEqual([1, 2, 3, 4, 9]);
    for (let first = 21; first <= 60; first += 10) {
      const numbers = Array.from({ length: 10 }, (_, at) => first + at);
      await Promise.all(numbers.map((number) => parseAll(client, prompt, number, number)));
    }
    expect(await callsOf(id)).toBe(7);
    expect(await listExtractors(client)).toMatchObject([
      {
        ...{ host: new URL(site).host, status: "active", properties: Object.keys(TEMPLATE_SCHEMA.properties) },
        ...{ uses: 57, misses: 2, hit_rate: 55 / 57, checks: 2, learned_at: expect.any(String) },
      },
    ]);
  });

  it("is named in the response, with the source and the evidence of each value", async () => {
    const client = await createClient();
    const { prompt } = newPrompt();
    await parseAll(client, prompt, 1, 3);
    const { meta } = await parse(client, { number: 5, prompt });
    const [extractor] = await listExtractors(client);
    expect(meta).toMatchObject({
      extractor: { id: extractor?.id, learned_from: 3, age: expect.any(Number) },
      ...{ model_used: "none", parts: 0, strategy: "auto", usage: { model_calls: 0 }, unverified: [] },
      source_by_field: { "/price": "extractor", "/features/0": "extractor" },
      evidence: { "/price": { quote: "50.25 EUR", verified: true } },
    });
  });

  it("isn't learned from requests with store: false", async () => {
    const client = await createClient();
    const { prompt } = newPrompt();
    for (let number = 1; number <= 4; number++) await parse(client, { number, prompt, store: false });
    expect(await listExtractors(client)).toEqual([]);
  });

  it.each<[template: Template, reason: string]>([
    ["renamed", "The page has a new part near a value."],
    ["seller", "The page has a new part near a value."],
    ["offer", "/price: A place has another text than expected."],
    ["rebuilt", "A page has a new layout."],
  ])("notices a change of the template to '%s', and no wrong value is delivered", async (template, reason) => {
    const client = await createClient();
    const { prompt } = newPrompt();
    await parseAll(client, prompt, 1, 9);
    const [before] = await listExtractors(client);
    expect(before?.last_drift).toBeNull();
    const asked = await parseAll(client, prompt, 31, 42, template);
    expect(asked[0]).toBe(31);
    expect((await listExtractors(client)).find(({ id }) => id === before?.id)).toMatchObject({
      last_drift: { reason },
    });
  });
});

describe("the operations for extractors", () => {
  it("list, read and delete the extractors of the key's account and mode", async () => {
    const client = await createClient();
    const { prompt } = newPrompt();
    await parseAll(client, prompt, 1, 3);
    const [extractor] = await listExtractors(client);
    const path = `/v1/extractors/${extractor?.id}`;
    const read = await (await client.call("GET", path)).json<{ data: { rules: { pointer: string }[] } }>();
    expect(read.data).toMatchObject({ id: extractor?.id, status: "active", learned_from: 3 });
    expect(read.data.rules).toContainEqual({
      pointer: "/in_stock",
      places: [{ address: "label:availability|dd", reading: "boolean" }],
    });
    expect(read.data.rules.map(({ pointer }) => pointer)).toContain("/reviews/*/stars");
    for (const other of [await createClient(), await createClient({ accountId: client.accountId, mode: "test" })]) {
      expect(await listExtractors(other)).toEqual([]);
      expect((await other.call("GET", path)).status).toBe(404);
      expect((await other.call("DELETE", path)).status).toBe(404);
    }
    expect((await client.call("DELETE", path)).status).toBe(204);
    expect(await listExtractors(client)).toEqual([]);
    expect(await parseAll(client, prompt, 5, 5)).toEqual([5]);
  });

  it("refuse unknown ids and parameters, and keys without the scope parse", async () => {
    const client = await createClient();
    const missing = await client.call("GET", "/v1/extractors/none");
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ error: { message: "There is no extractor 'none'." } });
    expect((await client.call("GET", "/v1/extractors?sort=uses")).status).toBe(400);
    const reader = await createClient({ scopes: ["jobs"] });
    expect((await reader.call("GET", "/v1/extractors")).status).toBe(403);
  });
});
