import { invalidParameter } from "../contract/invalid-request";
import { toPositiveNumber, toText } from "../lib/env";
import { AppError } from "../model/errors";
import {
  MODEL_RESPONSE_MS,
  MODEL_RETRY_DELAYS_MS,
  MODEL_RETRY_MS,
  MODEL_SILENCE_MS_DEFAULT,
  SECOND_MS,
} from "../model/limits";
import { parseOcrModel } from "../model/variables";
import { anthropic } from "./anthropic";
import { openai } from "./openai";
import type { Model, ModelSettings, ModelTimeouts, ProviderDefinition } from "./provider";
import { PROVIDER_NAMES, type ProviderName, type ProviderVariable, toVariable } from "./provider-names";
import { createModel } from "./request";
import { workersAi } from "./workers-ai";

interface Provider
  extends Pick<
    ProviderDefinition<unknown>,
    "defaultModel" | "isAlwaysAccepted" | "sendsWholeAnswers" | "chooseAccess"
  > {
  createModel: (settings: ModelSettings) => Model;
}

const PROVIDERS: { [Name in ProviderName]: Provider } = {
  openai: toProvider(openai),
  anthropic: toProvider(anthropic),
  workers_ai: toProvider(workersAi),
};

type ModelEnv = Partial<Pick<Env, ProviderVariable | "MODEL_SILENCE_SECONDS" | "MODEL_OCR" | "AI">>;

export interface Models {
  /** The model names that a request may use, including those without an API key. */
  accepted: string[];
  /** The models that can be called. The first one is the default. */
  configured: Model[];
}

/** Returns the models of all providers, as configured by the environment variables and the binding. */
export function availableModels(env: ModelEnv, timeouts: ModelTimeouts = toTimeouts(env)): Models {
  const models = PROVIDER_NAMES.map((name) => {
    const id = toModelId(env, name);
    const model = connectModel(env, { name, id, timeouts });
    return { id, model, isAccepted: PROVIDERS[name].isAlwaysAccepted || model !== null };
  });
  return {
    accepted: models.filter(({ isAccepted }) => isAccepted).map(({ id }) => id),
    configured: models.flatMap(({ model }) => model ?? []),
  };
}

function toModelId(env: ModelEnv, name: ProviderName): string {
  return toText(env[toVariable(name, "MODEL")]) ?? PROVIDERS[name].defaultModel;
}

/** Returns a model of a provider, or null if the provider isn't configured. */
function connectModel(
  env: ModelEnv,
  { name, id, timeouts }: { name: ProviderName; id: string; timeouts: ModelTimeouts },
): Model | null {
  const provider = PROVIDERS[name];
  const access = provider.chooseAccess({
    apiKey: toText(env[toVariable(name, "API_KEY")]),
    baseUrl: toText(env[toVariable(name, "BASE_URL")]),
    binding: env.AI ?? null,
  });
  const idleMs = provider.sendsWholeAnswers ? timeouts.answerMs : timeouts.idleMs;
  return access && provider.createModel({ ...access, id, timeouts: { ...timeouts, idleMs } });
}

/** Returns the model that reads scanned pages: that of MODEL_OCR, or else the default model. Null if there is none. */
export function findOcrModel(env: ModelEnv): Model | null {
  const variable = toText(env.MODEL_OCR);
  if (variable === null) return availableModels(env).configured[0] ?? null;
  const chosen = parseOcrModel(variable);
  const name = PROVIDER_NAMES.find((each) => each === chosen?.provider);
  if (name === undefined) return null;
  return connectModel(env, { name, id: chosen?.id ?? toModelId(env, name), timeouts: toTimeouts(env) });
}

/** The variables with the keys of the providers whose models are always accepted. */
const KEY_VARIABLES = PROVIDER_NAMES.filter((name) => PROVIDERS[name].isAlwaysAccepted).map((name) =>
  toVariable(name, "API_KEY"),
);

/** Returns the requested model, or the first available one. Throws AppError `invalid_request` or `not_configured`. */
export function chooseModel({ accepted, configured }: Models, requested: string | undefined): Model {
  if (requested !== undefined && !accepted.includes(requested)) {
    throw invalidParameter(
      "model",
      `must be ${accepted.map((id) => `'${id}'`).join(" or ")}; omit it to use the default model`,
    );
  }
  const [first] = configured;
  if (first === undefined) {
    throw new AppError("not_configured", `No model is configured. Set ${KEY_VARIABLES.join(" or ")}.`, {
      headers: { "Retry-After": "3600" },
    });
  }
  const model = requested === undefined ? first : configured.find(({ id }) => id === requested);
  if (model !== undefined) return model;
  // `accepted` starts with the providers in the order of KEY_VARIABLES, because the others need no key.
  const variable = KEY_VARIABLES[accepted.indexOf(requested ?? "")];
  throw invalidParameter(
    "model",
    `must be '${first.id}'; the model '${requested}' has no API key, because ${variable} isn't set`,
  );
}

function toProvider<Format>(definition: ProviderDefinition<Format>): Provider {
  return { ...definition, createModel: (settings) => createModel(definition, settings) };
}

function toTimeouts({ MODEL_SILENCE_SECONDS }: ModelEnv): ModelTimeouts {
  return {
    idleMs: toPositiveNumber(MODEL_SILENCE_SECONDS, MODEL_SILENCE_MS_DEFAULT / SECOND_MS) * SECOND_MS,
    answerMs: MODEL_RESPONSE_MS,
    retryMs: MODEL_RETRY_MS,
    retryDelaysMs: MODEL_RETRY_DELAYS_MS,
  };
}
