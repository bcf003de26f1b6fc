import { describe, expect, it } from "vitest";
import { MODEL_CONNECTIONS } from "../../src/model/limits";
import type { RunPlan } from "../../src/model/run-plan";
import { page, site } from "../support/client";
import type { LoggedModelRequest } from "../support/models";
import { run, runFailing } from "../support/run-endpoint";

const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
  required: ["name", "price"],
  additionalProperties: false,
};
const html = "<main><h1>Tide lamp</h1><p>A lamp that follows the tide. It costs 19.50 EUR and is in stock.</p></main>";
const lamp = { name: "Tide lamp", price: 19.5 };

/** Returns a prompt that selects the model server's behavior, and a function that returns the logged requests. */
function mark(behavior = "good", output?: unknown) {
  const id = crypto.randomUUID();
  const prompt = `The product. [[${behavior} ${id}${output === undefined ? "" : ` ${JSON.stringify(output)}`}]]`;
  const requests = async (): Promise<LoggedModelRequest[]> =>
    await (await fetch(`${site}/__model-requests?path=${id}`)).json();
  const texts = async () => (await requests()).map(({ body }) => JSON.stringify(body));
  return { prompt, requests, texts };
}

const limitedTo = (tokens: number) => ({ bindings: { PARSE_MAX_INPUT_TOKENS: String(tokens) } as Partial<Env> });
const line = "The keeper of the lamp wrote the height of the tide, the wind and the name of each ship.\n";

describe("a page that fits into one request", () => {
  it("is sent once, with the prompt and the schema, and the result has the usage", async () => {
    const { prompt, requests, texts } = mark("good", lamp);
    const { data, extras } = await run("parse", { html, prompt, schema });
    expect(data).toEqual(lamp);
    expect(extras).toEqual({
      outcome: "ok",
      model_used: "gpt-5.4-mini",
      rendered: false,
      parts: 1,
      usage: { input_tokens: 120, output_tokens: 30, model_calls: 1, model_time_ms: expect.any(Number) },
    });
    expect(extras).toMatchObject({ usage: { model_time_ms: expect.toSatisfy((ms: number) => ms < 60_000) } });
    expect((await requests()).map(({ provider, broken }) => [provider, broken])).toEqual([["openai", null]]);
    const [text] = await texts();
    expect(text).toContain('"additionalProperties":false');
    expect(text).toContain("It costs 19.50 EUR");
    expect(text).toContain("The product.");
    expect(text).not.toContain("This is part");
  });

  it("is sent to the requested model", async () => {
    const { prompt, requests } = mark("good", lamp);
    const { extras } = await run("parse", { html, prompt, schema, model: "claude-haiku-4-5" });
    expect(extras?.model_used).toBe("claude-haiku-4-5");
    expect((await requests()).map(({ provider }) => provider)).toEqual(["anthropic"]);
  });

  it("fails if the job's model is no longer configured", async () => {
    const { prompt, requests } = mark("good", lamp);
    const bindings = { ANTHROPIC_API_KEY: "" } as Partial<Env>;
    const plan: RunPlan = { method: "given_html", strategy: "model", model: "claude-haiku-4-5", lines: [] };
    const request = { html, prompt, model: "claude-haiku-4-5" };
    const error = await runFailing("parse", request, { bindings, job: { plan } });
    expect(error).toMatchObject({ code: "model_failed", retryable: true });
    expect(await requests()).toEqual([]);
  });
});

describe("the page of a parse request", () => {
  it.each([
    ["article", "", "kept since 1899", false],
    ["pdf", "", "The keeper writes", false],
    ["type", '?type=application/json&body={"lamps":["Tide+lamp"]}', "Tide lamp", false],
    ["script", "", "Only a browser can read this sentence", true],
  ])("is read in the form that its content needs: %s%s", async (behavior, query, words, rendered) => {
    const { prompt, texts } = mark("good", lamp);
    const url = `${page(behavior)}${query}`;
    const { extras } = await run("parse", { url, prompt, schema });
    expect(extras?.rendered).toBe(rendered);
    const [text] = await texts();
    expect(text).toContain(words);
    expect(text).toContain(`url: ${new URL(url).origin}`);
  });

  it("is data if it becomes another kind of page when it is rendered", async () => {
    const body =
      "<div id=app></div><script>document.querySelector('#app').textContent = 'Rendered words of the page';</script>";
    const { prompt, texts } = mark("good", lamp);
    await run("parse", { url: `${page("type")}?${new URLSearchParams({ type: "text/html", body })}`, prompt, schema });
    expect((await texts())[0]).toContain("Rendered words of the page");
  });

  it.each([
    ["html", { html: "<html><body><script>1</script></body></html>" }],
    ["an empty text", { url: `${page("type")}?type=text/plain&body=+` }],
    ["a page that is empty after rendering", { url: page("empty") }],
  ])("isn't sent to the model if it has no text: %s", async (_, source) => {
    const { prompt, requests } = mark("good", lamp);
    expect((await runFailing("parse", { ...source, prompt })).code).toBe("unusable_page");
    expect(await requests()).toEqual([]);
  });

  it("is sent without text if it has structured data", async () => {
    const { prompt, texts } = mark("good", lamp);
    const product = JSON.stringify({ "@type": "Product", name: "Tide lamp", price: 19.5 });
    await run("parse", { html: `<script type="application/ld+json">${product}</script>`, prompt, schema });
    expect((await texts())[0]).toContain("Tide lamp");
  });

  it("holds the memory of its page until the model is called", async () => {
    const calls: unknown[] = [];
    const acquireLargeLock = async (bytes?: number) => void calls.push(bytes);
    const releaseLargeLock = () => void calls.push("released");
    await run("parse", { html, prompt: mark("good", lamp).prompt }, { acquireLargeLock, releaseLargeLock });
    expect(calls).toEqual([html.length, "released"]);
  });
});

