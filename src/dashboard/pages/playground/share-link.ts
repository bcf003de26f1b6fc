import type { Endpoint } from "../../../model/endpoint";
import { type FormValues, toFormValues } from "./form-values";

/** The maximum length of a share link. Browsers and mail programs break longer URLs. */
const MAX_LINK_CHARS = 8_000;

/** Parameters that a share link omits, because their values often contain a secret. */
const OMITTED: ReadonlySet<string> = new Set(["webhook_url"]);

/** Matches the names of query parameters that usually have a secret as their value. */
const SECRET_NAME =
  /(?:^|[_.-])(?:(?:api|access|app|private|secret)?[_-]?key|(?:\w+[_-])?token|jwt|auth\w*|pass\w*|pwd|secret|sig(?:nature)?|session\w*|sid|credentials?)$/i;

/** A link that fills the form of the playground. */
export interface ShareLink {
  /** The path and query of the link. Null if it would be too long. */
  path: string | null;
  /** Sentences about what the link omits. */
  notes: string[];
}

/**
 * Returns a link with the request in its query. Omits the webhook URL, and the parameters of the target URL that usually
 * contain secrets. Opening the link fills the form, and never runs the request.
 */
export function toShareLink(endpoint: Endpoint, body: Record<string, unknown>): ShareLink {
  const notes: string[] = [];
  const shared: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (OMITTED.has(name)) notes.push("The link omits the webhook URL, because it may contain a secret.");
    else shared[name] = value;
  }
  if (typeof shared.url === "string") {
    const { url, removed } = removeSecrets(shared.url);
    shared.url = url;
    if (removed.length > 0) notes.push(`The link omits these parameters of the URL: ${removed.join(", ")}.`);
  }
  const path = toPlaygroundPath(endpoint, toFormValues(endpoint, shared));
  if (path.length <= MAX_LINK_CHARS) return { path, notes };
  return {
    path: null,
    notes: [`The request is too long for a link of ${MAX_LINK_CHARS.toLocaleString("en")} characters.`],
  };
}

/** Returns the path of the playground with these values in its form. */
export function toPlaygroundPath(endpoint: Endpoint, values: FormValues): string {
  return `/dashboard/playground?${new URLSearchParams([["endpoint", endpoint], ...values])}`;
}

/** Removes secrets from a URL: the user name, the password, and parameters with the name of a secret. */
function removeSecrets(text: string): { url: string; removed: string[] } {
  const url = URL.parse(text);
  if (url === null) return { url: text, removed: [] };
  const removed = [...new Set(url.searchParams.keys())].filter((name) => SECRET_NAME.test(name));
  const hasUser = url.username !== "" || url.password !== "";
  // Keeps the spelling of a URL without secrets.
  if (removed.length === 0 && !hasUser) return { url: text, removed };
  for (const name of removed) url.searchParams.delete(name);
  url.username = "";
  url.password = "";
  return { url: url.href, removed: hasUser ? ["user name and password", ...removed] : removed };
}
