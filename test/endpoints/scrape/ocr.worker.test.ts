import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { validateBody } from "../../../src/endpoints/validate";
import type { Mode } from "../../../src/model/api-key";
import { toPrices } from "../../../src/model/prices";
import { createClient, ORIGIN, page, read, site } from "../../support/client";
import type { LoggedModelRequest } from "../../support/models";
import { run } from "../../support/run-endpoint";
import type { ScanSpec } from "../../support/scans";
import { createWorkersAi } from "../../support/workers-ai";

afterEach(() => vi.restoreAllMocks());

const SCRAPE = { item: "scrape", credits: 1 };
const NO_MODELS = { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" };

function scan(pages: ScanSpec): string {
  return `${page("scan")}?${new URLSearchParams({ pages: JSON.stringify(pages) })}`;
}

/** Returns the mark of an image whose text a model reads as `markdown`. */
function mark(
  markdown: string,
  { behavior = "good", id = crypto.randomUUID() as string, readable = true } = {},
): string {
  return `[[${behavior} ${id} ${JSON.stringify({ readable, markdown })}]]`;
}

async function modelRequests(id: string): Promise<LoggedModelRequest[]> {
  return await (await fetch(`${site}/__model-requests?path=${id}`)).json();
}

describe("the scanned pages of a PDF", () => {
  it("are read by a model in the order of the document, and only they are charged", async () => {
    const url = scan([
      { jpegs: [mark("# Harbour\n\nA first page with a [map](https://a.example/map).")] },
      { text: "A page with text." },
      { flate: mark("| Day | Height |\n|---|---|\n| Monday | 1.25 m |") },
    ]);
    const { data, extras, outcome, lines } = await run("scrape", { url, ocr: true, page_markers: true });
    expect(data.markdown).toBe(
      "<!-- page 1 -->\n\n# Harbour\n\nA first page with a [map](https://a.example/map).\n\n<!-- page 2 -->\n\nA page with text.\n\n<!-- page 3 -->\n\n| Day | Height |\n| --- | --- |\n| Monday | 1.25 m |",
    );
    expect(outcome).toBe("ok");
    expect(extras).toMatchObject({
      pages: { total: 3, read: "1-3" },
      ocr: { model: "gpt-5.4-mini", pages_read: "1,3" },
    });
    expect(extras).not.toHaveProperty("needs_ocr");
    expect(lines).toEqual([SCRAPE, { item: "ocr", credits: 2 }]);
  });

  it("give a parse its values and their evidence", async () => {
    const url = scan([{ jpegs: [mark("The lamp burns 14 litres.")] }]);
    const answer = { data: { value: "14 litres" }, evidence: [{ pointer: "/value", quote: "burns 14 litres" }] };
    const schema = { type: "object", properties: { value: { type: "string" } }, required: ["value"] };
    const prompt = `The value. [[good ${crypto.randomUUID()} ${JSON.stringify(answer)}]]`;
    const { data, extras, lines } = await run("parse", { url, prompt, schema, evidence: true, ocr: true });
    expect(data).toEqual({ value: "14 litres" });
    expect(extras).toMatchObject({ evidence: { "/value": { verified: true } }, ocr: { pages_read: "1" } });
    expect(lines).toEqual([
      { item: "parse", credits: 5 },
      { item: "ocr", credits: 1 },
    ]);
  });

  it("don't hold up other large jobs while the model reads them, and count its tokens", async () => {
    const url = scan([{ jpegs: [mark("One")] }, { jpegs: [mark("Two")] }]);
    const calls: string[] = [];
    const { extras } = await run(
      "scrape",
      { url, ocr: true },
      {
        acquireLargeLock: async (bytes?: number) => void (bytes === undefined && calls.push("acquire")),
        releaseLargeLock: () => void calls.push("release"),
      },
    );
    expect(calls).toEqual(["acquire", "release", "acquire", "release", "acquire"]);
    expect(extras?.ocr).toMatchObject({ usage: { input_tokens: 240, output_tokens: 60 } });
  });

  it("become text, even if the model returns HTML or links to scripts", async () => {
    const url = scan([{ jpegs: [mark("A [run](javascript:alert(2)) of <b>x</b>.\n\n<script>alert(1)</script>")] }]);
    const { data } = await run("scrape", { url, formats: ["clean_html", "text"], ocr: true });
    expect(data.text).toBe("A run of <b>x</b>.\n\n<script>alert(1)</script>");
    expect(data.clean_html).not.toMatch(/<(?:script|b|a)\b/);
  });

  it("are unread and free if a model can't read them, and the other pages are returned", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const url = scan([
      { fax: true },
      { jpegs: ['[[good a {"markdown":" "}]]'] },
      { jpegs: [mark("Lo siento, no puedo leer esta imagen.", { id: "a", readable: false })] },
      { loop: "again and again " },
      ...["refuse", "garbage", "no-retry"].map((behavior) => ({ jpegs: [`[[${behavior}]]`] })),
      { jpegs: ["", "", "", "", ""] },
      { jpegs: [mark("The last page.", { id: "a" })] },
    ]);
    const { data, extras, lines } = await run("scrape", { url, ocr: true });
    expect(data.markdown).toBe("The last page.");
    expect(extras?.ocr).toEqual({
      model: "gpt-5.4-mini",
      usage: expect.any(Object),
      pages_read: "9",
      pages_unread: [
        { pages: "1", reason: "image_format" },
        { pages: "8", reason: "too_many_images" },
        { pages: "2-7", reason: "model" },
      ],
    });
    expect(lines).toEqual([SCRAPE, { item: "ocr", credits: 1 }]);
  });

  it("fail the job if the model doesn't respond and there is no other text", async () => {
    const down = { jpegs: [mark("A page", { behavior: "error-500" })] };
    const { scrape } = await createClient();
    const { error, meta } = await read(await scrape({ url: scan([down]), ocr: true }));
    expect([error.code, error.retryable, meta?.credits_used ?? 0]).toEqual(["model_failed", true, 0]);
    const { extras } = await run("scrape", { url: scan([{ text: "A page with text." }, down]), ocr: true });
    expect(extras).toMatchObject({ outcome: "ok", ocr: { pages_unread: [{ pages: "2", reason: "model" }] } });
  });

  it("are free together with the document if none of them can be read", async () => {
    const { scrape } = await createClient();
    const { data, meta } = await read(await scrape({ url: scan([{ fax: true }]), ocr: true }));
    expect(data).toEqual({ markdown: "" });
    expect(meta).toMatchObject({ outcome: "empty", needs_ocr: true, credits_used: 0, ocr: { pages_read: "" } });
    expect(meta).not.toHaveProperty("hint");
  });

  it("are read up to the 20th", async () => {
    const id = crypto.randomUUID();
    const url = scan([{ jpegs: [mark("A page", { id })], repeat: 22 }]);
    const { extras, lines } = await run("scrape", { url, ocr: true });
    expect(extras?.ocr).toMatchObject({
      pages_read: "1-20",
      pages_unread: [{ pages: "21-22", reason: "page_limit" }],
    });
    expect(lines).toEqual([SCRAPE, { item: "ocr", credits: 20 }]);
    expect(await modelRequests(id)).toHaveLength(20);
  });

  it("aren't read without the parameter, and a blank PDF needs no model", async () => {
    const id = crypto.randomUUID();
    const { extras } = await run("scrape", { url: scan([{ jpegs: [mark("A page", { id })] }]) });
    expect(extras).toMatchObject({ outcome: "empty", needs_ocr: true });
    expect(extras).not.toHaveProperty("ocr");
    const blank = await run("scrape", { url: `${page("pdf")}?kind=blank`, ocr: true });
    expect(blank.extras).toMatchObject({
      outcome: "empty",
      outcome_reason: "The PDF has no text and no images.",
    });
    expect(blank.extras).not.toHaveProperty("needs_ocr");
    expect(await modelRequests(id)).toEqual([]);
  });
});

