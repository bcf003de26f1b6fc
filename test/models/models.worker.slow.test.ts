import { env } from "cloudflare:workers";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { availableModels, chooseModel } from "../../src/models/models";
import type { ModelRequest, ModelTimeouts } from "../../src/models/provider";
import type { JsonSchema } from "../../src/models/strict-schema";
import { site } from "../support/client";
import type { LoggedModelRequest } from "../support/models";

afterEach(() => vi.restoreAllMocks());

const GPT = "gpt-5.4-mini";
const CLAUDE = "claude-haiku-4-5";
const STRICT: JsonSchema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
  required: ["name", "price"],
  additionalProperties: false,
};
const LENIENT: JsonSchema = { ...STRICT, additionalProperties: true, patternProperties: { "^x": { type: "string" } } };
const GOOD = { name: "a name", price: 7 };
const USAGE = { input_tokens: 120, output_tokens: 30 };
/** Timeouts with immediate retries. Every limit is shorter than the test's timeout. */
const PATIENT: ModelTimeouts = { idleMs: 15_000, answerMs: 20_000, retryMs: 10_000, retryDelaysMs: [1, 1] };
const BRISK: ModelTimeouts = { ...PATIENT, idleMs: 3_000 };

interface RequestOptions {
  model: string;
  schema?: JsonSchema | null;
  timeouts?: ModelTimeouts;
  signal?: AbortSignal;
  question?: Partial<ModelRequest>;
}

/** Sends a request with a unique id. `requests` returns the requests that the server received with this id. */
function question(behavior: string, { model, schema = STRICT, timeouts = PATIENT, signal, question }: RequestOptions) {
  const id = crypto.randomUUID();
  const turns: ModelRequest["turns"] = [{ role: "user", text: `The product. [[${behavior} ${id}]]` }];
  const modelRequest = { system: "You extract data.", turns, schema, ...question };
  const answer = chooseModel(availableModels(env, timeouts), model).complete(
    modelRequest,
    signal ?? new AbortController().signal,
  );
  return { answer, requests: () => requestsFor(id) };
}

async function requestsFor(id: string): Promise<LoggedModelRequest[]> {
  const response = await fetch(`${site}/__model-requests?path=${id}`);
  return await response.json();
}

async function failure(behavior: string, options: RequestOptions) {
  const { answer, requests } = question(behavior, options);
  const error: unknown = await answer.then(
    () => null,
    (thrown) => thrown,
  );
  return { error, requests: await requests() };
}

