import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { availableModels, chooseModel } from "../../src/models/models";
import type { ModelRequest, ModelTimeouts } from "../../src/models/provider";
import { createWorkersAi, type Reply, USAGE } from "../support/workers-ai";

afterEach(() => vi.restoreAllMocks());

const MODEL = "@cf/google/gemma-4-26b-a4b-it";
const TIMEOUTS: ModelTimeouts = { idleMs: 15_000, answerMs: 20_000, retryMs: 10_000, retryDelaysMs: [1, 1] };
const SCHEMA = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
  additionalProperties: false,
};
const REQUEST: ModelRequest = {
  system: "You extract data.",
  turns: [{ role: "user", text: "Tide lamp" }],
  schema: SCHEMA,
};
const GOOD = { answer: '{"name":"Tide lamp"}' };
const ADDRESS = "https://api.cloudflare.com/client/v4/accounts/0123456789abcdef0123456789abcdef/ai/v1";

/** Returns a model that calls the stand-in, and the calls so far. */
function connect(replies: [Reply, ...Reply[]], { timeouts = TIMEOUTS, variables = {} } = {}) {
  const { binding, calls, fetchCompletion } = createWorkersAi(...replies);
  const bindings = { ...env, OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "", AI: binding, ...variables } as Env;
  const model = chooseModel(availableModels(bindings, timeouts), undefined);
  const complete = (request = REQUEST, signal = new AbortController().signal) => model.complete(request, signal);
  return { model, calls, complete, fetchCompletion };
}

async function failureOf(...replies: [Reply, ...Reply[]]) {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { complete, calls } = connect(replies);
  const error = await complete().catch((thrown: unknown) => thrown);
  return { error, calls };
}

describe("the binding", () => {
  it("gets a documented request and returns the answer with its usage", async () => {
    const { model, complete, calls } = connect([GOOD]);
    expect(model.id).toBe(MODEL);
    expect(await complete()).toEqual({ text: GOOD.answer, usage: USAGE, truncated: false });
    expect(calls).toMatchObject([
      {
        model: MODEL,
        inputs: {
          messages: [{ role: "system" }, { role: "user", content: "Tide lamp" }],
          response_format: { type: "json_schema", json_schema: { name: "extraction", schema: SCHEMA, strict: true } },
          chat_template_kwargs: { enable_thinking: false },
          max_completion_tokens: 16_384,
          stream: false,
        },
      },
    ]);
  });

  it("has the schema in the prompt too, because older models read it only there", async () => {
    const { complete, calls } = connect([GOOD]);
    await complete();
    expect(JSON.stringify(calls[0]?.inputs.messages)).toContain("It must be valid against this JSON Schema");
  });

  it.each<[string, Reply, object]>([
    ["of an older model as parsed JSON", { older: { name: "Tide lamp" } }, { text: '{"name":"Tide lamp"}' }],
    ["of an older model as text", { older: '{"name":"x"}' }, { text: '{"name":"x"}' }],
    ["in a code fence", { answer: '```json\n{"name":"x"}\n```' }, { text: '{"name":"x"}' }],
    ["that was cut off", { answer: '{"name":', end: "length" }, { truncated: true }],
    [
      "that the REST API wraps",
      { status: 200, body: JSON.stringify({ success: true, errors: [], result: { response: "{}" } }) },
      { text: "{}", usage: { input_tokens: 0, output_tokens: 0 } },
    ],
  ])("returns an answer %s", async (_, reply, expected) => {
    expect(await connect([reply]).complete()).toMatchObject(expected);
  });

  it("is called without a JSON schema, and then without a format, if the model doesn't support them", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    for (const refusal of [
      { code: 5025 },
      { code: 5023 },
      { status: 200, body: JSON.stringify({ errors: [{ message: "JSON Mode couldn't be met" }] }) },
      { status: 400, body: JSON.stringify({ internalCode: 5006, description: "Error: oneOf at '/' not met" }) },
    ]) {
      const { complete, calls } = connect([refusal, refusal, GOOD]);
      expect(await complete()).toMatchObject({ text: GOOD.answer });
      expect(calls.map(({ inputs }) => (inputs.response_format as { type: string } | undefined)?.type)).toEqual([
        "json_schema",
        "json_object",
        undefined,
      ]);
    }
  });

  it("accepts any object if there is no schema", async () => {
    const { complete, calls } = connect([{ answer: "{}" }]);
    await complete({ ...REQUEST, schema: null });
    expect(calls[0]?.inputs.response_format).toEqual({ type: "json_object" });
  });

  it.each([3007, 3021, 3040])("is called again after the temporary error %i", async (code) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { complete, calls } = connect([{ code }, { code }, GOOD]);
    expect(await complete()).toMatchObject({ text: GOOD.answer });
    expect(calls).toHaveLength(3);
  });

  it("waits as long as Retry-After says", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { complete, calls } = connect([{ code: 3040, headers: { "retry-after": "60" } }, GOOD]);
    await expect(complete()).rejects.toMatchObject({ code: "model_failed", retryable: true });
    expect(calls).toHaveLength(1);
  });

  it.each<[Reply, string, boolean, number]>([
    [{ code: 3040 }, "responded with status 429", true, 3],
    [{ code: 3036 }, "is used up for today, because the Cloudflare account has no more free allocation", false, 1],
    [
      { code: 4006, text: "you have used up your daily free allocation of 10,000 neurons" },
      "is used up for today, because the Cloudflare account has no more free allocation",
      false,
      1,
    ],
    [
      { code: 4006, text: "no neurons are left" },
      "is used up for today, because the Cloudflare account has no more free allocation",
      false,
      1,
    ],
    [{ code: 5007 }, "doesn't exist", false, 1],
    [{ code: 5016 }, "responded with status 403", false, 1],
    [{ code: 3006 }, "responded with status 413", false, 1],
    [{ code: 5021 }, "was sent more tokens than it accepts (status 400)", false, 1],
    [{ status: 502, body: "<h1>Bad gateway</h1>" }, "responded with status 502", true, 3],
    [{ status: 200, body: "not JSON" }, "disconnected in the middle of its answer", true, 3],
    [{ answer: "", end: null }, "disconnected in the middle of its answer", true, 3],
  ])("reports %j", async (reply, message, retryable, count) => {
    const { error, calls } = await failureOf(reply);
    expect(error).toMatchObject({
      code: "model_failed",
      message: `The model ${MODEL} (Workers AI) ${message}.`,
      retryable,
    });
    expect(calls).toHaveLength(count);
  });

  it("never shows the provider's message, which can quote the page", async () => {
    const lines = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { complete } = connect([{ code: 5007, text: "secret page content" }]);
    const error = (await complete().catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).not.toContain("secret");
    expect(JSON.stringify(lines.mock.calls)).not.toContain("secret");
  });

  it("reports a refusal", async () => {
    const { error } = await failureOf({ answer: "", end: "content_filter" });
    expect(error).toMatchObject({ code: "model_refused" });
  });

  it("is aborted by the caller, and by the time limit of an answer", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const reason = new Error("The caller left.");
    await expect(connect([{ hangs: true }]).complete(REQUEST, AbortSignal.abort(reason))).rejects.toBe(reason);
    const timeouts = { ...TIMEOUTS, idleMs: 1, answerMs: 50, retryDelaysMs: [] };
    await expect(connect([{ hangs: true }], { timeouts }).complete()).rejects.toMatchObject({
      message: `The model ${MODEL} (Workers AI) took longer than 0.1 seconds to respond.`,
    });
  });
});