describe("invalid output", () => {
  it("is requested again once, with its problems, and the usage counts both requests", async () => {
    const { prompt, texts } = mark("violate-once", lamp);
    const { data, extras } = await run("parse", { html, prompt, schema });
    expect([data, extras?.usage]).toMatchObject([lamp, { model_calls: 2, input_tokens: 240, output_tokens: 60 }]);
    const [first = "", second = ""] = await texts();
    expect(first).not.toContain("not a number");
    expect(second).toContain("- /price: ");
    expect(second).toContain("not a number");
  });

  it.each([
    ["violate", 2, "schema_mismatch", "gpt-5.4-mini returned data that doesn't match the schema, twice: /price: "],
    ["garbage", 2, "schema_mismatch", "twice: The answer is not valid JSON: "],
    ["empty", 2, "schema_mismatch", "twice: The model's answer is empty."],
    ["truncated", 1, "schema_mismatch", "was cut off at its token limit"],
    ["refuse", 1, "model_refused", ""],
  ])("fails the run: %s", async (behavior, calls, code, words) => {
    const { prompt, requests } = mark(behavior, lamp);
    const error = await runFailing("parse", { html, prompt, schema });
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(await requests()).toHaveLength(calls);
  });

  it("is output that lacks a required property of a page in one part", async () => {
    const { prompt, requests } = mark("good", { name: "Tide lamp" });
    expect((await runFailing("parse", { html, prompt, schema })).code).toBe("schema_mismatch");
    expect(await requests()).toHaveLength(2);
  });

  it("names the caller's pointer if quotes were requested", async () => {
    const { prompt, texts } = mark("good", { data: { name: "Tide lamp", price: "19.50" }, evidence: [] });
    const error = await runFailing("parse", { html, prompt, schema, evidence: true });
    expect(error.message).toContain("twice: /price: ");
    expect((await texts())[1]).toContain("- /data/price: ");
  });
});

describe("output that is cut off", () => {
  const ledger = (lines: number) => `<main><h1>Ledger</h1>${`<p>${line}</p>`.repeat(lines)}</main>`;

  it("is requested again without a repair, in four times as many parts", async () => {
    const { prompt, requests, texts } = mark("truncated-once", { items: ["a"] });
    const { data, extras } = await run("parse", { html: ledger(150), prompt }, limitedTo(5_000));
    expect(data).toEqual({ items: ["a"] });
    expect(extras?.parts).toBeGreaterThanOrEqual(3);
    expect(extras?.parts).toBeLessThanOrEqual(5);
    expect(await requests()).toHaveLength(1 + Number(extras?.parts));
    expect((await texts()).filter((text) => text.includes('"assistant"'))).toEqual([]);
  });

  it("fails the run if the smaller parts would lack the end of the page", async () => {
    const { prompt } = mark("truncated-once", { items: ["a"] });
    const error = await runFailing("parse", { html: ledger(150), prompt }, limitedTo(1_000));
    expect(error).toMatchObject({ code: "schema_mismatch", message: expect.stringContaining("was cut off") });
  });

  it("fails the run if the page can't be split into more parts", async () => {
    const { prompt, requests } = mark("truncated-once", lamp);
    expect((await runFailing("parse", { html, prompt })).message).toContain("was cut off");
    expect(await requests()).toHaveLength(1);
  });
});