describe.each([GPT, CLAUDE])("%s", (model) => {
  it("answers with the JSON text and the token usage, streamed or not", async () => {
    for (const behavior of ["good", "unstreamed"]) {
      const answer = await question(behavior, { model }).answer;
      expect({ ...answer, text: JSON.parse(answer.text) }).toEqual({ text: GOOD, usage: USAGE, truncated: false });
    }
  });

  it("is sent a valid request with the key, the system prompt and every turn", async () => {
    const id = crypto.randomUUID();
    const turns: ModelRequest["turns"] = [
      { role: "user", text: `First. [[good ${id}]]` },
      { role: "assistant", text: "{}" },
      { role: "user", text: "Again." },
    ];
    await question("good", { model, question: { turns } }).answer;
    const [request] = await requestsFor(id);
    const sent = JSON.stringify(request?.body);
    const places = ["You extract data.", ...turns.map(({ text }) => text)].map((text) =>
      sent.indexOf(JSON.stringify(text)),
    );
    expect(places.every((place) => place > 0)).toBe(true);
    expect(request).toMatchObject({ broken: null, body: { model, stream: true } });
    expect(request?.headers).toMatchObject(
      model === GPT
        ? { authorization: "Bearer test OpenAI key" }
        : { "x-api-key": "test Anthropic key", "anthropic-version": expect.any(String) },
    );
  });

  it.each([
    ["a schema that strict mode accepts", STRICT],
    ["a schema that strict mode doesn't accept", LENIENT],
    ["a schema without a type at its root", { properties: { name: { type: "string" } } }],
    ["no schema", null],
  ])("is sent %s in a format that the provider accepts, and answers with an object", async (_, schema) => {
    const { answer, requests } = question("good", { model, schema });
    expect(JSON.parse((await answer).text)).toMatchObject({ name: "a name" });
    expect((await requests()).map(({ broken }) => broken)).toEqual([null]);
  });

  it("is sent the schema in the prompt if the server supports no other format", async () => {
    for (const schema of [LENIENT, null]) {
      const { answer, requests } = question("plain-only", { model, schema });
      expect(JSON.parse((await answer).text)).toHaveProperty("name");
      const system = JSON.stringify((await requests()).at(-1)?.body);
      expect(system.includes("patternProperties")).toBe(schema !== null);
    }
  });

  it.each([
    ["fenced", JSON.stringify(GOOD)],
    ["violate", '{"name":"a name","price":"not a number"}'],
    ["empty", ""],
  ])("returns the text unchanged and unvalidated: %s", async (behavior, text) => {
    expect(await question(behavior, { model }).answer).toEqual({ text, usage: USAGE, truncated: false });
  });

  it("returns an empty object if the model finds nothing", async () => {
    const turns: ModelRequest["turns"] = [{ role: "user", text: "[[good nothing {}]]" }];
    for (const schema of [LENIENT, null]) {
      const { answer } = question("good", { model, schema, question: { turns } });
      expect((await answer).text).toBe("{}");
    }
  });

  it("reports an answer that was cut off at the token limit or the end of the context window", async () => {
    for (const behavior of ["truncated", "full"]) {
      expect(await question(behavior, { model }).answer).toMatchObject({ truncated: true });
    }
    const { answer, requests } = question("good", { model, question: { maxOutputTokens: 77 } });
    await answer;
    const [sent] = await requests();
    expect(sent?.body.max_completion_tokens ?? sent?.body.max_tokens).toBe(77);
  });

  it.each(["refuse", "filtered"])(
    "fails with model_refused, without a retry, when it refuses to answer: %s",
    async (behavior) => {
      const { error, requests } = await failure(behavior, { model });
      expect(error).toMatchObject({ code: "model_refused", message: `The model ${model} refused to answer.` });
      expect(requests).toHaveLength(1);
    },
  );

  it("neither logs nor returns the provider's message if the stream has an error", async () => {
    const written = vi.spyOn(console, "warn").mockReturnValue();
    const { error } = await failure("untyped-stream", { model });
    expect(written).toHaveBeenCalled();
    expect(JSON.stringify([`${error}`, written.mock.calls])).not.toContain("QUOTED");
  });

  it.each([
    ["busy-moment-once"],
    ["error-500-once"],
    ["overloaded-once"],
    ["error-408-once"],
    ["reset-once"],
    ["cut-once"],
    ["early-end-once"],
    ["broken-stream-once"],
    ["page-once"],
  ])("is retried after a temporary failure: %s", async (behavior) => {
    const { answer, requests } = question(behavior, { model });
    expect(JSON.parse((await answer).text)).toEqual(GOOD);
    expect(await requests()).toHaveLength(2);
  });

  it.each([
    ["error-500", "responded with status 500"],
    ["overloaded", model === GPT ? "responded with status 503" : "responded with status 529"],
    ["busy-moment", "responded with status 429"],
    ["reset", "could not be reached"],
    ["cut", "disconnected in the middle of its answer"],
    ["early-end", "disconnected in the middle of its answer"],
    ["broken-stream", "ended its answer with an error"],
    ["untyped-stream", "ended its answer with an error"],
    ["page", "sent a response that isn't JSON, such as an error page of a gateway"],
  ])("fails after three attempts: %s", async (behavior, words) => {
    const { error, requests } = await failure(behavior, { model });
    const provider = model === GPT ? "OpenAI" : "Anthropic";
    expect(error).toMatchObject({
      code: "model_failed",
      retryable: true,
      message: `The model ${model} (${provider}) ${words}.`,
    });
    expect(requests).toHaveLength(3);
  });

  it.each([
    ["error-401", false],
    ["error-403", false],
    ["error-404", false],
    ["error-413", false],
    ["quota", false],
    ["no-retry", false],
    // The provider's Retry-After is longer than the total time for retries.
    ["busy-long", true],
  ])("isn't retried when a retry can't succeed: %s", async (behavior, retryable) => {
    const { error, requests } = await failure(behavior, { model });
    expect(error).toMatchObject({ code: "model_failed", retryable });
    expect((error as Error).message).not.toMatch(/quoted|key|quota/);
    expect(requests).toHaveLength(1);
  });

  it("counts failures across all formats, and doesn't count a rejected format", async () => {
    // The model responds with 500, 500 and 400 (the format is rejected). The request in the next format is the third
    // failure.
    const { error, requests } = await failure("failing-then-plain-only", { model });
    expect(error).toMatchObject({ code: "model_failed", message: expect.stringContaining("status 500") });
    expect(requests).toHaveLength(4);
  });

  it.each(["too-long", "too-long-code"])(
    "isn't requests in other formats when the page is too long for it: %s",
    async (behavior) => {
      const { error, requests } = await failure(behavior, { model });
      expect(error).toMatchObject({
        code: "model_failed",
        retryable: false,
        message: expect.stringContaining("was sent more tokens than it accepts (status 400)"),
      });
      expect(requests).toHaveLength(1);
    },
  );

  it.concurrent("waits for the delay that the provider names", async () => {
    const { answer, requests } = question("busy-once", { model, timeouts: { ...PATIENT, retryMs: 1_500 } });
    await answer;
    expect(await requests()).toHaveLength(2);
    const tooLong = await failure("busy-once", { model, timeouts: { ...PATIENT, retryMs: 900 } });
    expect(tooLong.error).toMatchObject({ code: "model_failed", message: expect.stringContaining("429") });
    expect(tooLong.requests).toHaveLength(1);
  });

  it.concurrent("isn't retried after the total time for retries, which begins with the first failure", async () => {
    const timeouts = { ...PATIENT, retryMs: 900, retryDelaysMs: [500, 500, 500] };
    const { error, requests } = await failure("error-500", { model, timeouts });
    expect(error).toMatchObject({ code: "model_failed", retryable: true });
    expect(requests).toHaveLength(2);
  });

  it.concurrent.each(["hang", "hang-head", "hang-middle"])(
    "is retried when it sends nothing for too long: %s",
    async (behavior) => {
      const { error, requests } = await failure(behavior, { model, timeouts: { ...BRISK, retryDelaysMs: [1] } });
      expect(error).toMatchObject({
        code: "model_failed",
        message: expect.stringContaining("sent no data for 3 seconds."),
      });
      expect(requests).toHaveLength(2);
      expect(JSON.parse((await question(`${behavior}-once`, { model, timeouts: BRISK }).answer).text)).toEqual(GOOD);
    },
  );

  it.concurrent("may answer slowly while it sends data, up to the time limit of an answer", async () => {
    // The answer has at least six events, 500 ms apart.
    const slower = { ...BRISK, idleMs: 2_500 };
    expect(JSON.parse((await question("slow", { model, timeouts: slower }).answer).text)).toEqual(GOOD);
    const { error } = await failure("slow", { model, timeouts: { ...BRISK, answerMs: 500, retryDelaysMs: [] } });
    expect(error).toMatchObject({ message: expect.stringContaining("took longer than 0.5 seconds to respond") });
  });

  it("may be silent for seconds by default, and for as long as MODEL_SILENCE_SECONDS if it is set", async () => {
    const id = crypto.randomUUID();
    const turns: ModelRequest["turns"] = [{ role: "user", text: `[[slow ${id}]]` }];
    const controller = new AbortController();
    const ask = (MODEL_SILENCE_SECONDS: string) =>
      chooseModel(availableModels({ ...env, MODEL_SILENCE_SECONDS }), model).complete(
        { system: "x", turns, schema: STRICT },
        controller.signal,
      );
    expect(JSON.parse((await ask("")).text)).toEqual(GOOD);
    expect(await requestsFor(id)).toHaveLength(1);
    const stopped = expect(ask("0.05")).rejects.toThrow("Stopped.");
    // The retry shows that the first answer was too slow.
    await expect.poll(() => requestsFor(id)).toHaveLength(3);
    controller.abort(new Error("Stopped."));
    await stopped;
  });

  it("fails when its answer never ends", async () => {
    const { error, requests } = await failure("endless", { model });
    expect(error).toMatchObject({ message: expect.stringContaining("returned more than 33554432 bytes") });
    expect(requests).toHaveLength(1);
  });

  it("stops with the reason of the caller's signal, before and during an answer", async () => {
    const reason = new Error("The job is over.");
    const never = await failure("good", { model, signal: AbortSignal.abort(reason) });
    expect(never.error).toBe(reason);
    expect(never.requests).toHaveLength(0);
    const controller = new AbortController();
    const { answer, requests } = question("hang-middle", { model, signal: controller.signal });
    const stopped = expect(answer).rejects.toBe(reason);
    await expect.poll(requests).toHaveLength(1);
    controller.abort(reason);
    await stopped;
  });

  it("fails when the server can't be reached", async () => {
    const down = { ...env, OPENAI_BASE_URL: "http://127.0.0.1:1/v1", ANTHROPIC_BASE_URL: "http://127.0.0.1:1" };
    const request = { system: "x", turns: [{ role: "user" as const, text: "x" }], schema: null };
    await expect(
      chooseModel(availableModels(down, PATIENT), model).complete(request, new AbortController().signal),
    ).rejects.toMatchObject({ code: "model_failed", message: expect.stringContaining("could not be reached") });
  });
});

