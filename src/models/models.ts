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
  /** The model names that a request may use, including those without an API key. */
  accepted: string[];
  /** The models that have an API key. The first one is the default. */
  configured: Model[];
}

/** Returns the models of all providers, as configured by the environment variables. */
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
 * Returns the requested model. If none is requested, returns the first one that has an API key. Throws AppError
 * `invalid_request`, or `unavailable` if no model has an API key.
 */
export function chooseModel({ accepted, configured }: Models, requested: string | undefined): Model {
  if (requested !== undefined && !accepted.includes(requested)) {
    throw invalidModel(`must be ${accepted.map((id) => `'${id}'`).join(" or ")}`);
  }
  const keyVariables = PROVIDER_NAMES.map((name) => toVariable(name, "API_KEY"));
  const [first] = configured;
  if (first === undefined) {
    throw new AppError("unavailable", `No model is configured. Set ${keyVariables.join(" or ")}.`, {
      headers: { "Retry-After": "3600" },
    });
  }
  const model = requested === undefined ? first : configured.find(({ id }) => id === requested);
  if (model !== undefined) return model;
  // `accepted` has one entry per provider, in the order of `keyVariables`.
  const variable = keyVariables[accepted.indexOf(requested ?? "")];
  throw invalidModel(`must be '${first.id}'; the model '${requested}' has no API key, because ${variable} isn't set`);
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
