/** A JSON Schema that is an object, of whatever draft. */
export type JsonSchema = Record<string, unknown>;

export interface ModelQuestion {
  system: string;
  /** The first and the last are the user's. */
  turns: { role: "user" | "assistant"; text: string }[];
  /** What the answer should be valid against; its root describes an object. Null: any object. */
  schema: JsonSchema | null;
  maxOutputTokens?: number;
}

export interface ModelAnswer {
  /** The JSON text as the model gave it: neither parsed nor validated. */
  text: string;
  usage: { input_tokens: number; output_tokens: number };
  /** The limit of tokens cut it off. */
  truncated: boolean;
}

export interface Model {
  /** As a request's `model` names it, and `model_used` tells. */
  id: string;
  /** Throws AppError model_refused or model_failed, and the signal's reason once that is aborted. */
  ask: (question: ModelQuestion, signal: AbortSignal) => Promise<ModelAnswer>;
}

/** How long a model is waited for, in ms. */
export interface Patience {
  /** It may say nothing for so long, before its answer or in the middle of it. */
  silenceMs: number;
  /** One whole answer, however lively. */
  answerMs: number;
  /** From the first failure on: no other try begins later. */
  retryMs: number;
  /** Before the second try and those after it, where the provider doesn't name a pause. Their number is that of the retries. */
  pausesMs: readonly number[];
}

export interface ModelSettings {
  id: string;
  apiKey: string;
  /** Null: the provider's own. */
  baseUrl: string | null;
  patience: Patience;
}

/** The identifiers that an SDK's type lists, without the `string` that it takes besides. */
export type Known<Name> = Name extends string ? (string extends Name ? never : Name) : never;
