// Scripts import this module in Node, so it imports nothing.

/** The model providers. The first one that has a key serves requests that name no model. */
export const PROVIDER_NAMES = ["openai", "anthropic"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

type VariableKind = "API_KEY" | "MODEL" | "BASE_URL";
/** The environment variables of the providers, for example `OPENAI_API_KEY`. */
export type ProviderVariable = `${Uppercase<ProviderName>}_${VariableKind}`;

/** Returns the name of a provider's environment variable. */
export function toVariable(name: ProviderName, kind: VariableKind): ProviderVariable {
  return `${name.toUpperCase() as Uppercase<ProviderName>}_${kind}`;
}