describe("the address", () => {
  const variables = { WORKERS_AI_BASE_URL: ADDRESS, WORKERS_AI_API_KEY: "token" };

  it.each(["", "/"])("gets the same request with the API token, also if it ends with '%s'", async (end) => {
    const given = { ...variables, WORKERS_AI_BASE_URL: ADDRESS + end };
    const { complete, calls, fetchCompletion } = connect([GOOD], { variables: given });
    vi.spyOn(globalThis, "fetch").mockImplementation((url, init) => fetchCompletion(String(url), init ?? {}));
    expect(await complete()).toEqual({ text: GOOD.answer, usage: USAGE, truncated: false });
    expect(calls).toMatchObject([{ model: MODEL, inputs: { stream: false } }]);
    expect(calls[0]?.headers?.get("authorization")).toBe("Bearer token");
  });

  it("reports the errors of Cloudflare's API", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const body = JSON.stringify({ success: false, errors: [{ code: 10000, message: "Authentication error" }] });
    const { complete, fetchCompletion } = connect([{ status: 401, body }], { variables });
    vi.spyOn(globalThis, "fetch").mockImplementation((url, init) => fetchCompletion(String(url), init ?? {}));
    await expect(complete()).rejects.toMatchObject({
      message: `The model ${MODEL} (Workers AI) responded with status 401.`,
      retryable: false,
    });
  });
});

describe("the default model", () => {
  const { binding } = createWorkersAi(GOOD);
  const namesOf = (given: object) => availableModels(given).configured.map(({ id }) => id);

  it("is Workers AI only if no other provider has a key", () => {
    expect(namesOf({ AI: binding })).toEqual([MODEL]);
    expect(namesOf({ AI: binding, OPENAI_API_KEY: "a" })).toEqual(["gpt-5.4-mini", MODEL]);
    expect(namesOf({ AI: binding, WORKERS_AI_MODEL: "@cf/zai-org/glm-5.3-flash" })).toEqual([
      "@cf/zai-org/glm-5.3-flash",
    ]);
  });

  it("isn't Workers AI without its binding or a complete address", () => {
    expect(availableModels({ WORKERS_AI_API_KEY: "a" })).toMatchObject({ configured: [] });
    expect(availableModels({ WORKERS_AI_BASE_URL: ADDRESS }).accepted).toEqual(["gpt-5.4-mini", "claude-haiku-4-5"]);
    expect(namesOf({ WORKERS_AI_BASE_URL: ADDRESS, WORKERS_AI_API_KEY: "a" })).toEqual([MODEL]);
  });
});
