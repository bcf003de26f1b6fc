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
/** Retries start at once. Every limit is shorter than the test's timeout. */
const PATIENT: ModelTimeouts = { idleMs: 15_000, answerMs: 20_000, retryMs: 10_000, retryDelaysMs: [1, 1] };
const BRISK: ModelTimeouts = { ...PATIENT, idleMs: 1_000 };

interface Asking {
  model: string;
  schema?: JsonSchema | null;
  timeouts?: ModelTimeouts;
  signal?: AbortSignal;
  question?: Partial<ModelRequest>;
}

/** Sends a request with a mark of its own. `asked` returns the requests that the server got for it. */
function question(behaviour: string, { model, schema = STRICT, timeouts = PATIENT, signal, question }: Asking) {
  const id = crypto.randomUUID();
  const turns: ModelRequest["turns"] = [{ role: "user", text: `The product. [[${behaviour} ${id}]]` }];
  const asked = { system: "You extract data.", turns, schema, ...question };
  const answer = chooseModel(availableModels(env, timeouts), model).complete(
    asked,
    signal ?? new AbortController().signal,
  );
  return { answer, asked: () => askedFor(id) };
}

async function askedFor(id: string): Promise<LoggedModelRequest[]> {
  const response = await fetch(`${site}/__model-requests?path=${id}`);
  return await response.json();
}

async function failure(behaviour: string, asking: Asking) {
  const { answer, asked } = question(behaviour, asking);
  const error: unknown = await answer.then(
    () => null,
    (thrown) => thrown,
  );
  return { error, asked: await asked() };
}

