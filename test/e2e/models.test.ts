import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Models, startModels } from "../support/models.ts";

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

let models: Models;
let runtime: Miniflare;

beforeAll(async () => {
  models = await startModels();
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
});

it.each([
  ["good", expect.objectContaining({ text: '{"name":"a name"}' })],
  ["unstreamed", expect.objectContaining({ text: '{"name":"a name"}' })],
  ["refuse", "model_refused"],
  ["error-401", "model_failed"],
])("both SDKs work in the bundled Worker: %s", async (behavior, outcome) => {
  const response = await runtime.dispatchFetch("http://worker/", { method: "POST", body: `[[${behavior}]]` });
  expect(await response.json()).toEqual({ "gpt-5.4-mini": outcome, "claude-haiku-4-5": outcome });
});
