// Builds the responses of the two providers, as one JSON document or as a stream of events.
import type { Provider } from "./model-shapes.ts";

export interface Answer {
  text: string;
  /**
   * The tool that returns the answer as its input. Null if the answer is text. Anthropic's JSON answers use a tool if
   * the request has no output format.
   */
  asTool: string | null;
  end: "stop" | "length" | "context_full" | "refusal" | "filtered";
}

const USAGE = { input: 120, output: 30 };

export function wholeResponse(provider: Provider, model: string, { text, asTool, end }: Answer): unknown {
  if (provider === "anthropic") {
    const block = asTool === null ? { type: "text", text } : toolUse(asTool, JSON.parse(text));
    return { ...message(model), content: [block], ...anthropicEnd(end, asTool), usage: anthropicUsage(USAGE.output) };
  }
  const content = end === "refusal" ? { content: null, refusal: text } : { content: text, refusal: null };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, message: { role: "assistant", ...content }, logprobs: null, finish_reason: openaiEnd(end) }],
    usage: openaiUsage(),
  };
}

/** Returns all events of a streamed response. The text is split into two or more events. */
export function streamEvents(provider: Provider, model: string, answer: Answer): string[] {
  return provider === "openai" ? openaiEvents(model, answer) : anthropicEvents(model, answer);
}

export function streamError(provider: Provider): string {
  return provider === "openai"
    ? data({ error: { message: "The server had an error.", type: "server_error", code: null, param: null } })
    : named({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
}

/** Returns an error event without a type. Gateways send such events when the provider behind them fails. */
export function untypedStreamError(provider: Provider, message: string): string {
  return provider === "openai"
    ? data({ error: { code: 502, message } })
    : `event: error\ndata: ${JSON.stringify({ message })}\n\n`;
}

function openaiEvents(model: string, { text, end }: Answer): string[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    data({ ...openaiChunk(model), choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null });
  return [
    chunk({ role: "assistant", content: end === "refusal" ? null : "", refusal: null }),
    ...pieces(text).map((piece) => chunk(end === "refusal" ? { refusal: piece } : { content: piece })),
    chunk({}, openaiEnd(end)),
    data({ ...openaiChunk(model), choices: [], usage: openaiUsage() }),
    "data: [DONE]\n\n",
  ];
}

function anthropicEvents(model: string, { text, asTool, end }: Answer): string[] {
  const start = asTool === null ? { type: "text", text: "" } : toolUse(asTool, {});
  const delta = (piece: string) =>
    asTool === null ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece };
  return [
    named({ type: "message_start", message: { ...message(model), usage: anthropicUsage(1) } }),
    named({ type: "content_block_start", index: 0, content_block: start }),
    named({ type: "ping" }),
    // Sends one empty delta for an empty tool input, as Anthropic does.
    ...(asTool !== null && text === "{}" ? [""] : pieces(text)).map((piece) =>
      named({ type: "content_block_delta", index: 0, delta: delta(piece) }),
    ),
    named({ type: "content_block_stop", index: 0 }),
    named({ type: "message_delta", delta: anthropicEnd(end, asTool), usage: { output_tokens: USAGE.output } }),
    named({ type: "message_stop" }),
  ];
}

function pieces(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function named(event: { type: string } & Record<string, unknown>): string {
  return `event: ${event.type}\n${data(event)}`;
}

function openaiChunk(model: string) {
  return { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model };
}

function openaiUsage() {
  return { prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: USAGE.input + USAGE.output };
}

function openaiEnd(end: Answer["end"]): string {
  return { stop: "stop", length: "length", context_full: "length", refusal: "stop", filtered: "content_filter" }[end];
}

function message(model: string) {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function toolUse(name: string, input: unknown) {
  return { type: "tool_use", id: "toolu_1", name, input };
}

/**
 * Returns the usage in Anthropic's format. `input_tokens` doesn't include the 100 input tokens that came from the
 * cache.
 */
function anthropicUsage(output: number) {
  return {
    input_tokens: USAGE.input - 100,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 100,
    output_tokens: output,
  };
}

function anthropicEnd(end: Answer["end"], asTool: string | null) {
  const stop_reason = {
    stop: asTool === null ? "end_turn" : "tool_use",
    length: "max_tokens",
    context_full: "model_context_window_exceeded",
    refusal: "refusal",
    filtered: "refusal",
  }[end];
  return { stop_reason, stop_sequence: null };
}
