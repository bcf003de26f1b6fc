import { type Hook, OpenAPIHono, type RouteConfig, type z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { checkIsObject, invalidParameter, toInvalidRequest } from "../contract/invalid-request";
import { describeOperation, type OperationId } from "../contract/responses";
import { checkBodySize } from "../json-schema/size";
import { requireScope } from "../keys/middleware";
import { now } from "../lib/clock";
import { toOrigin } from "../lib/env";
import { lazyModule } from "../lib/lazy";
import type { Scope } from "../model/api-key";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { MAX_BODY_BYTES, MAX_BODY_MS, MAX_IDEMPOTENCY_KEY_CHARS, SECOND_MS } from "../model/limits";

/** Creates a router that converts validation errors to `invalid_request` with one detail per invalid parameter. */
export function createRouter() {
  const router = new OpenAPIHono<AppEnv>();
  const { openapi } = router;
  router.openapi = ((route: RouteConfig, handler: never) =>
    openapi(
      { ...route, middleware: [setTag(route), route.middleware ?? []].flat() },
      handler,
      toHook(route),
    )) as typeof openapi;
  return router;
}

/** Stores the route's tag, with which errors link to the API reference. */
function setTag({ tags }: RouteConfig): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set("tag", tags?.[0]);
    await next();
  };
}

/** Returns the hook that throws the error for invalid parameters of a route. The message suggests its parameters. */
function toHook({ request }: RouteConfig): Hook<unknown, AppEnv, string, undefined> {
  const media = request?.body?.content["application/json"];
  const body = (media !== undefined && "schema" in media ? media.schema : undefined) as z.ZodType | undefined;
  const query = request?.query as z.ZodType | undefined;
  return (result) => {
    if (result.success) return;
    const { target } = result as { target: string };
    throw toInvalidRequest(result.error.issues, {
      value: "data" in result ? result.data : undefined,
      ...(target === "json" && { schema: body, other: { place: "query", schema: query } }),
      ...(target === "query" && { schema: query, other: { place: "body", schema: body } }),
    });
  };
}

/** Refuses a body over MAX_BODY_BYTES with 413. Only routes that read the body need this middleware. */
export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new AppError("payload_too_large", `The body is larger than the limit of ${MAX_BODY_BYTES} bytes.`);
  },
});

/** Matches content types that zod-openapi accepts. Requests with other JSON types are copied with a new header. */
const PLAIN_JSON = /^application\/json(?:; ?charset=utf-8)?$/i;

/** The length of the longest media type that an error message quotes. */
const MAX_TYPE_CHARS = 100;

/**
 * Refuses media types other than JSON with 415, and invalid JSON with 400. Must run before zod-openapi's validation,
 * which treats a body of another media type as empty.
 */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
  const sent = c.req.header("content-type") ?? "";
  const type = toMediaType(c);
  if (type !== "application/json") throw refuseMediaType(type, "application/json");
  if (!PLAIN_JSON.test(sent)) {
    // Replaces the header, because zod-openapi refuses ` ;` and a trailing `;`, which RFC 9110 (5.6.6) allows.
    const headers = new Headers(c.req.raw.headers);
    headers.set("content-type", type);
    c.req.raw = new Request(c.req.raw, { headers });
  }
  let body: unknown;
  try {
    body = await c.req.json();
    // zod-openapi calls `json` again, and Hono would then parse the text again.
    c.req.json = async <T>() => body as T;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw await toJsonError(await c.req.text(), cause);
  }
  // The key may have been revoked while the body arrived.
  if (now() - c.get("startedAt") > MAX_BODY_MS) throw bodyTooSlow();
  checkIsObject(body);
  checkBodySize(body);
  await next();
});

