import { toPositiveNumber, toText } from "../lib/variables";
import { AppError } from "../model/errors";
import { MODEL_ANSWER_MS, MODEL_PAUSES_MS, MODEL_RETRY_MS, MODEL_SILENCE_MS_DEFAULT, SECOND_MS } from "../model/limits";
import { ANTHROPIC_MODEL_DEFAULT, anthropicModel } from "./anthropic";
import type { Model, ModelSettings, Patience } from "./model";
import { OPENAI_MODEL_DEFAULT, openaiModel } from "./openai";

type ModelEnv = Partial<
  Pick<
    Env,
    | "OPENAI_MODEL"
    | "OPENAI_API_KEY"
    | "OPENAI_BASE_URL"
    | "ANTHROPIC_MODEL"
    | "ANTHROPIC_API_KEY"
    | "ANTHROPIC_BASE_URL"
    | "MODEL_SILENCE_SECONDS"
  >
>;

export interface Models {
  /** The identifiers that a request may name, with a key or without. */
  accepted: string[];
  /** Those that have a key, the default one first. */
  configured: Model[];
}

export function availableModels(env: ModelEnv, patience: Patience = patienceOf(env)): Models {
  const candidates = [
    {
      id: toText(env.OPENAI_MODEL) ?? OPENAI_MODEL_DEFAULT,
      apiKey: toText(env.OPENAI_API_KEY),
      baseUrl: toText(env.OPENAI_BASE_URL),
      make: openaiModel,
    },
    {
      id: toText(env.ANTHROPIC_MODEL) ?? ANTHROPIC_MODEL_DEFAULT,
      apiKey: toText(env.ANTHROPIC_API_KEY),
      baseUrl: toText(env.ANTHROPIC_BASE_URL),
      make: anthropicModel,
    },
  ];
  return {
    accepted: candidates.map(({ id }) => id),
    configured: candidates.flatMap(({ id, apiKey, baseUrl, make }) =>
      apiKey === null ? [] : [make({ id, apiKey, baseUrl, patience } satisfies ModelSettings)],
    ),
  };
}

/** The asked model, else the first one that has a key. Throws AppError invalid_request, or unavailable where none has. */
export function chooseModel({ accepted, configured }: Models, asked: string | undefined): Model {
  if (asked !== undefined && !accepted.includes(asked)) {
    throw invalidModel(`must be ${accepted.map((id) => `'${id}'`).join(" or ")}`);
  }
  const [first] = configured;
  if (first === undefined) {
    throw new AppError("unavailable", "No model is configured: set OPENAI_API_KEY or ANTHROPIC_API_KEY.", {
      headers: { "Retry-After": "3600" },
    });
  }
  const model = asked === undefined ? first : configured.find(({ id }) => id === asked);
  if (model !== undefined) return model;
  const variable = asked === accepted[0] ? "OPENAI_API_KEY" : "ANTHROPIC_API_KEY";
  throw invalidModel(`must be '${first.id}' here: '${asked}' has no key (${variable} isn't set)`);
}

function invalidModel(message: string): AppError {
  return new AppError("invalid_request", `The parameter 'model' ${message}.`, {
    details: [{ path: "model", message }],
  });
}

function patienceOf({ MODEL_SILENCE_SECONDS }: ModelEnv): Patience {
  return {
    silenceMs: toPositiveNumber(MODEL_SILENCE_SECONDS, MODEL_SILENCE_MS_DEFAULT / SECOND_MS) * SECOND_MS,
    answerMs: MODEL_ANSWER_MS,
    retryMs: MODEL_RETRY_MS,
    pausesMs: MODEL_PAUSES_MS,
  };
}
