import { suggest } from "../lib/suggest";
import { AppError } from "../model/errors";

/** A route of the service. `path` can contain parameters, such as `:id`. */
interface RoutePath {
  method: string;
  path: string;
}

interface UnknownPath {
  method: string;
  path: string;
  origin: string;
}

/** The names that similar services use for our operations. */
const ALIASES: Partial<Record<string, string>> = {
  search: "serp",
  google: "serp",
  sitemap: "map",
  links: "map",
  extract: "parse",
  fetch: "scrape",
  task: "jobs",
  tasks: "jobs",
  account: "usage",
  credits: "usage",
};

/** Shorter names are too similar to each other for a comparison with misspelled names. */
const MIN_COMPARED_CHARS = 4;
const MAX_QUOTED_CHARS = 200;

/** Returns the error for an unknown route: 405 with `Allow` for other methods, or 404 with the most similar path. */
export function toPathError({ method, path, origin }: UnknownPath, routes: readonly RoutePath[]): AppError {
  const allowed = allowedMethods(path, routes);
  if (allowed.length > 0 && !allowed.includes(method)) {
    const message = `The method ${method} is not allowed for this path. Use ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(allowed)}.`;
    return new AppError("method_not_allowed", message, { headers: { Allow: allowed.join(", ") } });
  }
  const isPage = /^\/docs(?:\/|$)|\.md$/.test(path);
  const similar = isPage ? null : suggestPath(method, path, routes);
  const quoted = path.length > MAX_QUOTED_CHARS ? `${path.slice(0, MAX_QUOTED_CHARS)}…` : path;
  const question = similar === null ? "" : ` Did you mean ${similar}?`;
  return new AppError("not_found", `The path '${quoted}' doesn't exist.${question}`, {
    hint: isPage
      ? `All pages are listed at ${origin}/llms.txt.`
      : `Use POST /v1/scrape, POST /v1/parse, POST /v1/serp, POST /v1/map or GET /v1/jobs. All operations are listed at ${origin}/docs/reference.`,
  });
}

function allowedMethods(path: string, routes: readonly RoutePath[]): string[] {
  const methods = routes
    .filter((route) => route.method !== "ALL" && toPattern(route.path).test(path))
    .flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]));
  return [...new Set(methods)];
}

function toPattern(routePath: string): RegExp {
  return new RegExp(
    `^${routePath
      .replace(/:\w+\{\.\*\}/g, "*")
      .replace(/:[^/]+/g, "[^/]+")
      .replace(/\*/g, ".*")}$`,
  );
}

/**
 * Returns the method and the path of the first route with a similar name, or null if none is similar. Prefers routes with
 * as many segments, and of these the routes of the method. Ignores the version and `/api`.
 */
function suggestPath(method: string, path: string, routes: readonly RoutePath[]): string | null {
  const [word = "", ...others] = toSegments(path);
  const named = routes.flatMap((route) => {
    const [name] = route.method === "ALL" ? [] : toSegments(route.path);
    return name === undefined ? [] : [{ ...route, name }];
  });
  const isKnown = named.some(({ name }) => name === word);
  // If the name is right, the segments after it are wrong. Similar services have an address for each operation's jobs.
  if (isKnown && others.length > 0) return isJobPath(word, others) ? "GET /v1/jobs/:id" : null;
  const compared = named.map(({ name }) => name).filter(({ length }) => length >= MIN_COMPARED_CHARS);
  const chosen = isKnown ? word : (ALIASES[word] ?? suggest(word, compared));
  const similar = named.filter(({ name }) => name === chosen);
  const asLong = similar.filter((route) => toSegments(route.path).length === others.length + 1);
  const candidates = asLong.length > 0 ? asLong : similar;
  const best = candidates.find((route) => route.method === method) ?? candidates[0];
  return best === undefined ? null : `${best.method} ${best.path}`;
}

function isJobPath(word: string, [id = ""]: readonly string[]): boolean {
  return /^(?:scrape|parse|serp|jobs)$/.test(word) && /^[\da-f]{8}-/.test(id);
}

/** Returns the segments of a path without `api` and a version at the beginning. */
function toSegments(path: string): string[] {
  return path
    .toLowerCase()
    .split("/")
    .filter((segment) => !/^(?:api|v\d+|\*|)$/.test(segment));
}
