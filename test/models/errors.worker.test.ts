import { describe, expect, it } from "vitest";
import { isProviderError, ModelFailure, ModelRefusal, readSdkError } from "../../src/models/errors";
import { isEventStream, toAnswerText, toSystemWithFormat, withObjectRoot } from "../../src/models/provider";

/** Returns an error with the fields of an SDK's error. */
function sdkError(fields: Record<string, unknown>, message = "The prompt was: (quoted prompt)"): Error {
  return Object.assign(new Error(message), fields);
}

function read(error: unknown, hasResponse = false): ModelFailure {
  const failure = readSdkError(error, hasResponse);
  if (!(failure instanceof ModelFailure)) throw failure;
  return failure;
}

const headers = (init: Record<string, string>) => new Headers(init);

describe("a response with an error status", () => {
  it.each([
    [400, false, true],
    [401, false, false],
    [403, false, false],
    [404, false, false],
    [408, true, false],
    [409, true, false],
    [410, false, false],
    [413, false, false],
    [422, false, true],
    [429, true, false],
    [499, false, false],
    [500, true, false],
    [503, true, false],
    [529, true, false],
  ])("%i is retryable (%s) or may be accepted in another format (%s)", (status, isRetryable, isFormatRejected) => {
    const cause = sdkError({ status });
    expect(read(cause)).toMatchObject({
      message: `responded with status ${status}`,
      ...{ status, isRetryable, isFormatRejected, delayMs: null, cause },
    });
  });

  it("is a refusal if the content filter rejected the request", () => {
    expect(readSdkError(sdkError({ status: 400, code: "content_filter" }), true)).toBeInstanceOf(ModelRefusal);
    expect(readSdkError(sdkError({ status: 500, code: "content_filter" }), true)).toBeInstanceOf(ModelFailure);
    expect(readSdkError(sdkError({ status: 400, code: "other" }), true)).toBeInstanceOf(ModelFailure);
  });

  it.each([
    [{ status: 400, code: "context_length_exceeded" }, "No."],
    [{ status: 400, type: "exceed_context_size_error" }, "No."],
    [{ status: 422 }, "This model's maximum context length is 4096 tokens."],
    [{ status: 400 }, "prompt is too long: 208310 tokens > 200000 maximum"],
    [{ status: 400 }, "Input too long"],
    [{ status: 400 }, "the request exceeds the available context size"],
    [{ status: 400 }, "Too many input tokens"],
  ])("isn't tried in another format if the request has too many tokens: %j %s", (fields, message) => {
    expect(read(sdkError(fields, message))).toMatchObject({
      message: `was sent more tokens than it accepts (status ${fields.status})`,
      isRetryable: false,
      isFormatRejected: false,
    });
  });

  it.each([
    [{ status: 400 }, "The schema is too long."],
    [{ status: 400 }, "Invalid schema for response_format"],
    [{ status: 500, code: "context_length_exceeded" }, "No."],
  ])("isn't about tokens: %j %s", (fields, message) => {
    expect(read(sdkError(fields, message)).message).toBe(`responded with status ${fields.status}`);
  });

  it("is retried as its header x-should-retry says, and not if the quota is used up", () => {
    expect(read(sdkError({ status: 500, headers: headers({ "x-should-retry": "false" }) })).isRetryable).toBe(false);
    expect(read(sdkError({ status: 404, headers: headers({ "x-should-retry": "true" }) })).isRetryable).toBe(true);
    expect(read(sdkError({ status: 429, code: "insufficient_quota" })).isRetryable).toBe(false);
    expect(read(sdkError({ status: 429, type: "insufficient_quota" })).isRetryable).toBe(false);
  });

  it.each<[Record<string, string>, number | null]>([
    [{ "retry-after": "2" }, 2_000],
    [{ "retry-after": " 1.5 " }, 1_500],
    [{ "retry-after": "0" }, null],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "Mon, 01 Jan 2024 00:00:00 GMT" }, null],
    [{ "retry-after-ms": "20" }, 20],
    [{ "retry-after-ms": "0.5", "retry-after": "2" }, 0.5],
    [{ "retry-after": "0.001" }, 1],
    [{ "retry-after-ms": "20", "retry-after": "2" }, 20],
    [{ "retry-after-ms": "0", "retry-after": "2" }, 2_000],
    [{}, null],
  ])("has the delay of the headers %j in ms", (init, delayMs) => {
    expect(read(sdkError({ status: 429, headers: headers(init) })).delayMs).toBe(delayMs);
  });

  it("has the delay until the date of retry-after", () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { delayMs } = read(sdkError({ status: 429, headers: headers({ "retry-after": date }) }));
    expect(delayMs).toBeGreaterThan(30_000);
    expect(delayMs).toBeLessThanOrEqual(60_000);
  });
});

