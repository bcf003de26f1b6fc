import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { originOf } from "../http/router";
import { hasSharedAddress, readCallerAddress } from "../keys/errors";
import { toCallerNetwork } from "../lib/ip-ranges";
import type { AppEnv } from "../model/env";
import { toBrand } from "../model/operator";
import { openServer, type Registrant, toResource } from "../oauth/server";
import { rateLimiter } from "../store/namespaces";

const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";
const SERVER_METADATA = "/.well-known/oauth-authorization-server";
const MAX_BYTES = 8 * 1024;
const REQUESTS_PER_MINUTE = 60;
/** The limit if all callers have the same address. */
const SHARED_REQUESTS_PER_MINUTE = 6_000;

/** The endpoints of OAuth 2.1 for clients of `/mcp`, which browsers of any origin may call. Errors have the RFCs' form. */
export const oauth = new Hono<AppEnv>();

const limit = bodyLimit({
  maxSize: MAX_BYTES,
  onError: (c) =>
    c.json({ error: "invalid_request", error_description: `The body is larger than ${MAX_BYTES} bytes.` }, 413),
});

// Each request can make this service write an entry or read the document of a client.
oauth.use("/oauth/*", async (c, next) => {
  const { network, isShared } = toRegistrant(c);
  const max = isShared ? SHARED_REQUESTS_PER_MINUTE : REQUESTS_PER_MINUTE;
  const { allowed } = await rateLimiter(c.env, `oauth:${network}`).consume(max);
  if (allowed || c.req.method === "OPTIONS") return await next();
  const error_description = `A network can send ${max} requests per minute. Try again in a minute.`;
  return c.json({ error: "temporarily_unavailable", error_description }, 429, { "Retry-After": "60" });
});

for (const path of ["/oauth/*", `${RESOURCE_METADATA}/*`, RESOURCE_METADATA, SERVER_METADATA])
  oauth.use(path, cors({ origin: "*", exposeHeaders: ["WWW-Authenticate", "Retry-After"] }));

// RFC 9728. Some clients look for it without the path of the resource.
for (const path of [`${RESOURCE_METADATA}/mcp`, RESOURCE_METADATA]) {
  oauth.get(path, (c) => {
    const origin = originOf(c);
    return c.json({
      resource: toResource(origin),
      authorization_servers: [origin],
      bearer_methods_supported: ["header"],
      resource_name: toBrand(c.env).name,
      resource_documentation: `${origin}/docs/mcp`,
    });
  });
}

// RFC 8414. The library announces metadata documents of clients only if it fetches them itself.
oauth.get(SERVER_METADATA, async (c) => {
  const metadata = (await (await respond(c.env, originOf(c), new Request(c.req.url))).json()) as object;
  return c.json({
    ...metadata,
    client_id_metadata_document_supported: true,
    service_documentation: `${originOf(c)}/docs/mcp`,
  });
});

oauth.post("/oauth/token", limit, async (c) => await respond(c.env, originOf(c), c.req.raw));

oauth.post("/oauth/register", limit, async (c) => await respond(c.env, originOf(c), c.req.raw, toRegistrant(c)));

function toRegistrant(c: Context<AppEnv>): Registrant {
  const network = toCallerNetwork(readCallerAddress(c.env, c.req.raw.headers));
  return { network, isShared: hasSharedAddress(c.env) };
}

/** Lets the library respond. It expects the service's public origin in the request's URL. */
async function respond(env: Env, origin: string, request: Request, registrant?: Registrant) {
  const { pathname, search } = new URL(request.url);
  const { server, env: own } = await openServer(env, origin, registrant);
  const response = await server.fetch(
    new Request(`${origin}${pathname}${search}`, request),
    own,
    {} as ExecutionContext,
  );
  return new Response(response.body, response);
}

/** Returns the challenge of a 401 of `/mcp` (RFC 6750 and RFC 9728). Without a scope, clients ask for none, and the user chooses. */
export function toChallenge(origin: string, hasToken: boolean): string {
  const metadata = `resource_metadata="${origin}${RESOURCE_METADATA}/mcp"`;
  return hasToken ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`;
}
