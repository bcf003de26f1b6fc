import type { ClientOptions } from "openai";
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { ChatModel } from "openai/resources/shared";
import { lazyModule } from "../lib/lazy";
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
import { COMMON_FORMATS, COMMON_KEYWORDS, type JsonSchema, type StrictSchemaRules } from "./strict-schema";

const loadSdk = lazyModule(() => import("openai"));
const loadStreaming = lazyModule(() => import("openai/streaming"));

type OpenAIFormat = Pick<ChatCompletionCreateParamsStreaming, "response_format"> & { system: string };

/** Limits of strict mode: https://developers.openai.com/api/docs/guides/structured-outputs */
const STRICT_SCHEMA: StrictSchemaRules = {
  keywords: new Set([
    ...COMMON_KEYWORDS,
    "definitions",
    "pattern",
    "maxItems",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
  ]),
  formats: new Set(COMMON_FORMATS),
  allRequired: true,
};

/** OpenAI, and servers with the same API. Gateways and local servers have only Chat Completions. */
export const openai: ProviderDefinition<OpenAIFormat> = {
  label: "OpenAI",
  defaultModel: "gpt-5.4-mini" satisfies KnownModel<ChatModel>,
  isAlwaysAccepted: true,
  sendsWholeAnswers: false,
  chooseAccess: withKey,
  strictSchema: STRICT_SCHEMA,
  toFormats: (request, strict) => {
    const inPrompt = toSystemWithFormat(request);
    const formats: [OpenAIFormat, OpenAIFormat] = [
      { system: inPrompt, response_format: { type: "json_object" } },
      { system: inPrompt },
    ];
    const { system, schema } = request;
    if (schema === null) return formats;
    const lenient = toSchemaFormat(system, withObjectRoot(schema), false);
    return strict === null ? [lenient, ...formats] : [toSchemaFormat(system, strict, true), lenient, ...formats];
  },
  connect: async (settings) => {
    const [{ OpenAI }, { Stream }] = await Promise.all([loadSdk(), loadStreaming()]);
    return async (request, format, options) => {
      const { completions } = new OpenAI(toClientOptions(settings, options)).chat;
      const body = toBody(settings.id, request, format);
      const response = await completions.create(body, { signal: options.signal }).asResponse();
      if (!isEventStream(response)) return readCompletion(await response.json<Completion>());
      return await readChunks(Stream.fromSSEResponse<ChatCompletionChunk>(response, new AbortController()));
    };
  },
};

/** Returns the format that requires answers with a schema. Without strict mode, the model isn't forced to follow it. */
function toSchemaFormat(system: string, schema: JsonSchema, strict: boolean): OpenAIFormat {
  return { system, response_format: { type: "json_schema", json_schema: { name: "extraction", schema, strict } } };
}

function toClientOptions({ apiKey, baseUrl, timeouts }: ModelSettings, { fetch }: RequestOptions): ClientOptions {
  return {
    apiKey,
    baseURL: baseUrl,
    // Set to null, because the SDK reads a missing option from the environment.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: timeouts.answerMs,
    logLevel: "off",
    fetch,
  };
}

function toBody(
  model: string,
  { turns, maxOutputTokens }: ModelRequest,
  { system, ...format }: OpenAIFormat,
): ChatCompletionCreateParamsStreaming {
  return {
    model,
    messages: [{ role: "system", content: system }, ...turns.map(toMessage)],
    ...format,
    ...(maxOutputTokens === undefined ? {} : { max_completion_tokens: maxOutputTokens }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** Returns a message with its images as data URLs. Workers AI has the same form. */
export function toMessage({ role, text, images = [] }: ModelTurn): ChatCompletionMessageParam {
  if (role === "assistant" || images.length === 0) return { role, content: text };
  const parts = images.map(({ type, data }) => ({
    type: "image_url" as const,
    image_url: { url: `data:${type};base64,${data}` },
  }));
  return { role, content: [...parts, { type: "text", text }] };
}

/** The parts of a chat completion that are read. Compatible servers can leave out each of them. */
export interface Completion {
  choices?: { message?: { content?: string | null; refusal?: string | null }; finish_reason?: string | null }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
}

async function readChunks(chunks: AsyncIterable<ChatCompletionChunk>): Promise<ModelResponse> {
  let content = "";
  let refusal = "";
  let finished: string | null = null;
  let usage: ChatCompletionChunk["usage"] = null;
  for await (const chunk of chunks) {
    const choice = chunk.choices?.[0];
    content += choice?.delta?.content ?? "";
    refusal += choice?.delta?.refusal ?? "";
    finished = choice?.finish_reason ?? finished;
    usage = chunk.usage ?? usage;
  }
  return readCompletion({ choices: [{ message: { content, refusal }, finish_reason: finished }], usage });
}

/** Returns the answer of a completion. Throws ModelRefusal, or ModelFailure for an answer without its end. */
export function readCompletion({ choices, usage }: Completion): ModelResponse {
  const { message, finish_reason: finished = null } = choices?.[0] ?? {};
  if (message?.refusal || finished === "content_filter") throw new ModelRefusal();
  if (finished === null) throw new ModelFailure(DISCONNECTED, { isRetryable: true });
  return {
    text: toAnswerText(message?.content ?? ""),
    usage: { input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 },
    truncated: finished === "length",
  };
}
