import type { JsonSchema, StrictSchemaRules } from "./strict-schema";

export interface ModelTurn {
  role: "user" | "assistant";
  text: string;
  /** The images in front of the text of a user's turn. */
  images?: ModelImage[];
}

export interface ModelImage {
  type: "image/jpeg" | "image/png";
  /** The bytes of the file in base64. */
  data: string;
}

export interface ModelRequest {
  system: string;
  /** The messages so far. The first and the last one are the user's. */
  turns: ModelTurn[];
  /** The schema of the answer. Its root must describe an object. Null if any object is allowed. */
  schema: JsonSchema | null;
  maxOutputTokens?: number;
}

export interface ModelResponse {
  /** The JSON text that the model wrote. It hasn't been parsed or validated. */
  text: string;
  usage: { input_tokens: number; output_tokens: number };
  /** True if the answer was cut off at the token limit. */
  truncated: boolean;
}

export interface Model {
  /** The model's name in a request's `model` and in the response's `model_used`. */
  id: string;
  /** Sends a request. Throws AppError `model_refused` or `model_failed`, or the signal's reason. */
  complete: (request: ModelRequest, signal: AbortSignal) => Promise<ModelResponse>;
}

/** The time limits of a model request, in ms. */
export interface ModelTimeouts {
  /** The maximum time without data, both before the answer starts and during the answer. */
  idleMs: number;
  /** The maximum time for a complete answer. */
  answerMs: number;
  /** The maximum time between the first failure and the start of a retry. */
  retryMs: number;
  /** The delays before the retries, unless the provider gives one. The length of the list is the number of retries. */
  retryDelaysMs: readonly number[];
}

/** The method of the Workers AI binding that the service uses. */
export interface ModelBinding {
  run: (model: string, inputs: object, options: { returnRawResponse: true; signal: AbortSignal }) => Promise<Response>;
}

/** The way in which requests reach a provider. */
interface ModelAccess {
  apiKey: string;
  /** The URL that replaces the provider's default URL, or null. */
  baseUrl: string | null;
  /** The binding that replaces requests to a URL. Null if the provider has none. */
  binding: ModelBinding | null;
}

export interface ModelSettings extends ModelAccess {
  id: string;
  timeouts: ModelTimeouts;
}

/** The variables of a provider and the binding of Workers AI, as the operator set them. Null for each missing one. */
type GivenAccess = Omit<ModelAccess, "apiKey"> & { apiKey: string | null };

export interface RequestOptions {
  /** Calls `fetch`, and observes each chunk of the response. */
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Observes each chunk of a response that didn't come from `fetch`. Returns the response to read. */
  watch: (response: Response) => Response;
  signal: AbortSignal;
}

/** Sends one request and reads the answer. `format` is the part that makes the model return JSON. */
export type Send<Format> = (request: ModelRequest, format: Format, options: RequestOptions) => Promise<ModelResponse>;

/** The properties in which providers differ. `Format` is the part of a request that makes the model return JSON. */
export interface ProviderDefinition<Format> {
  /** The provider's name in error messages. */
  label: string;
  defaultModel: string;
  /** True if requests may name the model without its key. The error then names the key. Others aren't mentioned. */
  isAlwaysAccepted: boolean;
  /** True if the provider sends an answer in one piece. The service then waits for it up to the limit for a whole answer. */
  sendsWholeAnswers: boolean;
  /** Returns how requests reach the provider, or null if a setting is missing. */
  chooseAccess: (given: GivenAccess) => ModelAccess | null;
  strictSchema: StrictSchemaRules;
  /**
   * Returns the formats to try, the strictest first. Some gateways and local servers support only a few of them.
   * `strictSchema` is the schema for strict mode. It is null if there is no schema, or if strict mode can't express it.
   */
  toFormats: (request: ModelRequest, strictSchema: JsonSchema | null) => [Format, ...Format[]];
  /** Loads the provider's SDK. The SDK is large, so it is loaded only when needed. */
  connect: (settings: ModelSettings) => Promise<Send<Format>>;
}

/** Extracts the model names from an SDK's type, which also includes `string`. The result doesn't include `string`. */
export type KnownModel<Name> = Name extends string ? (string extends Name ? never : Name) : never;

/** Adds the format of the answer to the system prompt, for servers without a parameter for it. */
export function toSystemWithFormat({ system, schema }: ModelRequest): string {
  // OpenAI's format `json_object` requires the word JSON in the messages.
  const format = "Answer with one JSON object and nothing else: no code fence, no words before or after it.";
  if (schema === null) return `${system}\n\n${format}`;
  return `${system}\n\n${format} It must be valid against this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** Adds the type `object` to the root of a schema, which always is an object. Providers require it. */
export function withObjectRoot(schema: JsonSchema): JsonSchema & { type: "object" } {
  return { ...schema, type: "object" };
}

/** Returns the access to a provider that needs only a key, or null if the key is missing. */
export function withKey({ apiKey, baseUrl }: GivenAccess): ModelAccess | null {
  return apiKey === null ? null : { apiKey, baseUrl, binding: null };
}

/** Matches an answer in a code fence. Some models add the fence, although the prompt forbids it. */
const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/i;

/** Matches the reasoning that local models write before the answer. Some templates omit its start tag. */
const REASONING = /^(?:[^{`][\s\S]*?)?<\/think(?:ing)?>/i;

/** Removes what models write around an answer in JSON: reasoning, a code fence, a BOM and white space. */
export function toAnswerText(text: string): string {
  const trimmed = text.trim().replace(REASONING, "").trim();
  return FENCED.exec(trimmed)?.[1]?.trim() ?? trimmed;
}

/** Returns true for a streamed response. Servers without streaming send the answer as JSON. */
export function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;
}
