// Functions that parse environment variables. A variable that is unset in wrangler.toml is an empty string.

/** Returns the variable without surrounding white space, or null if it is empty or not set. */
export function toText(text: string | undefined): string | null {
  return text?.trim() || null;
}

/** Returns a message if the variable is neither empty nor one of the choices, otherwise null. */
export function describeInvalidChoice(
  name: string,
  choices: readonly string[],
  text: string | undefined,
): string | null {
  const value = toText(text);
  if (value === null || choices.includes(value)) return null;
  return `${name} is "${value}". It must be ${choices.map((choice) => `"${choice}"`).join(", ")} or empty.`;
}

/** Returns the origin of an http or https URL, or null if the variable is empty or isn't such a URL. */
export function toHttpOrigin(text: string | undefined): string | null {
  const url = URL.parse(text?.trim() ?? "");
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}

/** Returns the variable as a number above 0, or the default if it is empty or invalid. */
export function toPositiveNumber(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return text !== undefined && text.trim() !== "" && Number.isFinite(value) && value > 0 ? value : fallback;
}

/** Returns the variable as a whole number of at least 0, or the default if it is empty or invalid. */
export function toWholeNumber(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : fallback;
}

/** Returns true if the variable is on, true, 1 or yes, in any case. */
export function isOn(variable: string | undefined): boolean {
  return /^(?:on|true|1|yes)$/i.test(variable?.trim() ?? "");
}

/** Returns the origin of this service for links: that of PUBLIC_URL, or else the request's. */
export function toOrigin(env: { PUBLIC_URL: string }, requestUrl: string): string {
  return toHttpOrigin(env.PUBLIC_URL) ?? new URL(requestUrl).origin;
}

/**
 * Returns true if `npm start` runs the service. `npm start` sets LOCAL_RECEIVERS to a list. Variables that are set in
 * Cloudflare's dashboard, on a command line or as a secret are text, so none of them can turn on http by mistake.
 */
export function isStartedLocally<E extends { LOCAL_RECEIVERS?: string[] }>(
  env: E,
): env is E & { LOCAL_RECEIVERS: string[] } {
  return Array.isArray(env.LOCAL_RECEIVERS);
}
