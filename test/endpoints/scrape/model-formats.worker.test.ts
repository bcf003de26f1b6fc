import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { validateBody } from "../../../src/endpoints/validate";
import type { Mode } from "../../../src/model/api-key";
import { toPrices } from "../../../src/model/prices";
import { ORIGIN, page, querySite, site } from "../../support/client";
import type { LoggedModelRequest } from "../../support/models";
import { run, runFailing } from "../../support/run-endpoint";

const LAMP = `<title>Lamps</title><main><h1>Tide lamp</h1>${"<p>A lamp that follows the tide. It costs 19.50 EUR and is in stock.</p>".repeat(5)}<form><input name=color value=Teal></form></main>`;
const LOGIN =
  "<title>Sign in</title><main><h1>Sign in</h1><form method=post action=/login><label>Email <input type=email name=email></label><label>Password <input type=password name=password></label><button>Sign in</button></form></main>";
const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
  required: ["name", "price"],
  additionalProperties: false,
};
const SCRAPE = { item: "scrape", credits: 1 };

function htmlOf(body: string): string {
  return `${page("type")}?${new URLSearchParams({ type: "text/html", body })}`;
}

/** Returns a prompt that selects the behavior of the stand-in model, and the id with which the model logs its requests. */
function mark(behavior: string, answer?: object): { prompt: string; id: string } {
  const id = crypto.randomUUID();
  return {
    id,
    prompt: `The product. [[${behavior} ${id}${answer === undefined ? "" : ` ${JSON.stringify(answer)}`}]]`,
  };
}

async function modelRequests(id: string): Promise<LoggedModelRequest[]> {
  return await (await fetch(`${site}/__model-requests?path=${id}`)).json();
}

describe("the format json", () => {
  it("has the data that a model extracts, next to the other formats, with one visit of the page", async () => {
    const { prompt, id } = mark("good", { name: "Tide lamp", price: 19.5 });
    const url = htmlOf(LAMP);
    const made = await run("scrape", { url, formats: ["json", "markdown"], json: { prompt, schema } });
    expect(made).toMatchObject({
      data: { json: { name: "Tide lamp", price: 19.5 }, markdown: expect.stringContaining("# Tide lamp") },
      extras: { model_used: "gpt-5.4-mini", parts: 1, usage: { model_calls: 1 }, rendered: false },
      lines: [SCRAPE, { item: "json", credits: 5 }],
      isFree: false,
    });
    expect(await querySite("hits", url)).toBe(1);
    // The model also reads the values of form fields, as in a parse.
    expect(JSON.stringify((await modelRequests(id)).map(({ body }) => body))).toContain("Teal");
  });

  it("lets the model repair an invalid answer, and fails the job if it stays invalid", async () => {
    const repaired = mark("violate-once");
    const url = htmlOf(LAMP);
    const formats = ["markdown", "json"];
    const { extras } = await run("scrape", { url, formats, json: { prompt: repaired.prompt, schema } });
    expect(extras).toMatchObject({ usage: { model_calls: 2 } });
    for (const [behavior, code] of [
      ["violate", "schema_mismatch"],
      ["refuse", "model_refused"],
      ["no-retry", "model_failed"],
    ] as const) {
      const error = await runFailing("scrape", { url, formats, json: { prompt: mark(behavior).prompt, schema } });
      expect(error.code).toBe(code);
    }
  });

  it("calls no model for a page without the content, and costs nothing then", async () => {
    const { prompt, id } = mark("good");
    const made = await run("scrape", {
      url: htmlOf(LOGIN),
      formats: ["markdown", "json", "summary"],
      json: { prompt },
    });
    expect(made).toMatchObject({
      data: { markdown: expect.stringContaining("Sign in") },
      outcome: "login",
      isFree: true,
      lines: [SCRAPE, { item: "json", credits: 0, reason: "login" }, { item: "summary", credits: 0, reason: "login" }],
    });
    expect(Object.keys(made.data)).toEqual(["markdown"]);
    expect(made.extras).not.toHaveProperty("model_used");
    expect(await modelRequests(id)).toEqual([]);
  });

  it("needs no prompt with a schema", async () => {
    const url = htmlOf(`<main><h1>Tide lamp</h1><p>${mark("good", { name: "x", price: 1 }).prompt}</p></main>`);
    expect((await run("scrape", { url, formats: ["json"], json: { schema } })).data).toEqual({
      json: { name: "x", price: 1 },
    });
  });

  it("of text and PDFs is extracted from their text", async () => {
    const text = `${page("type")}?type=text/plain&body=${encodeURIComponent("The Tide lamp costs 19.50 EUR.")}`;
    for (const url of [text, page("pdf")]) {
      const { prompt } = mark("good", { name: "x", price: 1 });
      const { data } = await run("scrape", { url, formats: ["json"], json: { prompt, schema } });
      expect(data).toEqual({ json: { name: "x", price: 1 } });
    }
  });
});

