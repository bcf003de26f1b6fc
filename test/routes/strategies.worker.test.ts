import { describe, expect, it } from "vitest";
import { createClient } from "../support/client";

const html =
  "<main itemscope itemtype=https://schema.org/Product><h1 itemprop=name>Tide lamp</h1><b itemprop=price>19.50</b></main>";
const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
  required: ["name", "price"],
};
const body = { html, prompt: "The product.", schema };

interface Envelope {
  data: Record<string, unknown>;
  meta: Record<string, unknown>;
  job_id: string;
}

describe("a parse without a model", () => {
  it("is charged, and its receipt says why", async () => {
    const client = await createClient();
    const response = await client.call("POST", "/v1/parse?wait=true", { ...body, strategy: "auto" });
    const { data, meta, job_id } = await response.json<Envelope>();
    expect(data).toEqual({ name: "Tide lamp", price: 19.5 });
    const receipt = { total: 5, lines: [{ item: "parse", credits: 5, reason: "no_model" }] };
    const sources = { "/name": "microdata", "/price": "microdata" };
    expect(meta).toMatchObject({ model_used: "none", credits_used: 5, receipt, source_by_field: sources });
    const job = await (await client.call("GET", `/v1/jobs/${job_id}`)).json<Envelope>();
    expect(job.meta).toMatchObject({ receipt, source_by_field: sources });
    const list = await (await client.call("GET", "/v1/jobs")).json<{ data: Envelope[] }>();
    expect(list.data[0]?.meta).toMatchObject({ model_used: "none", receipt });
    expect(list.data[0]?.meta).not.toHaveProperty("source_by_field");
  });

  it("is free if it finds no value", async () => {
    const client = await createClient();
    const { required: _, ...optional } = schema;
    const request = { ...body, schema: optional, html: "<h1>Tide lamp</h1><p>It shines.</p>", strategy: "page" };
    const { data, meta } = await (await client.call("POST", "/v1/parse?wait=true", request)).json<Envelope>();
    expect(data).toEqual({});
    const lines = [{ item: "parse", credits: 0, reason: "no_model" }];
    expect(meta).toMatchObject({ credits_used: 0, receipt: { total: 0, lines } });
  });

  it("fails with 422 and the missing properties, and costs nothing", async () => {
    const client = await createClient();
    const request = { ...body, html: "<h1>Tide lamp</h1>", strategy: "page" };
    const response = await client.call("POST", "/v1/parse?wait=true", request);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: { code: "schema_mismatch", retryable: false, details: [{ path: "/name" }, { path: "/price" }] },
    });
    const { data } = await (await client.call("GET", "/v1/usage")).json<{ data: object }>();
    expect(data).toMatchObject({ reserved: 0, period: { used: 0 } });
  });
});

describe("the ready-made schemas", () => {
  it("are listed, and can be read by name", async () => {
    const client = await createClient({ scopes: ["parse"] });
    const { data } = await (await client.call("GET", "/v1/schemas")).json<{ data: { name: string }[] }>();
    const names = ["product", "article", "recipe", "job_posting", "event", "organization", "listing"];
    expect(data.map(({ name }) => name)).toEqual(names);
    for (const name of names) {
      const read = await (await client.call("GET", `/v1/schemas/${name}`)).json<Envelope>();
      expect(read.data).toMatchObject({ name, prompt: expect.any(String), schema: { type: "object" } });
      const request = { html, prompt: read.data.prompt, schema: read.data.schema, dry_run: true };
      expect((await client.call("POST", "/v1/parse", request)).status).toBe(200);
    }
  });

  it("get 404 with the names if the name is unknown", async () => {
    const client = await createClient();
    const response = await client.call("GET", "/v1/schemas/products");
    expect(response.status).toBe(404);
    const { error } = await response.json<{ error: { code: string; message: string } }>();
    expect(error).toMatchObject({ code: "not_found", details: [{ path: "name" }] });
    expect(error.message).toContain("product, article, recipe, job_posting, event, organization, listing");
  });
});
