// Scripts import this module in Node, so it imports nothing.

/** The search engines, as requests name them. */
export const ENGINE_NAMES = ["google", "bing", "yandex"] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** The environment variables with which an operator replaces the origins of the engines. */
export type OriginVariable = `SERP_${Uppercase<EngineName>}_ORIGIN`;

/** Returns the name of the variable with an engine's origin, for example `SERP_GOOGLE_ORIGIN`. */
export function toOriginVariable(name: EngineName): OriginVariable {
  return `SERP_${name.toUpperCase() as Uppercase<EngineName>}_ORIGIN`;
}