describe("the format summary", () => {
  it("is text of a model, and can be combined with json", async () => {
    const { prompt } = mark("good", { name: "Tide lamp", price: 19.5 });
    const { data, extras, lines } = await run("scrape", {
      ...{ url: htmlOf(LAMP), formats: ["summary", "json"], json: { prompt, schema } },
    });
    expect(data).toEqual({ summary: expect.stringMatching(/\S/), json: { name: "Tide lamp", price: 19.5 } });
    expect(extras).toMatchObject({ usage: { model_calls: 2 } });
    expect(lines).toEqual([SCRAPE, { item: "json", credits: 5 }, { item: "summary", credits: 5 }]);
  });

  it.each([
    ["is empty", mark("good", { paragraphs: [" "] })],
    ["has another form", mark("violate")],
  ])("fails the job because of the model, and not because of a schema, if it %s", async (_, { prompt }) => {
    const url = `${page("type")}?type=text/plain&body=${encodeURIComponent(prompt)}`;
    expect(await runFailing("scrape", { url, formats: ["summary"] })).toMatchObject({ code: "model_failed" });
  });
});

describe("a request for a format of a model", () => {
  const contextOf = (mode: Mode, more: Partial<Env> = {}) => ({
    env: { ...env, ...more },
    mode,
    origin: ORIGIN,
    prices: toPrices(env),
  });
  const url = "https://example.com/";
  const json = { prompt: "The title." };

  it.each([
    ["json without its options", { url, formats: ["json"] }, "json", /is required by the format 'json'/],
    ["options without json", { url, json }, "json", /requires the format 'json'; add it to 'formats'/],
    ["an empty prompt", { url, formats: ["json"], json: { prompt: " " } }, "json.prompt", /must not be empty/],
    ["no prompt", { url, formats: ["json"], json: {} }, "json.prompt", /is required/],
    [
      "an invalid schema",
      { url, formats: ["json"], json: { ...json, schema: { type: "objekt" } } },
      "json.schema.type",
      /must be one of/,
    ],
    ["an unknown option", { url, formats: ["json"], json: { ...json, modle: "x" } }, "json.modle", /.+/],
  ])("is refused with %s", (_, body, path, message) => {
    expect(() => validateBody("scrape", body, contextOf("live"))).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        details: [{ path, message: expect.stringMatching(message) }],
      }),
    );
  });

  it("needs a configured model with a live key, but not with a test key", () => {
    const none = { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" } as Partial<Env>;
    const body = { url, formats: ["summary"] };
    expect(() => validateBody("scrape", body, contextOf("live", none))).toThrow(
      expect.objectContaining({ code: "not_configured" }),
    );
    expect(validateBody("scrape", body, contextOf("test", none)).plan.model).toBe("gpt-5.4-mini");
    expect(validateBody("scrape", { url }, contextOf("live", none)).plan).not.toHaveProperty("model");
  });

  it("has the price of the page and of each format, which max_credits limits", () => {
    const body = { url, formats: ["summary", "json"], json, render: "auto" };
    const { plan } = validateBody("scrape", { ...body, max_credits: 11 }, contextOf("live"));
    expect(plan).toMatchObject({ method: "plain", model: "gpt-5.4-mini" });
    expect(() => validateBody("scrape", { ...body, max_credits: 10 }, contextOf("live"))).toThrow(
      expect.objectContaining({
        code: "price_limit",
        message:
          "This request costs at least 11 credits (scrape 1, json 5, summary 5), which is more than 'max_credits' (10).",
        hint: "Set max_credits to 11 or more, or omit the format json and the format summary.",
      }),
    );
  });

  it("with a test key gets the same mock result each time, unless the target simulates another kind of page", async () => {
    const request = { url, formats: ["json", "summary"], json: { prompt: "The title.", schema } };
    const first = await run("scrape", request, { mode: "test" });
    expect(first.data).toEqual({
      summary: expect.stringContaining("mock page of example.com"),
      json: { name: expect.any(String), price: expect.any(Number) },
    });
    expect(first.extras).toMatchObject({ model_used: "gpt-5.4-mini", usage: { model_calls: 1 } });
    expect(await run("scrape", request, { mode: "test" })).toEqual(first);
    const login = await run("scrape", { ...request, url: "https://login.test/" }, { mode: "test" });
    expect(login).toMatchObject({ data: {}, outcome: "login" });
    expect(login.lines).toContainEqual({ item: "json", credits: 0, reason: "login" });
  });
});
