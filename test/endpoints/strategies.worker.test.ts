import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { validateBody } from "../../src/endpoints/validate";
import { toPrices } from "../../src/model/prices";
import { totalOf } from "../../src/model/receipt";
import { ORIGIN, page, site } from "../support/client";
import type { LoggedModelRequest } from "../support/models";
import { run, runFailing } from "../support/run-endpoint";

const properties = { name: { type: "string" }, price: { type: "number" }, brand: { type: "string" } };
const schema = { type: "object", properties, required: ["name", "price"] };
const product = (price: string, more = "") =>
  `<main itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Tide lamp</h1>${price}${more}</main>`;
const html = product('<b itemprop="price">19.50</b> EUR');
const withoutPrice = product("<p>A lamp that follows the tide. Call us for an offer.</p>");
const prompt = "The product.";
const NO_MODEL = { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" } as Partial<Env>;
const CHEAP = { CREDITS_PARSE_WITHOUT_MODEL: "2" } as unknown as Partial<Env>;

/** Returns a prompt that selects the model's answer, and a function that returns the texts of the model's requests. */
function answering(answer: unknown) {
  const id = crypto.randomUUID();
  const requests = async (): Promise<LoggedModelRequest[]> =>
    await (await fetch(`${site}/__model-requests?path=${id}`)).json();
  return {
    prompt: `The product. [[good ${id} ${JSON.stringify(answer)}]]`,
    texts: async () => (await requests()).map(({ body }) => JSON.stringify(body)),
  };
}

describe("the strategy auto", () => {
  it("calls no model if the page declares the required properties", async () => {
    const { data, extras, lines } = await run("parse", { html, prompt, schema, strategy: "auto", evidence: true });
    expect(data).toEqual({ name: "Tide lamp", price: 19.5 });
    expect(extras).toEqual({
      outcome: "ok",
      strategy: "auto",
      model_used: "none",
      rendered: false,
      parts: 0,
      usage: { input_tokens: 0, output_tokens: 0, model_calls: 0, model_time_ms: 0 },
      source_by_field: { "/name": "microdata", "/price": "microdata" },
      evidence: {
        "/name": { quote: "Tide lamp", verified: true },
        "/price": { quote: expect.stringContaining("19.50"), verified: true },
      },
      unverified: [],
    });
    expect(lines).toEqual([{ item: "parse", credits: 5, reason: "no_model" }]);
  });

  it("requests only the properties from the model that the page doesn't declare", async () => {
    const { prompt: marked, texts } = answering({ price: 21 });
    const request = { html: withoutPrice, prompt: marked, schema, strategy: "auto" };
    const { data, extras, lines } = await run("parse", request);
    expect(data).toEqual({ name: "Tide lamp", price: 21 });
    expect(extras).toMatchObject({
      model_used: "gpt-5.4-mini",
      parts: 1,
      usage: { model_calls: 1 },
      source_by_field: { "/name": "microdata", "/price": "model" },
    });
    expect(lines).toEqual([{ item: "parse", credits: 5 }]);
    const [text = ""] = await texts();
    expect(text).toContain("Already found on the page");
    expect(text).toContain('\\"required\\":[\\"price\\"]'.replaceAll("\\", ""));
  });

  it("fails if the model doesn't find a required property either", async () => {
    const { prompt: marked } = answering({ brand: "Tide" });
    const error = await runFailing("parse", { html: withoutPrice, prompt: marked, schema, strategy: "auto" });
    expect(error).toMatchObject({ code: "schema_mismatch" });
  });

  it("requests all missing properties from the model if the schema requires none of them", async () => {
    const open = { type: "object", properties };
    const { prompt: marked, texts } = answering({ brand: "Tide" });
    const { data } = await run("parse", { html, prompt: marked, schema: open, strategy: "auto" });
    expect(data).toEqual({ name: "Tide lamp", price: 19.5, brand: "Tide" });
    expect(await texts()).toHaveLength(1);
  });

  it("lists the sources of at most 2,000 values", async () => {
    const marked = `The product. [[many ${crypto.randomUUID()} ${JSON.stringify({ items: 2_100 })}]]`;
    const long = { type: "object", properties: { ...properties, items: { type: "array" } }, required: ["items"] };
    const { data, extras } = await run("parse", { html, prompt: marked, schema: long, strategy: "auto" });
    expect(data.items).toHaveLength(2_100);
    expect(Object.keys(extras?.source_by_field ?? {})).toHaveLength(2_000);
  });

  it("is the model without a schema, and says so", async () => {
    const { prompt: marked } = answering({ lamp: "Tide lamp" });
    const { extras } = await run("parse", { html, prompt: marked, strategy: "auto" });
    expect(extras).toMatchObject({ strategy: "model", strategy_reason: expect.stringContaining("no schema") });
    expect(extras).not.toHaveProperty("source_by_field");
  });

  it("calls no model if max_credits is below the price of a model", async () => {
    const request = { html: withoutPrice, prompt, schema, strategy: "auto", max_credits: 2 };
    const error = await runFailing("parse", request, { bindings: CHEAP });
    expect(error).toMatchObject({ code: "schema_mismatch", message: expect.stringContaining("/price") });
    const { extras } = await run("parse", { ...request, html }, { bindings: CHEAP });
    expect(extras).toMatchObject({ strategy: "page", strategy_reason: expect.stringContaining("max_credits is 2") });
  });
});

describe("the strategy page", () => {
  it("names the required properties that the page doesn't declare, and calls no model", async () => {
    const { prompt: marked, texts } = answering({});
    const required = { ...schema, required: ["name", "price", "brand"] };
    const error = await runFailing("parse", { html: withoutPrice, prompt: marked, schema: required, strategy: "page" });
    expect(error).toMatchObject({ code: "schema_mismatch", status: 422, retryable: false });
    expect(error.message).toContain("/price, /brand");
    expect(error.details?.map(({ path }) => path)).toEqual(["/price", "/brand"]);
    expect(await texts()).toEqual([]);
  });

  it("returns null for other properties if the schema allows it, and omits them otherwise", async () => {
    const optional = {
      type: "object",
      properties: { ...properties, price: { type: ["number", "null"] } },
      required: ["name", "price"],
    };
    const { data, extras } = await run("parse", { html: withoutPrice, prompt, schema: optional, strategy: "page" });
    expect(data).toEqual({ name: "Tide lamp", price: null });
    expect(extras?.source_by_field).toEqual({ "/name": "microdata" });
  });

  it("is the default without a configured model, and auto works in the same way", async () => {
    for (const strategy of [{}, { strategy: "auto" }]) {
      const { extras } = await run("parse", { html, prompt, schema, ...strategy }, { bindings: NO_MODEL });
      expect(extras).toMatchObject({
        strategy: "page",
        strategy_reason: "No language model is configured.",
        model_used: "none",
      });
    }
  });

  it("reads the members of a JSON document with the names of the properties", async () => {
    const url = `${page("type")}?type=application/json&body={"name":"Tide+lamp","price":19.5,"cost":{"brand":"Tide"}}`;
    const { data, extras } = await run("parse", { url, prompt, schema, strategy: "page", evidence: true });
    expect(data).toEqual({ name: "Tide lamp", price: 19.5 });
    expect(extras).toMatchObject({ source_by_field: { "/name": "json", "/price": "json" }, unverified: [] });
  });

  it("finds nothing in plain text", async () => {
    const url = `${page("type")}?type=text/plain&body=name:+Tide+lamp`;
    const error = await runFailing("parse", { url, prompt, schema, strategy: "page" });
    expect(error.message).toContain("/name, /price");
  });
});

describe("a request with a strategy", () => {
  const context = (bindings: Partial<Env> = {}, mode: "live" | "test" = "live") => ({
    env: { ...env, ...bindings },
    mode,
    origin: ORIGIN,
    prices: toPrices({ ...env, ...bindings }),
  });

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ["an unknown strategy", { schema, strategy: "fast" }, "strategy", /must be one of model, auto, page/],
    ["page without a schema", { strategy: "page" }, "schema", /is required by the strategy 'page'/],
    ["page with a model", { schema, strategy: "page", model: "gpt-5.4-mini" }, "model", /can't be combined/],
    ["auto with an unknown model", { schema, strategy: "auto", model: "gpt-1" }, "model", /must be/],
  ])("is refused with %s", (_, fields, path, message) => {
    for (const bindings of [{}, NO_MODEL]) {
      expect(() => validateBody("parse", { html, prompt, ...fields }, context(bindings))).toThrow(
        expect.objectContaining({
          code: "invalid_request",
          details: [{ path, message: expect.stringMatching(message) }],
        }),
      );
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ["without a schema", {}],
    ["auto without a schema", { strategy: "auto" }],
    ["the strategy model", { schema, strategy: "model" }],
    ["a named model", { schema, model: "gpt-5.4-mini" }],
  ])("needs a configured model: %s", (_, fields) => {
    expect(() => validateBody("parse", { html, prompt, ...fields }, context(NO_MODEL))).toThrow(
      expect.objectContaining({ code: "not_configured", status: 503, retryable: false }),
    );
    expect(validateBody("parse", { html, prompt, ...fields }, context(NO_MODEL, "test")).plan.lines).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>, Partial<Env>, object]>([
    [
      "reserves 5 credits for auto",
      { schema, strategy: "auto" },
      CHEAP,
      { strategy: "auto", lines: [{ item: "parse", credits: 5 }] },
    ],
    [
      "reserves the price without a model for page",
      { schema, strategy: "page" },
      CHEAP,
      { strategy: "page", lines: [{ item: "parse", credits: 2, reason: "no_model" }] },
    ],
    [
      "uses no model for auto if max_credits is too low",
      { schema, strategy: "auto", max_credits: 4 },
      CHEAP,
      { strategy: "page", lines: [{ item: "parse", credits: 2, reason: "no_model" }] },
    ],
    ["is page by default without a model", { schema }, NO_MODEL, { strategy: "page" }],
    ["is the model by default", { schema }, {}, { strategy: "model", model: "gpt-5.4-mini" }],
  ])("%s", (_, fields, bindings, plan) => {
    expect(validateBody("parse", { html, prompt, ...fields }, context(bindings)).plan).toMatchObject(plan);
  });
});

describe("the price of data without a model", () => {
  it.each([
    ["2", 2],
    ["0", 0],
    ["9", 5],
    ["", 5],
    ["cheap", 5],
  ])("with CREDITS_PARSE_WITHOUT_MODEL=%j is %i", async (value, credits) => {
    const bindings = { CREDITS_PARSE_WITHOUT_MODEL: value } as unknown as Partial<Env>;
    const { lines } = await run("parse", { html, prompt, schema, strategy: "auto" }, { bindings });
    expect(lines).toEqual([{ item: "parse", credits, reason: "no_model" }]);
  });

  it("isn't the price of a parse that needed a model", async () => {
    const { prompt: marked } = answering({ price: 21 });
    const request = { html: withoutPrice, prompt: marked, schema, strategy: "auto" };
    const { lines } = await run("parse", request, { bindings: CHEAP });
    expect(lines).toEqual([{ item: "parse", credits: 5 }]);
  });
});

describe("the format json of a scrape", () => {
  const url = `${page("type")}?${new URLSearchParams({ type: "text/html", body: html })}`;

  it.each<[number | undefined, string, string, number]>([
    [undefined, "plain_then_browser", "auto", 7],
    [6, "plain", "auto", 6],
    [5, "plain_then_browser", "page", 4],
    [3, "plain", "page", 3],
  ])(
    "with auto and max_credits %s is loaded with %s, uses %s and costs at most %i",
    (limit, method, strategy, price) => {
      const request = { url, formats: ["json"], json: { prompt, schema, strategy: "auto" }, render: "auto" };
      const bindings = { ...env, ...CHEAP };
      const context = { env: bindings, mode: "live" as const, origin: ORIGIN, prices: toPrices(bindings) };
      const { plan } = validateBody("scrape", { ...request, max_credits: limit }, context);
      expect(plan).toMatchObject({ method, strategy });
      expect(plan.model).toBe(strategy === "auto" ? "gpt-5.4-mini" : undefined);
      expect(totalOf(plan.lines)).toBe(price);
      expect(() => validateBody("scrape", { ...request, max_credits: 2 }, context)).toThrow(
        expect.objectContaining({
          code: "price_limit",
          details: [{ path: "max_credits", message: expect.any(String) }],
        }),
      );
    },
  );

  it("calls no model with auto if max_credits is below the price of a model", async () => {
    const request = { url, formats: ["json"], json: { prompt, schema, strategy: "auto" }, max_credits: 4 };
    const { data, extras, lines } = await run("scrape", request, { bindings: CHEAP });
    expect(data.json).toEqual({ name: "Tide lamp", price: 19.5 });
    expect(extras).toMatchObject({ strategy: "page", strategy_reason: expect.stringContaining("max_credits is 4") });
    expect(extras).toMatchObject({ usage: { model_calls: 0 } });
    expect(totalOf(lines ?? [])).toBe(3);
    const other = `${page("type")}?${new URLSearchParams({ type: "text/html", body: withoutPrice })}`;
    const { prompt: marked, texts } = answering({ price: 21 });
    const json = { prompt: marked, schema, strategy: "auto" };
    const error = await runFailing("scrape", { ...request, url: other, json }, { bindings: CHEAP });
    expect(error).toMatchObject({ code: "schema_mismatch", message: expect.stringContaining("/price") });
    expect(await texts()).toEqual([]);
  });

  it("is found in the page's own data", async () => {
    const request = { url, formats: ["markdown", "json"], json: { prompt, schema, strategy: "auto" } };
    const { data, extras, lines } = await run("scrape", request, { bindings: CHEAP });
    expect(data).toMatchObject({ json: { name: "Tide lamp", price: 19.5 } });
    expect(extras).toMatchObject({
      strategy: "auto",
      model_used: "none",
      source_by_field: { "/name": "microdata", "/price": "microdata" },
    });
    expect(lines).toEqual([
      { item: "scrape", credits: 1 },
      { item: "json", credits: 2, reason: "no_model" },
    ]);
  });

  it("needs no model if it has a schema, but a summary does", () => {
    const context = {
      env: { ...env, ...NO_MODEL, ...CHEAP },
      mode: "live" as const,
      origin: ORIGIN,
      prices: toPrices({ ...env, ...CHEAP }),
    };
    const body = { url: "https://example.com/", formats: ["json"], json: { prompt, schema } };
    const { plan } = validateBody("scrape", body, context);
    expect(plan).toMatchObject({ strategy: "page" });
    expect(plan.lines).toContainEqual({ item: "json", credits: 2, reason: "no_model" });
    expect(() => validateBody("scrape", { ...body, formats: ["json", "summary"] }, context)).toThrow(
      expect.objectContaining({ code: "not_configured" }),
    );
    expect(() => validateBody("scrape", { ...body, json: { prompt, strategy: "page" } }, context)).toThrow(
      expect.objectContaining({ details: [{ path: "json.schema", message: expect.any(String) }] }),
    );
  });
});

describe("a test key", () => {
  it("gets mock data as if the page declared it", async () => {
    const { data, extras, lines } = await run("parse", { html, prompt, schema, strategy: "auto" }, { mode: "test" });
    const pointers = Object.keys(data).map((name) => `/${name}`);
    expect(extras).toMatchObject({ strategy: "auto", model_used: "none", parts: 0, usage: { model_calls: 0 } });
    expect(Object.keys(extras?.source_by_field ?? {})).toEqual(pointers);
    expect(lines).toEqual([{ item: "parse", credits: 5, reason: "no_model" }]);
  });

  it("gets the mock data of a model by default", async () => {
    const { extras } = await run("parse", { html, prompt, schema }, { mode: "test", bindings: NO_MODEL });
    expect(extras).toMatchObject({ model_used: "gpt-5.4-mini", parts: 1 });
    expect(extras).not.toHaveProperty("source_by_field");
  });
});
