// A stand-in for Workers AI inside the runtime: the binding, and the address of its REST API. It checks each request
// against the documented input and answers with the documented bodies. Sources: the model's schema in
// cloudflare-docs/src/content/workers-ai-models/gemma-4-26b-a4b-it.json, workers-ai/platform/errors.mdx, and the binding
// in workerd (src/cloudflare/internal/ai-api.ts).
import type { ModelBinding } from "../../src/models/provider";
import { isObject } from "./is-object";

/** The reply to one request. */
export type Reply =
  /** A chat completion with this text as the content. */
  | { answer: string; end?: "stop" | "length" | "content_filter" | null }
  /** The output of an older model, which can be parsed JSON. */
  | { older: unknown }
  /** An error with this internal code. */
  | { code: number; text?: string; headers?: Record<string, string> }
  /** Any other body. */
  | { status: number; body: string }
  /** No response until the caller aborts. */
  | { hangs: true };

export interface Call {
  model: string;
  inputs: Record<string, unknown>;
  /** The headers of a request to the REST API. Null for a call of the binding. */
  headers: Headers | null;
}

export const USAGE = { input_tokens: 412, output_tokens: 37 };
const ERRORS: Record<number, { status: number; description: string }> = {
  3006: { status: 413, description: "Request is too large" },
  3007: { status: 408, description: "Request timeout" },
  3021: { status: 429, description: "rate limiting: inference request per min rate reached" },
  3036: {
    status: 429,
    description:
      "You have used up your daily free allocation of 10,000 neurons. Please upgrade to Cloudflare's Workers Paid plan if you would like to continue usage.",
  },
  3040: { status: 429, description: "Capacity temporarily exceeded, please try again." },
  5007: { status: 400, description: "No such model @cf/nobody/nothing or task" },
  5016: { status: 403, description: "User has not agreed to Llama3.2 model terms" },
  5021: { status: 400, description: "The estimated number of tokens exceeded this model context window limit" },
  5023: { status: 400, description: "JSON Schema mode is not supported with stream mode." },
  5025: { status: 400, description: "This model doesn't support JSON Schema." },
};

/** Returns the stand-in. Each request gets the next reply, and the last reply is repeated. */
export function createWorkersAi(...replies: [Reply, ...Reply[]]) {
  const calls: Call[] = [];
  const reply = async (call: Call, signal: AbortSignal): Promise<Response> => {
    calls.push(call);
    const broken = brokenRule(call.inputs);
    if (broken !== null) return toError(400, 5006, `Error: oneOf at '/' not met: ${broken}`);
    const next = replies.length > 1 ? replies.shift() : replies[0];
    signal.throwIfAborted();
    return await toResponse(next ?? { hangs: true }, call.model, signal);
  };
  const binding: ModelBinding = {
    run: async (model, inputs, { returnRawResponse, signal }) => {
      if (!returnRawResponse) throw new Error("The stand-in only has raw responses.");
      return await reply({ model, inputs: inputs as Call["inputs"], headers: null }, signal);
    },
  };
  /** Answers as https://api.cloudflare.com/client/v4/accounts/<id>/ai/v1/chat/completions. */
  const fetchCompletion = async (url: string, init: RequestInit): Promise<Response> => {
    if (!/^https:\/\/api\.cloudflare\.com\/client\/v4\/accounts\/[0-9a-f]{32}\/ai\/v1\/chat\/completions$/.test(url))
      return new Response("no route", { status: 404 });
    const { model, ...inputs } = JSON.parse(String(init.body));
    const headers = new Headers(init.headers);
    return await reply({ model, inputs, headers }, init.signal ?? new AbortController().signal);
  };
  return { binding, fetchCompletion, calls };
}

async function toResponse(reply: Reply, model: string, signal: AbortSignal): Promise<Response> {
  if ("hangs" in reply)
    return await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  if ("body" in reply) return new Response(reply.body, { status: reply.status });
  if ("code" in reply) {
    const { status, description } = ERRORS[reply.code] ?? { status: 500, description: "" };
    return toError(status, reply.code, reply.text ?? description, reply.headers);
  }
  const usage = {
    prompt_tokens: USAGE.input_tokens,
    completion_tokens: USAGE.output_tokens,
    total_tokens: USAGE.input_tokens + USAGE.output_tokens,
  };
  if ("older" in reply) return Response.json({ response: reply.older, usage });
  const message = { role: "assistant", content: reply.answer, refusal: null };
  const finish_reason = reply.end === undefined ? "stop" : reply.end;
  return Response.json({
    id: "id-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason, logprobs: null }],
    usage,
  });
}

function toError(status: number, internalCode: number, description: string, headers: Record<string, string> = {}) {
  const body = { internalCode, name: "AiError", description, message: `AiError: ${description}`, httpCode: status };
  return Response.json(body, { status, headers });
}

/** Returns true for a text, or for the parts of a message with images. */
function isContent(content: unknown): boolean {
  if (!Array.isArray(content)) return typeof content === "string";
  return content.every(
    ({ type, text, image_url: image }) =>
      (type === "text" && typeof text === "string") || (type === "image_url" && /^data:image\//.test(image?.url)),
  );
}

/** Returns the rule of the documented input that a request breaks, or null. */
function brokenRule({ messages, response_format: format, stream, ...others }: Record<string, unknown>): string | null {
  if (!Array.isArray(messages) || messages.length === 0) return "messages: required";
  for (const { role, content } of messages)
    if (!["system", "user", "assistant"].includes(role) || !isContent(content)) return "messages: invalid";
  if (stream !== false && stream !== undefined && format !== undefined) return "stream: not with response_format";
  for (const name of Object.keys(others))
    if (!["max_completion_tokens", "chat_template_kwargs"].includes(name)) return `${name}: unknown`;
  if (!Number.isInteger(others.max_completion_tokens)) return "max_completion_tokens: not an integer";
  if (format === undefined) return null;
  if (!isObject(format)) return "response_format: not an object";
  if (format.type === "json_object") return null;
  const { json_schema: schema } = format;
  if (format.type !== "json_schema" || !isObject(schema)) return "response_format: invalid type";
  return typeof schema.name === "string" && isObject(schema.schema) ? null : "response_format: no name or schema";
}
