import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { createClient, ORIGIN } from "../support/client";
import { recordLines } from "../support/lines";
import { createWorkersAi, type Reply, USAGE } from "../support/workers-ai";

const MODEL = "@cf/google/gemma-4-26b-a4b-it";
const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
  required: ["name", "price"],
};
const html = `<!doctype html><title>Lamps</title><main><h1>Tide lamp</h1>
<p>A lamp that follows the tide, made in small numbers. It costs 19.50 EUR and is in stock.</main>`;
const lamp = { name: "Tide lamp", price: 19.5 };

/** Parses the page in a fresh deployment: no provider has a key, and Workers AI is bound. */
async function parse(replies: [Reply, ...Reply[]], more: object = {}) {
  const { binding, calls } = createWorkersAi(...replies);
  const client = await createClient();
  const request = new Request(`${ORIGIN}/v1/parse?wait=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${client.secret}`, "content-type": "application/json" },
    body: JSON.stringify({ html, prompt: "The product and its price.", schema, ...more }),
  });
  const ctx = createExecutionContext();
  const bindings = { ...env, OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "", AI: binding } as Env;
  const response = await app.fetch(request, bindings, ctx);
  const body = await response.json<{ data: unknown; meta: object; error: { message: string } }>();
  await waitOnExecutionContext(ctx);
  return { status: response.status, ...body, calls };
}

describe("a parse of a fresh deployment", () => {
  it("uses Workers AI", async () => {
    const { status, data, meta, calls } = await parse([{ answer: JSON.stringify(lamp) }]);
    expect([status, data]).toEqual([200, lamp]);
    expect(meta).toMatchObject({ model_used: MODEL, credits_used: 5, usage: { ...USAGE, model_calls: 1 } });
    expect(JSON.stringify(calls[0]?.inputs.messages)).toContain("It costs 19.50 EUR");
    expect((await parse([{ answer: JSON.stringify(lamp) }], { model: MODEL })).status).toBe(200);
  });

  it("repairs an answer that isn't valid against the schema", async () => {
    const { data, calls } = await parse([{ answer: '{"name": "Tide lamp"}' }, { older: lamp }]);
    expect(data).toEqual(lamp);
    expect(calls).toHaveLength(2);
  });

  it("survives a moment without capacity, and a model without JSON output", async () => {
    recordLines();
    const { status, calls } = await parse([{ code: 5025 }, { code: 3040 }, { answer: JSON.stringify(lamp) }]);
    expect([status, calls.length]).toEqual([200, 3]);
  });

  it("fails without a charge if the daily allocation is used up", async () => {
    recordLines();
    const { status, error, meta } = await parse([{ code: 3036 }]);
    expect(status).toBe(502);
    const message = `The model ${MODEL} (Workers AI) is used up for today, because the Cloudflare account has no more free allocation.`;
    expect(error).toMatchObject({ code: "model_failed", message, retryable: false });
    expect(meta ?? { credits_used: 0 }).toMatchObject({ credits_used: 0 });
  });

  it("names the model if a request selects one without a key", async () => {
    const { status, error } = await parse([{ answer: "{}" }], { model: "gpt-5.4-mini" });
    expect(status).toBe(400);
    expect(error.message).toContain(`must be '${MODEL}'; the model 'gpt-5.4-mini' has no API key`);
  });
});
