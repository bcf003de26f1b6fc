import { REDACTED, splitSecrets } from "../../../contract/secret-fields";
import { toFormValues } from "./form-values";
import { isBatchKind, type Operation } from "./operations";

/** The maximum length of a share link. Browsers and mail programs break longer URLs. */
const MAX_LINK_CHARS = 8_000;

/** Parameters that a share link omits, because their values often contain a secret. */
const OMITTED: ReadonlySet<string> = new Set(["webhook_url"]);

/** Matches names of parameters that usually contain secrets. `_` joins the words of a name. */
const SECRET_NAME =
  /(?:^|_)(?:key|jwt|auth|authorization|pass|passwd|passcode|passphrase|pwd|sig|sid|session|session_?id|credentials?)$|(?:token|secret|password|signature|api_?key|access_?key|sessid|sessionid)$/;

/** A link that fills the form of the playground. */
interface ShareLink {
  /** The path and query of the link. Null if it would be too long. */
  path: string | null;
  /** Sentences about what the link omits. */
  notes: string[];
}

/**
 * Returns a link with the request in its query. Omits secrets: the values of headers and cookies, passwords, the webhook
 * URL, and the parameters of the target URL that usually contain secrets. Opening the link fills the form, and never runs the request.
 */
export function toShareLink(operation: Operation, body: Record<string, unknown>): ShareLink {
  const notes: string[] = [];
  const shared: Record<string, unknown> = {};
  const { shown, secrets } = splitSecrets(body);
  if (secrets !== null)
    notes.push(`The link has “${REDACTED}” instead of headers, cookies, passwords and typed texts.`);
  for (const [name, value] of Object.entries(shown)) {
    if (OMITTED.has(name)) notes.push("The link omits the webhook URL, because it may contain a secret.");
    else shared[name] = value;
  }
  if (typeof shared.url === "string") {
    const { url, removed } = removeSecrets(shared.url);
    shared.url = url;
    if (url === "") notes.push("The link omits the URL, because it isn't valid.");
    else if (removed.length > 0) notes.push(`The link omits these parameters of the URL: ${removed.join(", ")}.`);
  }
  const path = toPlaygroundPath(operation, shared);
  if (path.length <= MAX_LINK_CHARS) return { path, notes };
  return {
    path: null,
    notes: [`The request is too long for a link of ${MAX_LINK_CHARS.toLocaleString("en")} characters.`],
  };
}

/** Returns the path of the playground with this request in its form. JSON isn't indented, because links should be short. */
export function toPlaygroundPath(operation: Operation, body: object): string {
  const values = toFormValues(operation, body, 0);
  if (isBatchKind(operation)) return `/dashboard/playground/${operation}?${values}`;
  return `/dashboard/playground?${new URLSearchParams([["endpoint", operation], ...values])}`;
}

/**
 * Removes secrets from a URL: the user name, the password, and all parameters with the name of a secret, in the query,
 * the fragment and the path. `removed` lists their names. Returns an empty string for a URL that can't be checked.
 */
function removeSecrets(text: string): { url: string; removed: string[] } {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return { url: /[@?#;]/.test(text) ? "" : text, removed: [] };
  const inQuery = [...url.searchParams.keys()].filter(isSecretName);
  const inFragment = toNames(url.hash).filter(isSecretName);
  const inPath = toNames(url.pathname).filter(isSecretName);
  const user = url.username !== "" || url.password !== "" ? ["user name and password"] : [];
  const removed = [...new Set([...user, ...inQuery, ...inFragment, ...inPath])];
  // Keeps the spelling of a URL without secrets.
  if (removed.length === 0) return { url: text, removed };
  for (const name of inQuery) url.searchParams.delete(name);
  if (inFragment.length > 0) url.hash = "";
  if (inPath.length > 0)
    url.pathname = url.pathname.replace(/;([^;/=]+)=[^;/]*/g, (part, name: string) => (isSecretName(name) ? "" : part));
  url.username = "";
  url.password = "";
  return { url: url.href, removed };
}

/** Returns the names of parameters in a fragment, such as `#access_token=a`, or in a path, such as `/a;jsessionid=b`. */
function toNames(text: string): string[] {
  return [...text.matchAll(/[#?&;]([^#?&;=/]+)=/g)].map(([, name = ""]) => name);
}

/** Returns true for names such as `api_key`, `accessToken`, `X-Amz-Signature` and `auth[token]`. */
function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").split(/[^A-Za-z\d]+/);
  return SECRET_NAME.test(words.filter(Boolean).join("_").toLowerCase());
}
