import { suggest } from "../lib/suggest";

/** A longer URL isn't repeated in a message. */
const MAX_SUGGESTED_CHARS = 100;
const SCHEME = /^([a-z][a-z0-9+.-]*):(?!\d)(\/\/)?/i;

/**
 * Returns the rule that a text breaks if it isn't an absolute http or https URL, otherwise null. If the scheme is
 * missing or misspelled, the text ends with a corrected URL. `prefix` names the allowed beginnings of the URL.
 */
export function urlProblem(text: string, prefix: "http:// or https://" | "https://"): string | null {
  const trimmed = text.trim();
  const isHttp = /^https?:\/\//i.test(trimmed);
  if (isHttp) return URL.parse(trimmed) === null ? `must be a valid URL: ${describeInvalid(trimmed)}` : null;
  const [, scheme] = SCHEME.exec(trimmed) ?? [];
  const rule = `must be an absolute URL that begins with ${prefix}`;
  const corrected = correct(trimmed);
  if (corrected !== null) return `${rule}. Did you mean '${corrected}'?`;
  return scheme !== undefined && trimmed.includes("://") ? `${rule}, not ${scheme.toLowerCase()}://` : rule;
}

function describeInvalid(url: string): string {
  const [authority = ""] = url.replace(/^https?:\/\//i, "").split(/[/?#]/);
  if (authority === "") return "it has no host name";
  return /\s/.test(authority) ? "its host name contains a space" : "its host name or port isn't valid";
}

/** Returns the text as an https or http URL, or null if the intended URL isn't obvious. */
function correct(text: string): string | null {
  const [match = "", scheme] = SCHEME.exec(text) ?? [];
  const known = scheme === undefined ? "https" : suggest(scheme, ["http", "https"]);
  if (known === null) return null;
  const rest = text.slice(match.length).replace(/^[:/\\]+/, "");
  const candidate = `${known}://${rest}`;
  const host = URL.parse(candidate)?.hostname ?? "";
  // A text with `@` can contain a password, which a message must not repeat.
  const isUsable = /^[^\s@]+$/.test(rest) && candidate.length <= MAX_SUGGESTED_CHARS;
  return isUsable && (host.includes(".") || host === "localhost") ? candidate : null;
}

/** Returns the rule that a URL with a user name or a password breaks, otherwise null. */
export function credentialsProblem(text: string): string | null {
  const url = URL.parse(text);
  const hasCredentials = url !== null && (url.username !== "" || url.password !== "");
  return hasCredentials ? "must not contain a user name or password" : null;
}
