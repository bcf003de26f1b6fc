import type { ModelFailure, ModelRefusal } from "./errors";
import type { JsonSchema, StrictSchemaRules } from "./strict-schema";

export interface ModelRequest {
  system: string;
  /** The first and the last turn are the user's. */
  turns: { role: "user" | "assistant"; text: string }[];
  /** The schema of the answer. Its root describes an object. Null: any object. */
  schema: JsonSchema | null;
  maxOutputTokens?: number;
}

export interface ModelResponse {
  /** The JSON text as the model wrote it. It is neither parsed nor validated. */
  text: string;
  usage: { input_tokens: number; output_tokens: number };
  /** True if the token limit ended the answer. */
  truncated: boolean;
}

export interface Model {
  /** The name in a request's `model` and in `model_used`. */
  id: string;
  /** Throws AppError `model_refused` or `model_failed`, and the signal's reason once it is aborted. */
  complete: (request: ModelRequest, signal: AbortSignal) => Promise<ModelResponse>;
}

/** The time limits of a request to a model, in ms. */
export interface ModelTimeouts {
  /** The longest time without any data, before the answer or within it. */
  idleMs: number;
  /** The longest time for one whole answer. */
  answerMs: number;
  /** No retry starts later than this after the first failure. */
  retryMs: number;
  /** The delays before the retries, if the provider doesn't name one. There are as many retries as delays. */
  retryDelaysMs: readonly number[];
}

export interface ModelSettings {
  id: string;
  apiKey: string;
  /** Null: the provider's own URL. */
  baseUrl: string | null;
  timeouts: ModelTimeouts;
}

/** What a request needs besides its body. */
export interface RequestOptions {
  /** Fetches, and notices each piece of the response. */
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  signal: AbortSignal;
}

/** Sends one request and reads the whole answer. `format`: the way in which the provider is told what to answer with. */
export type Send<Format> = (request: ModelRequest, format: Format, options: RequestOptions) => Promise<ModelResponse>;

/** Everything that is specific to one provider of models. `Format` is the part of its request that asks for JSON. */
export interface ProviderDefinition<Format> {
  /** The name in messages. */
  label: string;
  defaultModel: string;
  strictSchema: StrictSchemaRules;
  /**
   * Returns the formats to try, the strictest first. Gateways and local servers don't know all of them. `strictSchema` is
   * the schema as strict mode accepts it, or null if it can't express the schema or none is given.
   */
  toFormats: (request: ModelRequest, strictSchema: JsonSchema | null) => [Format, ...Format[]];
  /** Loads the provider's SDK, which is large. */
  connect: (settings: ModelSettings) => Promise<Send<Format>>;
  /** Translates what the SDK threw. `hasResponse`: the provider had begun to answer. */
  readError: (error: unknown, hasResponse: boolean) => ModelFailure | ModelRefusal;
}

/** The identifiers that an SDK's type lists, without the `string` that it accepts too. */
export type KnownModel<Name> = Name extends string ? (string extends Name ? never : Name) : never;

/** Adds the format of the answer to the system prompt, for servers whose protocol has no parameter for it. */
export function toSystemWithFormat({ system, schema }: ModelRequest): string {
  // OpenAI's `json_object` requires the word JSON in the messages.
  const format = "Answer with one JSON object and nothing else: no code fence, no words before or after it.";
  if (schema === null) return `${system}\n\n${format}`;
  return `${system}\n\n${format} It must be valid against this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** Adds the type to the root of a schema, as providers require. The root of a request's schema is always an object. */
export function withObjectRoot(schema: JsonSchema): JsonSchema & { type: "object" } {
  return { ...schema, type: "object" };
}

const FENCE = "```";

/** Removes the code fence around a text. JSON never begins with one, but models that were only asked for JSON write it. */
export function withoutFence(text: string): string {
  const trimmed = text.trim();
  const head = trimmed.indexOf("\n");
  if (!trimmed.startsWith(FENCE) || !trimmed.endsWith(FENCE) || head < 0) return text;
  return trimmed.slice(head + 1, -FENCE.length).trim();
}

/** Returns true for a streamed response. Servers that don't stream send the answer as JSON. */
export function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;
}