describe("the configured models", () => {
  const keys = { OPENAI_API_KEY: "a", ANTHROPIC_API_KEY: "b" };

  it("have the names in the environment variables, or the default names", () => {
    expect(availableModels({}).accepted).toEqual([GPT, CLAUDE]);
    expect(availableModels({ OPENAI_MODEL: "llama", ANTHROPIC_MODEL: " " }).accepted).toEqual(["llama", CLAUDE]);
  });

  it("are those with an API key, and the first one is the default", () => {
    const ids = (given: object) => availableModels(given).configured.map(({ id }) => id);
    expect(ids(keys)).toEqual([GPT, CLAUDE]);
    expect(ids({ OPENAI_API_KEY: " ", ANTHROPIC_API_KEY: "b" })).toEqual([CLAUDE]);
    expect(chooseModel(availableModels(keys), undefined).id).toBe(GPT);
    expect(chooseModel(availableModels(keys), CLAUDE).id).toBe(CLAUDE);
    expect(chooseModel(availableModels({ ANTHROPIC_API_KEY: "b" }), undefined).id).toBe(CLAUDE);
  });

  it.each([
    [keys, "zork-1", "invalid_request", `'${GPT}' or '${CLAUDE}'`],
    [{}, "zork-1", "invalid_request", `'${GPT}' or '${CLAUDE}'`],
    [{ OPENAI_API_KEY: "a" }, CLAUDE, "invalid_request", "ANTHROPIC_API_KEY"],
    [{ ANTHROPIC_API_KEY: "b" }, GPT, "invalid_request", "OPENAI_API_KEY"],
    [{}, undefined, "not_configured", "OPENAI_API_KEY"],
    [{}, GPT, "not_configured", "OPENAI_API_KEY"],
  ])("fail with an error that names the fix: with %j, %s is %s", (given, requested, code, words) => {
    expect(() => chooseModel(availableModels(given), requested)).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringContaining(words),
        ...(code === "invalid_request" && {
          details: [{ path: "model", message: expect.stringMatching(/^must be /) }],
        }),
        ...(code === "not_configured" && { headers: { "Retry-After": "3600" } }),
      }),
    );
  });
});

