import type { ClientOptions } from "openai";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from "openai/resources/chat/completions";
import type { ChatModel } from "openai/resources/shared";
import { type Attempt, isEventStream } from "./attempt";
import { BROKE_OFF, ModelFailure, ModelRefusal } from "./failure";
import type { Known, Model, ModelAnswer, ModelQuestion, ModelSettings } from "./model";
import { askInForms } from "./retry";
import { OPENAI_STRICT, toStrictSchema } from "./strictness";
import { systemWithForm, withObjectRoot, withoutFence } from "./words";

export const OPENAI_MODEL_DEFAULT = "gpt-5.4-mini" satisfies Known<ChatModel>;

type Form = Pick<ChatCompletionCreateParamsStreaming, "response_format"> & { system: string };

/** Chat Completions rather than Responses: that is what gateways and local servers speak. */
export function openaiModel(settings: ModelSettings): Model {
  return {
    id: settings.id,
    ask: async (question, signal) => {
      // As large as all the rest, and needed for parse alone.
      const [{ OpenAI }, { Stream }] = await Promise.all([import("openai"), import("openai/streaming")]);
      return await askInForms(formsOf(question), { ...settings, provider: "OpenAI", signal }, async (form, attempt) => {
        const { completions } = new OpenAI(toOptions(settings, attempt)).chat;
        const body = toBody(settings.id, question, form);
        const response = await completions.create(body, { signal: attempt.signal }).asResponse();
        if (!isEventStream(response)) return readCompletion(await response.json<ChatCompletion>());
        return await readChunks(Stream.fromSSEResponse<ChatCompletionChunk>(response, new AbortController()));
      });
    },
  };
}

function formsOf(question: ModelQuestion): [Form, ...Form[]] {
  const inWords = systemWithForm(question);
  const forms: [Form, Form] = [{ system: inWords, response_format: { type: "json_object" } }, { system: inWords }];
  if (question.schema === null) return forms;
  const strict = toStrictSchema(question.schema, OPENAI_STRICT);
  const schema = strict ?? withObjectRoot(question.schema);
  const json_schema = { name: "extraction", schema, strict: strict !== null };
  return [{ system: question.system, response_format: { type: "json_schema", json_schema } }, ...forms];
}

function toOptions({ apiKey, baseUrl, patience }: ModelSettings, attempt: Attempt): ClientOptions {
  return {
    apiKey,
    baseURL: baseUrl,
    // What isn't given is looked for in the environment.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: patience.answerMs,
    logLevel: "off",
    fetch: attempt.fetch,
  };
}

function toBody(
  model: string,
  { turns, maxOutputTokens }: ModelQuestion,
  { system, ...form }: Form,
): ChatCompletionCreateParamsStreaming {
  return {
    model,
    messages: [{ role: "system", content: system }, ...turns.map(({ role, text }) => ({ role, content: text }))],
    ...form,
    ...(maxOutputTokens === undefined ? {} : { max_completion_tokens: maxOutputTokens }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

type Choice = Pick<ChatCompletion.Choice, "finish_reason">;

async function readChunks(chunks: AsyncIterable<ChatCompletionChunk>): Promise<ModelAnswer> {
  let text = "";
  let refusal = "";
  let finished: Choice["finish_reason"] | null = null;
  let usage: ChatCompletion["usage"];
  for await (const chunk of chunks) {
    const choice = chunk.choices?.[0];
    text += choice?.delta?.content ?? "";
    refusal += choice?.delta?.refusal ?? "";
    finished = choice?.finish_reason ?? finished;
    usage = chunk.usage ?? usage;
  }
  return toAnswer({ text, refusal, finished, usage });
}

function readCompletion({ choices, usage }: ChatCompletion): ModelAnswer {
  const choice = choices?.[0];
  const { content, refusal } = choice?.message ?? {};
  return toAnswer({ text: content ?? "", refusal: refusal ?? "", finished: choice?.finish_reason ?? null, usage });
}

function toAnswer(read: {
  text: string;
  refusal: string;
  finished: Choice["finish_reason"] | null;
  usage: ChatCompletion["usage"];
}): ModelAnswer {
  const { text, refusal, finished, usage } = read;
  if (refusal !== "" || finished === "content_filter") throw new ModelRefusal();
  if (finished === null) throw new ModelFailure(BROKE_OFF, { mayRetry: true });
  return {
    text: withoutFence(text),
    usage: { input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 },
    truncated: finished === "length",
  };
}
