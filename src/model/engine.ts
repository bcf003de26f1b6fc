// Scripts import this module in Node.js, so it must not import modules of the Worker.

/** The search engines, as named in requests. */
export const ENGINE_NAMES = ["google", "bing", "yandex"] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** The environment variables that replace the origins of the search engines. */
export type OriginVariable = `SERP_${Uppercase<EngineName>}_ORIGIN`;

/** Returns the name of the variable that sets an engine's origin, for example `SERP_GOOGLE_ORIGIN`. */
export function toOriginVariable(name: EngineName): OriginVariable {
  return `SERP_${name.toUpperCase() as Uppercase<EngineName>}_ORIGIN`;
}