describe("the stand-in for the providers", () => {
  const messages = [{ role: "user", content: "[[good shapes]] json" }];
  const origin = inject("models");
  const anthropic = { "x-api-key": "x", "anthropic-version": "2026-10-21" };
  const openai = { authorization: "Bearer x" };
  const format = (schema: object) => ({ type: "json_schema", json_schema: { name: "x", strict: true, schema } });

  it.each([
    ["/v1/chat/completions", {}, { model: "x", messages }],
    ["/v1/chat/completions", openai, { messages }],
    ["/v1/chat/completions", openai, { model: "x", messages, tempreature: 1 }],
    ["/v1/chat/completions", openai, { model: "x", messages: [{ role: "person", content: "x" }] }],
    ["/v1/chat/completions", openai, { model: "x", messages, stream_options: { include_usage: true } }],
    [
      "/v1/chat/completions",
      openai,
      { model: "x", messages, response_format: format({ type: "object", properties: {} }) },
    ],
    ["/v1/messages", { "x-api-key": "x" }, { model: "x", max_tokens: 1, messages }],
    ["/v1/messages", anthropic, { model: "x", messages }],
    ["/v1/messages", anthropic, { model: "x", max_tokens: 1, messages: [{ role: "system", content: "x" }] }],
    ["/v1/messages", anthropic, { model: "x", max_tokens: 1, messages, temperature: 0 }],
    ["/v1/messages", anthropic, { model: "x", max_tokens: 1, messages, tool_choice: { type: "tool", name: "x" } }],
  ])("rejects requests that the providers would reject: %s %j %j", async (path, headers, body) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${origin}${path}`, init);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { message: expect.any(String) } }]);
  });
});