describe("an error without a status", () => {
  it.each<[Record<string, unknown>, boolean]>([
    [{ type: "overloaded_error" }, true],
    [{ type: "api_error" }, true],
    [{ error: { message: "x" } }, true],
    [{ type: "invalid_request_error" }, false],
    [{ type: "authentication_error" }, false],
    [{ type: "permission_error" }, false],
    [{ type: "not_found_error" }, false],
    [{ type: "billing_error" }, false],
    [{ type: "request_too_large" }, false],
    [{ error: {}, code: 502 }, true],
    [{ error: {}, code: 429 }, true],
    [{ error: {}, code: 401 }, false],
    [{ error: {}, code: 401, type: "overloaded_error" }, false],
  ])("from the provider's stream says whether a retry may help: %j", (fields, isRetryable) => {
    expect(read(sdkError(fields), true)).toMatchObject({ message: "ended its answer with an error", isRetryable });
  });

  it("is retryable if the response isn't JSON, was cut off or never came", () => {
    expect(read(new SyntaxError("x"), true)).toMatchObject({
      message: "sent a response that isn't JSON, such as an error page of a gateway",
      isRetryable: true,
    });
    expect(read(new TypeError("x"), true)).toMatchObject({
      message: "disconnected in the middle of its answer",
      isRetryable: true,
    });
    expect(read(new TypeError("x"), false)).toMatchObject({ message: "could not be reached", isRetryable: true });
    expect(read("text", false)).toMatchObject({ message: "could not be reached", isRetryable: true });
  });

  it("is returned unchanged if it is a failure or a refusal", () => {
    const failure = new ModelFailure("failed", { isRetryable: false });
    const refusal = new ModelRefusal();
    expect(readSdkError(failure, true)).toBe(failure);
    expect(readSdkError(refusal, true)).toBe(refusal);
    expect(failure).toMatchObject({ delayMs: null, isFormatRejected: false, status: undefined });
  });
});

it.each<[Record<string, unknown>, boolean]>([
  [{ status: 500 }, true],
  [{ headers: new Headers() }, true],
  [{ error: null }, true],
  [{ type: "api_error" }, true],
  [{ type: null }, false],
  [{ code: "ECONNRESET" }, false],
  [{}, false],
])("an error with the fields %j has data from the provider: %s", (fields, expected) => {
  expect(isProviderError(sdkError(fields))).toBe(expected);
  expect(isProviderError(fields)).toBe(false);
});

describe("the format of an answer", () => {
  const request = { system: "You extract data.", turns: [] };

  it("is described after the system prompt, with the schema if there is one", () => {
    const plain = toSystemWithFormat({ ...request, schema: null });
    expect(plain).toMatch(/^You extract data\.\n\nAnswer with one JSON object/);
    expect(plain).not.toContain("JSON Schema");
    const withSchema = toSystemWithFormat({ ...request, schema: { type: "object", title: "A" } });
    expect(withSchema).toMatch(/^You extract data\.\n\nAnswer with one JSON object/);
    expect(withSchema).toMatch(/JSON Schema:\n\{"type":"object","title":"A"\}$/);
  });

  it("always has the type object at its root", () => {
    expect(withObjectRoot({ title: "A" })).toEqual({ title: "A", type: "object" });
    expect(withObjectRoot({ type: ["object", "null"] })).toEqual({ type: "object" });
  });

  it.each([
    ["plain JSON", '{"a":1}'],
    ["white space and a byte order mark", '\uFEFF\n {"a":1}\n\n'],
    ["a code fence", '```json\n{"a":1}\n```'],
    ["a code fence without a language", ' ```\n{"a":1}``` '],
    ["reasoning before the JSON", '<think>\nIs it {"a":2}? No.\n</think>\n\n{"a":1}'],
    ["reasoning without its start tag, and a code fence", 'Is it {"a":2}? No.</think>\n```json\n{"a":1}\n```'],
  ])("is the JSON of %s", (_, text) => {
    expect(toAnswerText(text)).toBe('{"a":1}');
  });

  it.each(['{"a":"</think>"}', '```json {"a":1}```', '```json\n{"a":1}', 'Here:\n{"a":1}\n```'])("stays %j", (text) => {
    expect(toAnswerText(text)).toBe(text);
  });

  it.each([
    ["```json\n\n```", ""],
    ['```json\n{"a":"</think> {}"}\n```', '{"a":"</think> {}"}'],
  ])("has no code fence: %j", (text, expected) => {
    expect(toAnswerText(text)).toBe(expected);
  });

  it.each([
    ["text/event-stream", true],
    ["Text/Event-Stream; charset=utf-8", true],
    ["application/json", false],
    [null, false],
  ])("is a stream for the content type %s: %s", (type, expected) => {
    const response = new Response(null, { headers: type === null ? {} : { "content-type": type } });
    expect(isEventStream(response)).toBe(expected);
  });
});