describe.each([GPT, CLAUDE])("%s", (model) => {
  it("answers with the JSON text and the token usage, streamed or not", async () => {
    for (const behaviour of ["good", "unstreamed"]) {
      const answer = await question(behaviour, { model }).answer;
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
    const [asked] = await askedFor(id);
    const sent = JSON.stringify(asked?.body);
    const places = ["You extract data.", ...turns.map(({ text }) => text)].map((text) =>
      sent.indexOf(JSON.stringify(text)),
    );
    expect(places.every((place) => place > 0)).toBe(true);
    expect(asked).toMatchObject({ broken: null, body: { model, stream: true } });
    expect(asked?.headers).toMatchObject(
      model === GPT
        ? { authorization: "Bearer test OpenAI key" }
        : { "x-api-key": "test Anthropic key", "anthropic-version": expect.any(String) },
    );
  });

  it.each([
    ["a schema that strict mode accepts", STRICT],
    ["one that it doesn't", LENIENT],
    ["one that says nothing at its root", { properties: { name: { type: "string" } } }],
    ["none", null],
  ])("is sent %s in a format that the provider accepts, and answers with an object", async (_, schema) => {
    const { answer, asked } = question("good", { model, schema });
    expect(JSON.parse((await answer).text)).toMatchObject({ name: "a name" });
    expect((await asked()).map(({ broken }) => broken)).toEqual([null]);
  });

  it("is asked in the prompt when the server knows no other format", async () => {
    for (const schema of [LENIENT, null]) {
      const { answer, asked } = question("plain-only", { model, schema });
      expect(JSON.parse((await answer).text)).toHaveProperty("name");
      const system = JSON.stringify((await asked()).at(-1)?.body);
      expect(system.includes("patternProperties")).toBe(schema !== null);
    }
  });

  it.each([
    ["garbage", "Sure! Here it is: {name: "],
    ["fenced", JSON.stringify(GOOD)],
    ["violate", '{"name":"a name","price":"not a number"}'],
    ["empty", ""],
  ])("gives an answer as it is, without judging it: %s", async (behaviour, text) => {
    expect(await question(behaviour, { model }).answer).toEqual({ text, usage: USAGE, truncated: false });
  });

  it("may find nothing at all", async () => {
    const turns: ModelRequest["turns"] = [{ role: "user", text: "[[good nothing {}]]" }];
    for (const schema of [LENIENT, null]) {
      const { answer } = question("good", { model, schema, question: { turns } });
      expect((await answer).text).toBe("{}");
    }
  });

  it("reports an answer that the token limit ended", async () => {
    expect(await question("truncated", { model }).answer).toMatchObject({ truncated: true });
    const { answer, asked } = question("good", { model, question: { maxOutputTokens: 77 } });
    await answer;
    const [sent] = await asked();
    expect(sent?.body.max_completion_tokens ?? sent?.body.max_tokens).toBe(77);
  });

  it.each(["refuse", "filtered"])(
    "fails with model_refused, without a retry, when it refuses to answer: %s",
    async (behaviour) => {
      const { error, asked } = await failure(behaviour, { model });
      expect(error).toMatchObject({ code: "model_refused", message: `The model ${model} refused to answer.` });
      expect(asked).toHaveLength(1);
    },
  );

  it("neither logs nor returns the provider's message of an error within a stream", async () => {
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
  ])("is retried after a temporary failure: %s", async (behaviour) => {
    const { answer, asked } = question(behaviour, { model });
    expect(JSON.parse((await answer).text)).toEqual(GOOD);
    expect(await asked()).toHaveLength(2);
  });

  it.each([
    ["error-500", "responded with status 500"],
    ["overloaded", model === GPT ? "responded with status 503" : "responded with status 529"],
    ["busy-moment", "responded with status 429"],
    ["reset", "could not be reached"],
    ["cut", "broke off in the middle of its answer"],
    ["early-end", "broke off in the middle of its answer"],
    ["broken-stream", "broke off its answer with an error"],
    ["untyped-stream", "broke off its answer with an error"],
    ["page", "returned something that isn't JSON, such as a gateway's page"],
  ])("fails after three attempts: %s", async (behaviour, words) => {
    const { error, asked } = await failure(behaviour, { model });
    const provider = model === GPT ? "OpenAI" : "Anthropic";
    expect(error).toMatchObject({
      code: "model_failed",
      retryable: true,
      message: `The model ${model} (${provider}) ${words}.`,
    });
    expect(asked).toHaveLength(3);
  });

  it.each([
    ["error-401", false],
    ["error-403", false],
    ["error-404", false],
    ["error-413", false],
    ["quota", false],
    ["told-not-to", false],
    // The delay doesn't fit into the time for retries.
    ["busy-long", true],
  ])("isn't retried when a retry can't succeed: %s", async (behaviour, retryable) => {
    const { error, asked } = await failure(behaviour, { model });
    expect(error).toMatchObject({ code: "model_failed", retryable });
    expect((error as Error).message).not.toMatch(/quoted|key|quota/);
    expect(asked).toHaveLength(1);
  });

  it("counts failures across all formats, and doesn't count a rejected format", async () => {
    // 500, 500, 400, and in the next form 500: that is the third failure.
    const { error, asked } = await failure("failing-then-plain-only", { model });
    expect(error).toMatchObject({ code: "model_failed", message: expect.stringContaining("status 500") });
    expect(asked).toHaveLength(4);
  });

  it.each(["too-long", "too-long-code"])(
    "isn't asked in other formats when the page is too long for it: %s",
    async (behaviour) => {
      const { error, asked } = await failure(behaviour, { model });
      expect(error).toMatchObject({
        code: "model_failed",
        retryable: false,
        message: expect.stringContaining("was given more than it can read at once (status 400)"),
      });
      expect(asked).toHaveLength(1);
    },
  );

  it.concurrent("waits for the delay that the provider names", async () => {
    const { answer, asked } = question("busy-once", { model, timeouts: { ...PATIENT, retryMs: 1_500 } });
    await answer;
    expect(await asked()).toHaveLength(2);
    const tooLong = await failure("busy-once", { model, timeouts: { ...PATIENT, retryMs: 900 } });
    expect(tooLong.error).toMatchObject({ code: "model_failed", message: expect.stringContaining("429") });
    expect(tooLong.asked).toHaveLength(1);
  });

  it.concurrent.each(["hang", "hang-head", "hang-middle"])(
    "is retried when it sends nothing for too long: %s",
    async (behaviour) => {
      const { error, asked } = await failure(behaviour, { model, timeouts: { ...BRISK, retryDelaysMs: [1] } });
      expect(error).toMatchObject({
        code: "model_failed",
        message: expect.stringContaining("said nothing for 1 seconds"),
      });
      expect(asked).toHaveLength(2);
      expect(JSON.parse((await question(`${behaviour}-once`, { model, timeouts: BRISK }).answer).text)).toEqual(GOOD);
    },
  );

  it.concurrent("may answer slowly while it sends data, up to the time limit of an answer", async () => {
    // Six events and more, 150 ms apart.
    const slower = { ...BRISK, idleMs: 650 };
    expect(JSON.parse((await question("slow", { model, timeouts: slower }).answer).text)).toEqual(GOOD);
    const { error } = await failure("slow", { model, timeouts: { ...BRISK, answerMs: 500, retryDelaysMs: [] } });
    expect(error).toMatchObject({ message: expect.stringContaining("took longer for its answer than 0.5 seconds") });
  });

  it("fails when its answer never ends", async () => {
    const { error, asked } = await failure("endless", { model });
    expect(error).toMatchObject({ message: expect.stringContaining("returned more than 33554432 bytes") });
    expect(asked).toHaveLength(1);
  });

  it("stops with the reason of the caller's signal, before and during an answer", async () => {
    const reason = new Error("The job is over.");
    const never = await failure("good", { model, signal: AbortSignal.abort(reason) });
    expect(never.error).toBe(reason);
    expect(never.asked).toHaveLength(0);
    const controller = new AbortController();
    const { answer, asked } = question("hang-middle", { model, signal: controller.signal });
    const stopped = expect(answer).rejects.toBe(reason);
    await expect.poll(asked).toHaveLength(1);
    controller.abort(reason);
    await stopped;
  });

  it("fails when the server can't be reached", async () => {
    const down = { ...env, OPENAI_BASE_URL: "http://127.0.0.1:1/v1", ANTHROPIC_BASE_URL: "http://127.0.0.1:1" };
    const asked = { system: "x", turns: [{ role: "user" as const, text: "x" }], schema: null };
    await expect(
      chooseModel(availableModels(down, PATIENT), model).complete(asked, new AbortController().signal),
    ).rejects.toMatchObject({ code: "model_failed", message: expect.stringContaining("could not be reached") });
  });
});

describe("the two models", () => {
  const keys = { OPENAI_API_KEY: "a", ANTHROPIC_API_KEY: "b" };

  it("are named by variables, or else have their default names", () => {
    expect(availableModels({}).accepted).toEqual([GPT, CLAUDE]);
    expect(availableModels({ OPENAI_MODEL: "llama", ANTHROPIC_MODEL: " " }).accepted).toEqual(["llama", CLAUDE]);
  });

  it("are configured when they have a key, and the first one is the default", () => {
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
    [{}, undefined, "unavailable", "OPENAI_API_KEY"],
    [{}, GPT, "unavailable", "OPENAI_API_KEY"],
  ])("fail with an error that says what to do: with %j, %s is %s", (given, asked, code, words) => {
    expect(() => chooseModel(availableModels(given), asked)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) }),
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
  ])("rejects what the providers would reject: %s %j %j", async (path, headers, body) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${origin}${path}`, init);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { message: expect.any(String) } }]);
  });
});
