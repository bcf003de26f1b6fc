import { toPositiveNumber, toText } from "../lib/env";
import { AppError } from "../model/errors";
import {
  MODEL_RESPONSE_MS,
  MODEL_RETRY_DELAYS_MS,
  MODEL_RETRY_MS,
  MODEL_SILENCE_MS_DEFAULT,
  SECOND_MS,
} from "../model/limits";
import { anthropic } from "./anthropic";
import { openai } from "./openai";
import type { Model, ModelSettings, ModelTimeouts, ProviderDefinition } from "./provider";
import { PROVIDER_NAMES, type ProviderName, type ProviderVariable, toVariable } from "./provider-names";
import { createModel } from "./request";

interface Provider {
  defaultModel: string;
  createModel: (settings: ModelSettings) => Model;
}

const PROVIDERS: { [Name in ProviderName]: Provider } = {
  openai: toProvider(openai),
  anthropic: toProvider(anthropic),
};

type ModelEnv = Partial<Pick<Env, ProviderVariable | "MODEL_SILENCE_SECONDS">>;

export interface Models {
  /** The identifiers that a request may name, with a key or without. */
  accepted: string[];
  /** The models that have a key, the default one first. */
  configured: Model[];
}

/** Returns the models of all providers, as the environment variables configure them. */
export function availableModels(env: ModelEnv, timeouts: ModelTimeouts = toTimeouts(env)): Models {
  const candidates = PROVIDER_NAMES.map((name) => ({ name, id: toModelId(env, name) }));
  return {
    accepted: candidates.map(({ id }) => id),
    configured: candidates.flatMap(({ name, id }) => {
      const apiKey = toText(env[toVariable(name, "API_KEY")]);
      const baseUrl = toText(env[toVariable(name, "BASE_URL")]);
      return apiKey === null ? [] : [PROVIDERS[name].createModel({ id, apiKey, baseUrl, timeouts })];
    }),
  };
}

/**
 * Returns the requested model, or the first one that has a key if none is requested. Throws AppError `invalid_request`, or
 * `unavailable` if no model has a key.
 */
export function chooseModel({ accepted, configured }: Models, requested: string | undefined): Model {
  if (requested !== undefined && !accepted.includes(requested)) {
    throw invalidModel(`must be ${accepted.map((id) => `'${id}'`).join(" or ")}`);
  }
  const keyVariables = PROVIDER_NAMES.map((name) => toVariable(name, "API_KEY"));
  const [first] = configured;
  if (first === undefined) {
    throw new AppError("unavailable", `No model is configured: set ${keyVariables.join(" or ")}.`, {
      headers: { "Retry-After": "3600" },
    });
  }
  const model = requested === undefined ? first : configured.find(({ id }) => id === requested);
  if (model !== undefined) return model;
  // `accepted` has one entry for each provider, in the same order.
  const variable = keyVariables[accepted.indexOf(requested ?? "")];
  throw invalidModel(`must be '${first.id}' here: '${requested}' has no key (${variable} isn't set)`);
}

function toProvider<Format>(definition: ProviderDefinition<Format>): Provider {
  const { defaultModel } = definition;
  return { defaultModel, createModel: (settings) => createModel(definition, settings) };
}

function toModelId(env: ModelEnv, name: ProviderName): string {
  return toText(env[toVariable(name, "MODEL")]) ?? PROVIDERS[name].defaultModel;
}

function invalidModel(message: string): AppError {
  return new AppError("invalid_request", `The parameter 'model' ${message}.`, {
    details: [{ path: "model", message }],
  });
}

function toTimeouts({ MODEL_SILENCE_SECONDS }: ModelEnv): ModelTimeouts {
  return {
    idleMs: toPositiveNumber(MODEL_SILENCE_SECONDS, MODEL_SILENCE_MS_DEFAULT / SECOND_MS) * SECOND_MS,
    answerMs: MODEL_RESPONSE_MS,
    retryMs: MODEL_RETRY_MS,
    retryDelaysMs: MODEL_RETRY_DELAYS_MS,
  };
}
