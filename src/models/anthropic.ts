import type { ClientOptions } from "@anthropic-ai/sdk";
import type {
  Message,
  MessageCreateParamsStreaming,
  MessageParam,
  Model as ModelName,
  RawMessageStreamEvent,
  StopReason,
} from "@anthropic-ai/sdk/resources/messages";
import { lazyModule } from "../lib/lazy";
import { MODEL_OUTPUT_TOKENS } from "../model/limits";
import { DISCONNECTED, ModelFailure, ModelRefusal } from "./errors";
import {
  isEventStream,
  type KnownModel,
  type ModelRequest,
  type ModelResponse,
  type ModelSettings,
  type ModelTurn,
  type ProviderDefinition,
  type RequestOptions,
  toAnswerText,
  toSystemWithFormat,
  withKey,
  withObjectRoot,
} from "./provider";
import { COMMON_FORMATS, COMMON_KEYWORDS, type StrictSchemaRules } from "./strict-schema";

const loadSdk = lazyModule(() => import("@anthropic-ai/sdk"));
const loadStreaming = lazyModule(() => import("@anthropic-ai/sdk/streaming"));

type AnthropicFormat = Pick<MessageCreateParamsStreaming, "output_config" | "tools" | "tool_choice"> & {
  system: string;
};

/** Limits of strict mode: https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
const STRICT_SCHEMA: StrictSchemaRules = {
  keywords: new Set(COMMON_KEYWORDS),
  formats: new Set([...COMMON_FORMATS, "uri"]),
  allRequired: false,
};

/** The provider Anthropic, and servers with the same API. */
export const anthropic: ProviderDefinition<AnthropicFormat> = {
  label: "Anthropic",
  defaultModel: "claude-haiku-4-5" satisfies KnownModel<ModelName>,
  isAlwaysAccepted: true,
  sendsWholeAnswers: false,
  chooseAccess: withKey,
  strictSchema: STRICT_SCHEMA,
  toFormats: (request, strict) => {
    const inPrompt: AnthropicFormat = { system: toSystemWithFormat(request) };
    const asTool = toToolFormat(request);
    if (strict === null) return [asTool, inPrompt];
    const output_config: AnthropicFormat["output_config"] = { format: { type: "json_schema", schema: strict } };
    return [{ system: request.system, output_config }, asTool, inPrompt];
  },
  connect: async (settings) => {
    const [sdk, { Stream }] = await Promise.all([loadSdk(), loadStreaming()]);
    return async (request, format, options) => {
      const { messages } = new sdk.Anthropic(toClientOptions(settings, options));
      const body = toBody(settings.id, request, format);
      const response = await messages.create(body, { signal: options.signal }).asResponse();
      if (!isEventStream(response)) return readMessage(await response.json<Message>());
      return await readEvents(Stream.fromSSEResponse<RawMessageStreamEvent>(response, new AbortController()));
    };
  },
};

/** Returns the format that makes the model call a tool with any schema. It isn't forced to follow the schema. */
function toToolFormat({ system, schema }: ModelRequest): AnthropicFormat {
  const name = "extraction";
  return {
    system,
    tools: [{ name, description: "Receives the extracted data.", input_schema: withObjectRoot(schema ?? {}) }],
    tool_choice: { type: "tool", name, disable_parallel_tool_use: true },
  };
}

function toClientOptions({ apiKey, baseUrl, timeouts }: ModelSettings, { fetch }: RequestOptions): ClientOptions {
  return {
    apiKey,
    baseURL: baseUrl,
    // Set to null, because the SDK reads a missing option from the environment.
    webhookKey: null,
    maxRetries: 0,
    timeout: timeouts.answerMs,
    logLevel: "off",
    openTelemetry: false,
    fetch,
    // Sends the key in this older header too. The SDK sends it as a bearer token, which some gateways and local servers
    // don't support.
    defaultHeaders: { "x-api-key": apiKey },
  };
}

function toBody(
  model: string,
  { turns, maxOutputTokens }: ModelRequest,
  format: AnthropicFormat,
): MessageCreateParamsStreaming {
  return {
    model,
    max_tokens: maxOutputTokens ?? MODEL_OUTPUT_TOKENS,
    ...format,
    messages: turns.map(toMessage),
    stream: true,
  };
}

function toMessage({ role, text, images = [] }: ModelTurn): MessageParam {
  if (images.length === 0) return { role, content: text };
  const parts = images.map(({ type, data }) => ({
    type: "image" as const,
    source: { type: "base64" as const, media_type: type, data },
  }));
  return { role, content: [...parts, { type: "text", text }] };
}

/** The token counts of a response. Each of them can be missing. */
type TokenCounts = { [Name in keyof Message["usage"]]?: Message["usage"][Name] | null };

async function readEvents(events: AsyncIterable<RawMessageStreamEvent>): Promise<ModelResponse> {
  let text = "";
  let tool: { input: unknown; json: string } | null = null;
  let stopped: StopReason | null = null;
  let usage: TokenCounts = {};
  for await (const event of events) {
    if (event.type === "message_start") usage = event.message.usage ?? {};
    if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
      tool ??= { input: event.content_block.input, json: "" };
    }
    if (event.type === "content_block_delta") {
      if (event.delta.type === "text_delta") text += event.delta.text;
      if (event.delta.type === "input_json_delta" && tool !== null) tool.json += event.delta.partial_json;
    }
    if (event.type === "message_delta") {
      stopped = event.delta.stop_reason ?? stopped;
      // The counts in this event replace those of `message_start`. Counts that only `message_start` has are kept.
      const counts = Object.entries(event.usage ?? {}).filter(([, count]) => count != null);
      usage = { ...usage, ...Object.fromEntries(counts) };
    }
  }
  // If the tool's input is empty, the provider sends no deltas.
  const input = tool === null ? null : tool.json || JSON.stringify(tool.input ?? {});
  return toResponse({ text, input, stopped, usage });
}

function readMessage({ content, stop_reason, usage }: Message): ModelResponse {
  const blocks = content ?? [];
  const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  const tool = blocks.find((block) => block.type === "tool_use");
  const input = tool === undefined ? null : JSON.stringify(tool.input ?? {});
  return toResponse({ text, input, stopped: stop_reason ?? null, usage: usage ?? {} });
}

function toResponse(read: {
  text: string;
  input: string | null;
  stopped: StopReason | null;
  usage: TokenCounts;
}): ModelResponse {
  const { text, input, stopped, usage } = read;
  if (stopped === "refusal") throw new ModelRefusal();
  if (stopped === null) throw new ModelFailure(DISCONNECTED, { isRetryable: true });
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage;
  return {
    // If the model called the tool, the text next to the tool's input isn't part of the answer.
    text: input ?? toAnswerText(text),
    usage: {
      input_tokens: (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0),
      output_tokens: output_tokens ?? 0,
    },
    truncated: stopped === "max_tokens" || stopped === "model_context_window_exceeded",
  };
}