describe("the model for scans", () => {
  it.each([
    ["openai/gpt-5.4", "openai", "gpt-5.4", "image_url"],
    ["anthropic", "anthropic", "claude-haiku-4-5", "base64"],
  ])("is that of MODEL_OCR, and gets the images in its own form: %s", async (MODEL_OCR, provider, model, form) => {
    const id = crypto.randomUUID();
    const url = scan([{ jpegs: [mark("Two strips", { id }), mark("", { id })] }]);
    const { data, extras } = await run("scrape", { url, ocr: true }, { bindings: { MODEL_OCR } as never });
    expect(data.markdown).toBe("Two strips");
    expect(extras?.ocr).toMatchObject({ model });
    const requests = await modelRequests(id);
    expect(requests).toMatchObject([{ provider, broken: null, body: { model } }]);
    expect(JSON.stringify(requests[0]?.body).split(form)).toHaveLength(form === "image_url" ? 5 : 3);
  });

  it("can be one of Workers AI", async () => {
    const { binding, calls } = createWorkersAi({ answer: '{"markdown":"A page"}' });
    const bindings = { ...NO_MODELS, AI: binding } as never;
    const { data } = await run("scrape", { url: scan([{ jpegs: ["x"] }]), ocr: true }, { bindings });
    expect(data.markdown).toBe("A page");
    expect(calls).toMatchObject([
      {
        model: "@cf/google/gemma-4-26b-a4b-it",
        inputs: {
          messages: [
            { role: "system" },
            {
              role: "user",
              content: [
                { type: "image_url", image_url: { url: expect.stringMatching(/^data:image\/jpeg;base64,/) } },
                { type: "text" },
              ],
            },
          ],
        },
      },
    ]);
  });

  const validate = (bindings: object, mode: Mode = "live", body: object = {}) => {
    const all = { ...env, ...bindings } as Env;
    const context = { env: all, mode, origin: ORIGIN, prices: toPrices(all) };
    return validateBody("scrape", { url: "https://a.example/", ocr: true, ...body }, context);
  };

  it.each([[NO_MODELS], [{ MODEL_OCR: "none" }], [{ ANTHROPIC_API_KEY: "", MODEL_OCR: "anthropic" }]])(
    "is required by a live key: %j",
    (bindings) => {
      expect(() => validate(bindings)).toThrow(
        expect.objectContaining({
          code: "not_configured",
          hint: expect.stringMatching(/OPENAI_API_KEY or ANTHROPIC_API_KEY.*MODEL_OCR/),
        }),
      );
      expect(() => validate(bindings, "test")).not.toThrow();
    },
  );

  it.each([
    [{}, 20],
    [{ pages: "1-3,7" }, 4],
    [{ pages: "5-" }, 20],
    [{ pages: "1-30" }, 20],
  ])("has a highest price for the selected pages: %j", (body, pages) => {
    const { lines } = validate({ CREDITS_OCR: "3" }, "live", body).plan;
    expect(lines).toEqual([SCRAPE, { item: "ocr", credits: 3 * pages }]);
  });

  it("isn't called for a test key, which gets a mock result", async () => {
    const { extras, lines } = await run("scrape", { url: "https://a.example/", ocr: true }, { mode: "test" });
    expect(extras).toMatchObject({ ocr: { model: "gpt-5.4-mini", pages_read: "1" } });
    expect(lines).toEqual([SCRAPE, { item: "ocr", credits: 1 }]);
  });
});
