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
  /** The origin of this service. */
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
  // In similar services, the path of a job contains the name of its endpoint.
  scrape: "jobs",
  parse: "jobs",
  serp: "jobs",
};

/** The paths of similar services that have another number of segments than ours, without their version. */
const PEER_PATHS: Partial<Record<string, readonly string[]>> = { "batch/scrape": ["batch"] };

/**
 * The maximum length of a name that must match exactly. Shorter names are too similar to each other for a comparison
 * with misspelled names.
 */
const MAX_EXACT_CHARS = 3;

const MAX_SEGMENTS = 8;
const MAX_QUOTED_CHARS = 200;

/**
 * Returns the error for a request that no route handles: 405 with `Allow` if the path has routes for other methods,
 * otherwise 404 with the most similar path.
 */
export function toPathError({ method, path, origin }: UnknownPath, routes: readonly RoutePath[]): AppError {
  const allowed = allowedMethods(path, routes);
  const isPeerPath = method === "POST" && PEER_PATHS[toSegments(path).join("/")] !== undefined;
  if (allowed.length > 0 && !allowed.includes(method) && !isPeerPath) {
    const message = `The method ${method} is not allowed for this path. Use ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(allowed)}.`;
    return new AppError("method_not_allowed", message, { headers: { Allow: allowed.join(", ") } });
  }
  const similar = suggestPath(method, path, routes);
  const quoted = path.length > MAX_QUOTED_CHARS ? `${path.slice(0, MAX_QUOTED_CHARS)}…` : path;
  const question = similar === null ? "" : ` Did you mean ${similar}?`;
  return new AppError("not_found", `The path '${quoted}' doesn't exist.${question}`, {
    hint: `Use POST /v1/scrape, POST /v1/parse, POST /v1/serp, POST /v1/map or GET /v1/jobs. All operations are listed at ${origin}/docs.`,
  });
}

/** Returns the methods that the routes accept for this path. */
function allowedMethods(path: string, routes: readonly RoutePath[]): string[] {
  const methods = routes
    .filter((route) => route.method !== "ALL" && toPattern(route.path).test(path))
    .flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]));
  return [...new Set(methods)];
}

function toPattern(routePath: string): RegExp {
  return new RegExp(`^${routePath.replace(/:[^/]+/g, "[^/]+").replace(/\*/g, ".*")}$`);
}

/**
 * Returns the method and the path of the most similar route, with the given parameters, or null if none is similar.
 * Ignores the version, `/api` and slashes at the end.
 */
function suggestPath(method: string, path: string, routes: readonly RoutePath[]): string | null {
  const segmentsOf = toSegments(path);
  const given = PEER_PATHS[segmentsOf.join("/")] ?? segmentsOf;
  const found = routes
    .filter((route) => route.method !== "ALL" && !route.path.includes("*") && route.path !== "/")
    .flatMap((route) => {
      const segments = matchSegments(given, toSegments(route.path));
      if (segments === null) return [];
      const changes = segments.filter((segment, i) => segment !== given[i]).length;
      const prefix = route.path.startsWith("/v1/") ? "/v1/" : "/";
      return [{ changes, method: route.method, path: prefix + segments.join("/") }];
    })
    .sort((a, b) => a.changes - b.changes || Number(b.method === method) - Number(a.method === method));
  const [best] = found;
  return best === undefined ? null : `${best.method} ${best.path}`;
}

/** Returns the segments without `api` and a version at the beginning, and without empty segments. */
function toSegments(path: string): string[] {
  const segments = path.split("/", MAX_SEGMENTS + 2).filter((segment) => segment !== "");
  const isPrefix = (segment: string | undefined) => segment !== undefined && /^(?:api|v\d+)$/i.test(segment);
  while (isPrefix(segments[0])) segments.shift();
  return segments;
}

/** Returns the route's segments with the given parameters, or null if a name is too different. */
function matchSegments(given: readonly string[], route: readonly string[]): string[] | null {
  if (given.length !== route.length || given.length === 0 || given.length > MAX_SEGMENTS) return null;
  const matched = route.flatMap((name, i) => {
    const segment = given[i] ?? "";
    if (name.startsWith(":")) return [segment];
    const isSimilar =
      name.length > MAX_EXACT_CHARS ? suggest(segment, [name]) === name : segment.toLowerCase() === name;
    return ALIASES[segment] === name || isSimilar ? [name] : [];
  });
  return matched.length === route.length ? matched : null;
}
