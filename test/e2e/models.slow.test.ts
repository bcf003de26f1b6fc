import { createServer } from "node:http";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare, type RemoteProxyConnectionString } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Loopback, listen } from "../support/loopback.ts";
import { type Models, startModels } from "../support/models.ts";
import { readBody } from "../support/read-body.ts";
import { sendJson } from "../support/responses.ts";

/**
 * This Worker is bundled and runs in workerd without the test runner. Outside of the test runner, workerd forbids
 * compiling code from strings.
 */
const WORKER = `
  import { availableModels } from "./src/models/models";
  const properties = { name: { type: "string" } };
  const schema = { type: "object", properties, required: ["name"], additionalProperties: false };
  export default {
    async fetch(request, env) {
      const turns = [{ role: "user", text: await request.text() }];
      const body = { system: "You extract data.", turns, schema };
      const complete = async (model) => [model.id, await model.complete(body, request.signal).catch(({ code }) => code)];
      return Response.json(Object.fromEntries(await Promise.all(availableModels(env).configured.map(complete))));
    },
  };`;

const WORKERS_AI = "@cf/google/gemma-4-26b-a4b-it";

let models: Models;
let workersAi: Loopback;
/** The requests that workerd's AI binding sent: its address, the model and the body. */
const sent: { url: unknown; model: unknown; body: { inputs: object; options: object } }[] = [];
let runtime: Miniflare;

beforeAll(async () => {
  models = await startModels();
  workersAi = await startWorkersAi();
  const { outputFiles } = await build({
    stdin: { contents: WORKER, resolveDir: process.cwd(), loader: "js" },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
  });
  runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: [{ type: "ESModule", path: "index.mjs", contents: outputFiles[0]?.text ?? "" }],
      compatibilityDate: "2026-10-01",
      compatibilityFlags: ["nodejs_compat"],
      // Miniflare sends the requests of the binding to this address.
      ai: { binding: "AI", remoteProxyConnectionString: new URL(workersAi.origin) as RemoteProxyConnectionString },
      bindings: {
        OPENAI_API_KEY: "a",
        OPENAI_BASE_URL: `${models.origin}/v1`,
        ANTHROPIC_API_KEY: "b",
        ANTHROPIC_BASE_URL: models.origin,
      },
    }),
  );
});

afterAll(async () => {
  await runtime.dispose();
  models.close();
  workersAi.close();
});

/** Starts a stand-in for the service behind the AI binding. Its first response is an error, as without capacity. */
async function startWorkersAi(): Promise<Loopback> {
  const error = {
    internalCode: 3040,
    name: "AiError",
    description: "Capacity temporarily exceeded, please try again.",
  };
  const choices = [{ message: { content: '{"name":"a name"}' }, finish_reason: "stop" }];
  return await listen(
    createServer(async (request, response) => {
      const { "mf-url": url, "mf-header-cf-consn-model-id": model } = request.headers;
      sent.push({ url, model, body: JSON.parse(String(await readBody(request))) });
      if (sent.length === 1) sendJson(response, error, { status: 429 });
      else sendJson(response, { choices, usage: { prompt_tokens: 3, completion_tokens: 4 } });
    }),
  );
}

it("Workers AI works with workerd's own binding, also after an error", async () => {
  const response = await runtime.dispatchFetch("http://worker/", { method: "POST", body: "[[good]]" });
  const usage = { input_tokens: 3, output_tokens: 4 };
  expect(await response.json()).toMatchObject({ [WORKERS_AI]: { text: '{"name":"a name"}', usage, truncated: false } });
  const request = {
    url: "https://workers-binding.ai/run?version=3",
    model: WORKERS_AI,
    body: { inputs: { stream: false, response_format: { type: "json_schema" } }, options: { returnRawResponse: true } },
  };
  expect(sent).toMatchObject([request, request]);
});

it.each([
  ["good", expect.objectContaining({ text: '{"name":"a name"}' })],
  ["unstreamed", expect.objectContaining({ text: '{"name":"a name"}' })],
  ["refuse", "model_refused"],
  ["error-401", "model_failed"],
])("both SDKs work in the bundled Worker: %s", async (behavior, outcome) => {
  const response = await runtime.dispatchFetch("http://worker/", { method: "POST", body: `[[${behavior}]]` });
  expect(await response.json()).toMatchObject({ "gpt-5.4-mini": outcome, "claude-haiku-4-5": outcome });
});