/** Returns the media type of the body in lower case, or an empty string. */
export function toMediaType(c: Context): string {
  return c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Returns the error for a body of another media type. */
export function refuseMediaType(type: string, accepted: string): AppError {
  const given = type === "" || type.length > MAX_TYPE_CHARS ? "" : `, not '${type}'`;
  return new AppError("unsupported_media_type", `The body must be sent with 'Content-Type: ${accepted}'${given}.`);
}

export function bodyTooSlow(): AppError {
  return new AppError("invalid_request", `The body took longer than ${MAX_BODY_MS / SECOND_MS} seconds to arrive.`);
}

/** The middleware of a route that takes a JSON body, for routes without an OpenAPI description. */
export const jsonBody = [limitBody, requireJson] as const;

// Loaded on demand, because only invalid requests need the parser.
const loadJsonProblem = lazyModule(() => import("./json-problem"));

async function toJsonError(text: string, cause: unknown): Promise<AppError> {
  if (text.trim() === "") {
    return new AppError("invalid_json", "The body is empty. Send the parameters as a JSON object.", { cause });
  }
  const { describeJsonError } = await loadJsonProblem();
  return new AppError("invalid_json", ["The body is not valid JSON.", describeJsonError(text) ?? ""].join(" ").trim(), {
    cause,
  });
}

/** Returns the service's public origin: PUBLIC_URL if it is set, otherwise the origin of the request's URL. */
export function originOf(c: Context<AppEnv>): string {
  return toOrigin(c.env, c.req.url);
}

/** The middleware of a route, as exact tuples. zod-openapi infers the type of a handler's context from each element. */
type MiddlewareChain =
  | [MiddlewareHandler<AppEnv>]
  | [MiddlewareHandler<AppEnv>, MiddlewareHandler<AppEnv>, MiddlewareHandler<AppEnv>];

/**
 * Returns the properties of a route that requires one of the scopes: `security`, and the middleware that checks it. If
 * there are several, the handler checks which one the request needs.
 */
export function guard(...scopes: Scope[]) {
  return {
    // The scopes aren't in `security`, because linters and generators expect scopes only of OAuth.
    security: [{ bearer: [] }],
    "x-scopes": scopes,
    middleware: [requireScope(scopes)] satisfies MiddlewareChain,
  };
}

/** Returns the id, texts, tags, `security` and middleware of an operation that requires one of the scopes. */
export function operation<Id extends OperationId>(id: Id, ...scopes: Scope[]) {
  const { description, ...others } = describeOperation(id);
  const names = scopes.map((scope) => `\`${scope}\``).join(" or ");
  return { ...others, description: `${description} Requires the scope ${names}.`, ...guard(...scopes) };
}

/** Returns the properties of an operation with a JSON body of at most MAX_BODY_BYTES. */
export function operationWithBody<Id extends OperationId>(id: Id, ...scopes: Scope[]) {
  const { middleware, ...others } = operation(id, ...scopes);
  return { ...others, middleware: [...middleware, limitBody, requireJson] satisfies MiddlewareChain };
}

/** Applies `requireJson` if the request has a body, so that no body is ignored. */
const requireJsonIfAny = createMiddleware<AppEnv>(async (c, next) => {
  // The headers don't show whether there is a body, because a chunked body has no Content-Length.
  const text = await c.req.text();
  const { url, method, headers: sent } = c.req.raw;
  const headers = new Headers(sent);
  // Without a content type, zod-openapi validates an optional body as `{}`.
  if (text === "") headers.delete("content-type");
  c.req.raw = new Request(url, { method, headers, body: text === "" ? null : text });
  return text === "" ? await next() : await requireJson(c, next);
});

/** Returns the properties of an operation that takes an optional JSON body. */
export function operationWithOptionalBody<Id extends OperationId>(id: Id, scope: Scope) {
  const { middleware, ...others } = operation(id, scope);
  return { ...others, middleware: [...middleware, limitBody, requireJsonIfAny] satisfies MiddlewareChain };
}

/** Returns the request's Idempotency-Key, or null. Throws AppError if it is empty or too long. */
export function readIdempotencyKey(c: Context<AppEnv>, header = "Idempotency-Key"): string | null {
  const key = c.req.header(header);
  if (key === undefined) return null;
  if (key.trim() !== "" && key.length <= MAX_IDEMPOTENCY_KEY_CHARS) return key;
  throw invalidParameter(header, `must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} characters`, {
    kind: "header",
  });
}
