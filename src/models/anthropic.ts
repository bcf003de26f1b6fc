import type { ClientOptions } from "@anthropic-ai/sdk";
import type {
  Message,
  MessageCreateParamsStreaming,
  Model as ModelName,
  RawMessageStreamEvent,
  StopReason,
} from "@anthropic-ai/sdk/resources/messages";
import { MODEL_OUTPUT_TOKENS } from "../model/limits";
import { type Attempt, isEventStream } from "./attempt";
import { BROKE_OFF, ModelFailure, ModelRefusal } from "./failure";
import type { Known, Model, ModelAnswer, ModelQuestion, ModelSettings } from "./model";
import { askInForms } from "./retry";
import { ANTHROPIC_STRICT, toStrictSchema } from "./strictness";
import { systemWithForm, withObjectRoot, withoutFence } from "./words";

export const ANTHROPIC_MODEL_DEFAULT = "claude-haiku-4-5" satisfies Known<ModelName>;

type Form = Pick<MessageCreateParamsStreaming, "output_config" | "tools" | "tool_choice"> & { system: string };

export function anthropicModel(settings: ModelSettings): Model {
  return {
    id: settings.id,
    ask: async (question, signal) => {
      const [sdk, { Stream }] = await Promise.all([import("@anthropic-ai/sdk"), import("@anthropic-ai/sdk/streaming")]);
      return await askInForms(
        formsOf(question),
        { ...settings, provider: "Anthropic", signal },
        async (form, attempt) => {
          const { messages } = new sdk.Anthropic(toOptions(settings, attempt));
          const body = toBody(settings.id, question, form);
          const response = await messages.create(body, { signal: attempt.signal }).asResponse();
          if (!isEventStream(response)) return readMessage(await response.json<Message>());
          return await readEvents(Stream.fromSSEResponse<RawMessageStreamEvent>(response, new AbortController()));
        },
      );
    },
  };
}

function formsOf(question: ModelQuestion): [Form, ...Form[]] {
  const inWords: Form = { system: systemWithForm(question) };
  const strict = question.schema === null ? null : toStrictSchema(question.schema, ANTHROPIC_STRICT);
  if (strict === null) return [toolForm(question), inWords];
  return [{ system: question.system, output_config: { format: { type: "json_schema", schema: strict } } }, inWords];
}

/** A tool that must be called takes any schema, but doesn't hold the model to it. */
function toolForm({ system, schema }: ModelQuestion): Form {
  const name = "extraction";
  return {
    system,
    tools: [{ name, description: "Takes what was extracted.", input_schema: withObjectRoot(schema ?? {}) }],
    tool_choice: { type: "tool", name, disable_parallel_tool_use: true },
  };
}

function toOptions({ apiKey, baseUrl, patience }: ModelSettings, attempt: Attempt): ClientOptions {
  return {
    apiKey,
    baseURL: baseUrl,
    // What isn't given is looked for in the environment.
    webhookKey: null,
    maxRetries: 0,
    timeout: patience.answerMs,
    logLevel: "off",
    openTelemetry: false,
    fetch: attempt.fetch,
    // The SDK sends the key as a bearer token; gateways and local servers may know the older header alone.
    defaultHeaders: { "x-api-key": apiKey },
  };
}

function toBody(model: string, { turns, maxOutputTokens }: ModelQuestion, form: Form): MessageCreateParamsStreaming {
  return {
    model,
    max_tokens: maxOutputTokens ?? MODEL_OUTPUT_TOKENS,
    ...form,
    messages: turns.map(({ role, text }) => ({ role, content: text })),
    stream: true,
  };
}

/** The counts of tokens that an answer may leave out. */
type Counts = { [Name in keyof Message["usage"]]?: Message["usage"][Name] | null };

async function readEvents(events: AsyncIterable<RawMessageStreamEvent>): Promise<ModelAnswer> {
  let text = "";
  let tool: { input: unknown; json: string } | null = null;
  let stopped: StopReason | null = null;
  let usage: Counts = {};
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
      // Its counts are those of the whole message; it needn't repeat all of them.
      usage = { ...usage, ...withoutNulls(event.usage ?? {}) };
    }
  }
  // An empty input comes without any pieces.
  const input = tool === null ? null : tool.json || JSON.stringify(tool.input ?? {});
  return toAnswer({ text, input, stopped, usage });
}

function readMessage({ content, stop_reason, usage }: Message): ModelAnswer {
  const blocks = content ?? [];
  const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  const tool = blocks.find((block) => block.type === "tool_use");
  const input = tool === undefined ? null : JSON.stringify(tool.input ?? {});
  return toAnswer({ text, input, stopped: stop_reason ?? null, usage: usage ?? {} });
}

function toAnswer(read: {
  text: string;
  input: string | null;
  stopped: StopReason | null;
  usage: Counts;
}): ModelAnswer {
  const { text, input, stopped, usage } = read;
  if (stopped === "refusal") throw new ModelRefusal();
  if (stopped === null) throw new ModelFailure(BROKE_OFF, { mayRetry: true });
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage;
  return {
    // Beside a tool's input, text is small talk.
    text: input ?? withoutFence(text),
    usage: {
      input_tokens: (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0),
      output_tokens: output_tokens ?? 0,
    },
    truncated: stopped === "max_tokens" || stopped === "model_context_window_exceeded",
  };
}

function withoutNulls(counts: object): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count != null));
}