describe("a page in parts", () => {
  const ship = { type: "object", properties: { n: { type: "string" }, p: { type: "number" } }, required: ["n", "p"] };
  const ships = { type: "object", properties: { items: { type: "array", items: ship } }, required: ["items"] };
  const long = `<pre>Ada ship. Berta ship. Berta costs 2. Cora costs 3.\n${line.repeat(60)}</pre>`;
  const inParts = (parts: unknown[], repaired: unknown, behavior = "in-parts") => mark(behavior, { parts, repaired });

  it("is sent as parts of PARSE_MAX_INPUT_TOKENS, but of 500 tokens at least", async () => {
    const text = `<pre>${line.repeat(60)}</pre>`;
    const partsOf = async (tokens: number) =>
      (await run("parse", { html: text, prompt: mark("good", { a: 1 }).prompt }, limitedTo(tokens))).extras;
    expect(await partsOf(3_000)).toMatchObject({ parts: 1 });
    const [small, smallest] = [await partsOf(500), await partsOf(1)];
    expect(small?.parts).toBeGreaterThan(2);
    expect(smallest?.parts).toBe(small?.parts);
    expect(small).not.toHaveProperty("truncated");
  });

  it("has at most eight parts, and says that it was truncated", async () => {
    const text = `<pre>${line.repeat(400)}</pre>`;
    const { prompt, requests } = mark("good", { a: 1 });
    const { extras } = await run("parse", { html: text, prompt }, limitedTo(500));
    expect(extras).toMatchObject({ parts: 8, truncated: true, usage: { model_calls: 8, input_tokens: 8 * 120 } });
    expect(await requests()).toHaveLength(8);
    expect(8).toBeGreaterThan(MODEL_CONNECTIONS);
  });

  it("is merged, and each part may lack required properties", async () => {
    const { prompt, texts } = inParts([{ items: [{ n: "Berta", p: 2 }] }, {}], null);
    const { data, extras } = await run("parse", { html: long, prompt, schema: ships }, limitedTo(850));
    expect([data, extras?.parts]).toEqual([{ items: [{ n: "Berta", p: 2 }] }, 2]);
    expect((await texts()).filter((text) => text.includes("of 2 of the page"))).toHaveLength(2);
  });

  it("is repaired once if the merged data is invalid, and quotes stay with their values", async () => {
    const parts = [
      {
        data: { items: [{ n: "Ada" }, { n: "Berta", p: 2 }] },
        evidence: [
          { pointer: "/items/0/n", quote: "Ada ship" },
          { pointer: "/items/1/p", quote: "Berta costs 2" },
        ],
      },
      { data: { items: [{ n: "Cora", p: 3 }] }, evidence: [{ pointer: "/items/0/p", quote: "Cora costs 3" }] },
    ];
    const repaired = {
      items: [
        { n: "Berta", p: 2 },
        { n: "Cora", p: 3 },
      ],
    };
    const { prompt, texts } = inParts(parts, repaired);
    const { data, extras } = await run("parse", { html: long, prompt, schema: ships, evidence: true }, limitedTo(850));
    expect(data).toEqual(repaired);
    expect(extras).toMatchObject({
      parts: 2,
      usage: { model_calls: 3 },
      evidence: {
        "/items/0/p": { quote: "Berta costs 2", verified: true },
        "/items/1/p": { quote: "Cora costs 3", verified: true },
      },
      unverified: [],
    });
    expect((await texts()).at(-1)).toContain("- /items/0");
  });

  it.each([
    ["in-parts", { items: [{ n: "Ada", p: 7 }] }, "The page has no value for /items/0/p, which the schema requires."],
    ["in-parts", { items: [{ n: "Ada" }] }, "and gpt-5.4-mini could not repair it: /items/0"],
    ["in-parts-cut", { items: [{ n: "Ada", p: 2 }] }, "and is too long to repair: /items/0"],
  ])("fails without another repair: %s %j", async (behavior, repaired, words) => {
    const { prompt, requests } = inParts([{ items: [{ n: "Ada" }] }, { items: [] }], repaired, behavior);
    const error = await runFailing("parse", { html: long, prompt, schema: ships }, limitedTo(850));
    expect(error).toMatchObject({ code: "schema_mismatch", message: expect.stringContaining(words) });
    expect(await requests()).toHaveLength(3);
  });

  it("fails without a repair if the merged data is longer than a part", async () => {
    const { prompt, requests } = mark("many", { items: 300 });
    const error = await runFailing("parse", { html: long, prompt, schema: ships }, limitedTo(850));
    expect(error).toMatchObject({ code: "schema_mismatch", message: expect.stringContaining("is too long to repair") });
    expect(await requests()).toHaveLength(2);
  });

  it("fails as a whole if one part fails", async () => {
    const { prompt } = inParts([{ items: [] }, { items: "none" }], null);
    const error = await runFailing("parse", { html: long, prompt, schema: ships }, limitedTo(850));
    expect(error).toMatchObject({ code: "schema_mismatch", message: expect.stringContaining("twice: /items") });
  });
});

describe("evidence", () => {
  const output = {
    data: { name: "Tide lamp", price: 1234 },
    evidence: [
      { pointer: "/name", quote: "Tide   LAMP" },
      { pointer: "/price", quote: "It costs 1,234 EUR" },
    ],
  };

  it("is verified if it is requested", async () => {
    const { data, extras } = await run("parse", { html, prompt: mark("good", output).prompt, schema, evidence: true });
    expect(data).toEqual(output.data);
    expect(extras).toMatchObject({
      evidence: {
        "/name": { quote: "Tide   LAMP", verified: true },
        "/price": { quote: "It costs 1,234 EUR", verified: false },
      },
      unverified: ["/price"],
    });
  });

  it("is missing if it isn't requested", async () => {
    const { extras } = await run("parse", { html, prompt: mark("good", lamp).prompt, schema });
    expect(extras).not.toHaveProperty("evidence");
    expect(extras).not.toHaveProperty("unverified");
  });
});
