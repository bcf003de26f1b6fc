import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, vi } from "vitest";
import { makePage } from "../../lab/memory/pages";
import { ParseRequest } from "../../src/contract/parse";
import { ScrapeRequest } from "../../src/contract/scrape";
import { runParse } from "../../src/endpoints/parse/run-parse";
import { runScrape } from "../../src/endpoints/scrape/run-scrape";
import type { ClaimedJob } from "../../src/model/job";
import { toPrices } from "../../src/model/prices";
import type { RunContext } from "../../src/model/run-context";
import type { RunPlan } from "../../src/model/run-plan";

// The runs load no page from the internet.
vi.mock("cloudflare:sockets", () => ({ connect: null }));

const MB = 1_000_000;
/** The prompts and the text of the page need less than 5 MB. The parsed page needs more than 25 MB. */
const MAX_TEXT_MB = 12;
const page = makePage("data table", 0.3 * MB);
const file = { name: "table.html", content_type: "text/html", size: page.byteLength };
const json = {
  prompt: "Is it open?",
  schema: { type: "object", properties: { open: { type: "boolean" } }, required: ["open"] },
};

function heapMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / MB;
}

/** Returns the context of a run with a model. Before its first answer, the model measures the heap. */
function openContext(plan: Partial<RunPlan> = {}) {
  let size: number | null = null;
  const answer = async (_model: string, { messages }: { messages: { content: string }[] }) => {
    // The functions that called the model must have returned to their callers.
    await setImmediate();
    size ??= heapMb();
    const isSummary = messages.some(({ content }) => content.includes("Summarize the page"));
    const data = isSummary ? { paragraphs: ["A table of harbors."] } : { open: true };
    return Response.json({ choices: [{ message: { content: JSON.stringify(data) }, finish_reason: "stop" }] });
  };
  const env = { AI: { run: answer }, STORE: { get: async () => new Response(page) } } as unknown as Env;
  const job = { id: "1", run: 1, plan: { method: "given_file", lines: [], ...plan }, prices: toPrices(env) };
  const context: RunContext = {
    env,
    job: job as unknown as ClaimedJob,
    signal: new AbortController().signal,
    acquireLargeLock: async () => {},
    releaseLargeLock: () => {},
    findCapture: async () => null,
    loadFoundPages: async () => ({ batchId: null, creditsUsed: 0, pages: [] }),
  };
  return { context, heapDuringCall: () => size };
}

it.each([
  ["the HTML of the request", "model", { html: page.toString() }],
  ["a file", "model", { file }],
  ["a file", "auto", { file }],
] as const)(
  "a parse of %s with the strategy %s keeps no parsed page while a model answers",
  async (_, strategy, source) => {
    const before = heapMb();
    const { context, heapDuringCall } = openContext({ strategy });
    const { html: _html, ...request } = ParseRequest.parse({ ...json, html: "x" });
    const { data } = await runParse({ ...request, ...source }, context);
    expect(data).toEqual({ open: true });
    expect(heapDuringCall()).toBeLessThan(before + MAX_TEXT_MB);
  },
);

it("a scrape keeps no parsed page while a model answers", async () => {
  const before = heapMb();
  const { context, heapDuringCall } = openContext({ strategy: "auto" });
  const request = ScrapeRequest.parse({ url: "https://a.example/", formats: ["json", "summary", "markdown"], json });
  const { url: _url, ...options } = request;
  const { data } = await runScrape({ ...options, file }, context);
  expect(data).toMatchObject({ json: { open: true }, summary: expect.stringContaining("A table of harbors.") });
  expect(heapDuringCall()).toBeLessThan(before + MAX_TEXT_MB);
});
