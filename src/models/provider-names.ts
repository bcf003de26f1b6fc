// Scripts import this module in Node.js, so it must not import modules of the Worker.

/** The model providers. The first one that is configured is the default. */
export const PROVIDER_NAMES = ["openai", "anthropic", "workers_ai"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

type VariableKind = "API_KEY" | "MODEL" | "BASE_URL";
/** The environment variables of the providers, for example `OPENAI_API_KEY`. */
export type ProviderVariable = `${Uppercase<ProviderName>}_${VariableKind}`;

export function toVariable(name: ProviderName, kind: VariableKind): ProviderVariable {
  return `${name.toUpperCase() as Uppercase<ProviderName>}_${kind}`;
}
