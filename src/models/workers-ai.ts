import { parseJson } from "../lib/json";
import { MODEL_OUTPUT_TOKENS } from "../model/limits";
import { ModelFailure, readSdkError } from "./errors";
import { type Completion, openai, readCompletion, toMessage } from "./openai";
import {
  type ModelRequest,
  type ModelResponse,
  type ModelSettings,
  type ProviderDefinition,
  type RequestOptions,
  toSystemWithFormat,
  withObjectRoot,
} from "./provider";

interface WorkersAiFormat {
  system: string;
  response_format?: object;
  chat_template_kwargs?: object;
}

/** Codes of a used allocation: https://developers.cloudflare.com/workers-ai/platform/errors/. One is undocumented. */
const ALLOCATION_CODES: ReadonlySet<number> = new Set([3036, 4006]);
const NO_MODEL_CODES: ReadonlySet<number> = new Set([3042, 5007]);
/** The codes for a format that the model doesn't support (cloudflare-docs #21316, cloudflare/agents #1685). */
const FORMAT_CODES: ReadonlySet<number> = new Set([5023, 5024, 5025]);
/** The error of a model that couldn't follow the schema. The documentation gives it no code. */
const FORMAT_MESSAGE = /JSON mode couldn't be met/i;
const ALLOCATION_MESSAGE = /daily free allocation/i;
/** Gemma and other models reason before they answer, unless the request turns it off. Extraction doesn't need it. */
const WITHOUT_REASONING = { chat_template_kwargs: { enable_thinking: false } };

/**
 * Cloudflare's Workers AI, through the binding `AI` or through its address with an API token. The binding needs no key.
 * Answers aren't streamed, because Workers AI doesn't support JSON output with streaming.
 */
export const workersAi: ProviderDefinition<WorkersAiFormat> = {
  label: "Workers AI",
  // A current model with JSON output, a context of 256,000 tokens and a low price, which the Free plan includes.
  defaultModel: "@cf/google/gemma-4-26b-a4b-it",
  isAlwaysAccepted: false,
  sendsWholeAnswers: true,
  chooseAccess: ({ apiKey, baseUrl, binding }) => {
    if (apiKey !== null && baseUrl !== null)
      return { apiKey, baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ""), binding: null };
    return binding === null ? null : { apiKey: "", baseUrl: null, binding };
  },
  strictSchema: openai.strictSchema,
  toFormats: (request, strict) => {
    const system = toSystemWithFormat(request);
    const object = { system, ...WITHOUT_REASONING, response_format: { type: "json_object" } };
    const { schema } = request;
    if (schema === null) return [object, { system }];
    const json_schema = { name: "extraction", schema: strict ?? withObjectRoot(schema), strict: strict !== null };
    // The prompt has the schema too, because older models ignore the name and the flag around it.
    return [{ ...object, response_format: { type: "json_schema", json_schema } }, object, { system }];
  },
  connect: async (settings) => async (request, format, options) => {
    const response = await send(settings, toInputs(request, format), options);
    // An error's body can be a page of a gateway.
    const body: Body = Object(parseJson(await response.text()));
    const { code, message } = toError(body);
    if (!response.ok || message !== "") throw toFailure(response, code, message);
    return readModelAnswer(body);
  },
};

/** The raw response has the status, which the errors that the binding throws don't have. */
async function send(settings: ModelSettings, inputs: object, options: RequestOptions): Promise<Response> {
  const { id, apiKey, baseUrl, binding } = settings;
  const { signal } = options;
  if (binding !== null) return options.watch(await binding.run(id, inputs, { returnRawResponse: true, signal }));
  return await options.fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: id, ...inputs }),
    signal,
  });
}

function toInputs({ turns, maxOutputTokens }: ModelRequest, { system, ...format }: WorkersAiFormat): object {
  return {
    messages: [{ role: "system", content: system }, ...turns.map(toMessage)],
    ...format,
    // Older models have a default of 256 tokens.
    max_completion_tokens: maxOutputTokens ?? MODEL_OUTPUT_TOKENS,
    stream: false,
  };
}

/** The documented bodies: a chat completion, the output of older models, or an error in one of three forms. */
interface Body extends Completion {
  response?: unknown;
  /** The REST API wraps the output of older models in this property. */
  result?: Body | null;
  internalCode?: number;
  description?: string;
  message?: string;
  errors?: { code?: number; message?: string }[];
  error?: { code?: number | string | null; message?: string } | null;
}

function toError({ internalCode, description, message, errors, error }: Body): { code: number; message: string } {
  const [first] = errors ?? [];
  const text = description ?? first?.message ?? error?.message ?? message ?? "";
  const leading = /^(?:AiError: )?(\d{4}):/.exec(text)?.[1];
  return { code: Number(internalCode ?? first?.code ?? error?.code ?? leading ?? 0), message: text };
}

function toFailure({ status, headers }: Response, code: number, message: string) {
  const cause = Object.assign(new Error(message), { status, headers, code });
  const fail = (text: string, isFormatRejected = false) =>
    new ModelFailure(text, { status, isRetryable: false, isFormatRejected, cause });
  if (ALLOCATION_CODES.has(code) || ALLOCATION_MESSAGE.test(message))
    return fail("is used up for today, because the Cloudflare account has no more free allocation");
  if (NO_MODEL_CODES.has(code)) return fail("doesn't exist");
  if (FORMAT_CODES.has(code) || FORMAT_MESSAGE.test(message))
    return fail("couldn't answer in the requested format", true);
  return readSdkError(cause, true);
}

function readModelAnswer(body: Body): ModelResponse {
  const answer = body.result ?? body;
  const { choices, response } = answer;
  if (choices !== undefined || response === undefined || response === null) return readCompletion(answer);
  const content = typeof response === "string" ? response : JSON.stringify(response);
  return readCompletion({ ...answer, choices: [{ message: { content }, finish_reason: "stop" }] });
}
