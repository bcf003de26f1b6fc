import type { OAuthAuthorizationServer } from "@cloudflare/workers-oauth-provider";
import { sha256Hex } from "../lib/crypto";
import { lazyModule } from "../lib/lazy";
import { log } from "../lib/log";
import { ACCOUNT_SUSPENDED_MESSAGE } from "../model/account";
import type { Scope } from "../model/api-key";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../model/limits";
import { getKeyRecord } from "../store/keys";
import { oauthStore } from "../store/namespaces";
import { CLIENT_TTL_S, locateStore, openStorage } from "./storage";

type Library = typeof import("@cloudflare/workers-oauth-provider");
const loadLibrary = lazyModule(() => import("@cloudflare/workers-oauth-provider"));

/** The scopes that a connection can have. A connected application manages no keys. */
export const CONNECTION_SCOPES = ["scrape", "parse", "serp", "jobs"] as const satisfies readonly Scope[];

export const AUTHORIZE_PATH = "/dashboard/authorize";
const ACCESS_TOKEN_TTL_S = HOUR_MS / SECOND_MS;
/** A connection ends if its client hasn't used it for this time. */
const IDLE_TTL_S = (90 * DAY_MS) / SECOND_MS;
const REGISTRATIONS_PER_HOUR = 10;
/** The limit for all networks together. */
const ALL_REGISTRATIONS_PER_HOUR = 5_000;
/** The limit if all callers have the same address. */
const SHARED_REGISTRATIONS_PER_HOUR = 1_000;

/** The content of a token, encrypted with a key that only the token can decrypt. */
export interface ConnectionProps {
  /** The secret of the connection's API key. */
  secret: string;
}

/** Identifies the network that registers a client, and says if all callers share it. */
export interface Registrant {
  network: string;
  isShared: boolean;
}

/** The authorization server of an origin, and the library's environment, which its methods take. */
export interface OAuthServer extends Pick<Library, "AuthorizationError" | "authorizationErrorRedirect"> {
  server: OAuthAuthorizationServer<Env>;
  env: Env;
}

/**
 * Opens the authorization server (OAuth 2.1 for MCP). Its issuer is the origin of this service, and its only resource is
 * `/mcp`. A connection owns an API key, whose secret is in its tokens. Each request of a connection is therefore verified
 * twice: by its token and by the key.
 */
export async function openServer(env: Env, origin: string, registrant?: Registrant): Promise<OAuthServer> {
  const { OAuthAuthorizationServer, OAuthError, AuthorizationError, authorizationErrorRedirect } = await loadLibrary();
  const server = new OAuthAuthorizationServer<Env>({
    issuer: origin,
    authorizeEndpoint: AUTHORIZE_PATH,
    tokenEndpoint: "/oauth/token",
    clientRegistrationEndpoint: "/oauth/register",
    resources: [toResource(origin)],
    scopesSupported: [...CONNECTION_SCOPES],
    accessTokenTTL: ACCESS_TOKEN_TTL_S,
    refreshTokenTTL: IDLE_TTL_S,
    refreshTokenIdleTTL: IDLE_TTL_S,
    clientRegistrationTTL: CLIENT_TTL_S,
    allowPrivateUseRedirectUris: true,
    clientRegistrationCallback: async () => {
      if (registrant === undefined) throw new Error("The registration has no network.");
      const { network, isShared } = registrant;
      const limit = isShared ? SHARED_REGISTRATIONS_PER_HOUR : REGISTRATIONS_PER_HOUR;
      const clients = oauthStore(env, "clients");
      const isAllowed = await clients.count(`registrations:${network}`, limit, HOUR_MS);
      if (isAllowed && (await clients.count("registrations", ALL_REGISTRATIONS_PER_HOUR, HOUR_MS))) return undefined;
      const description = isAllowed
        ? "Too many clients were registered. Try again in an hour."
        : `A network can register ${limit} clients per hour. Try again in an hour.`;
      return { code: "temporarily_unavailable", description, status: 429 };
    },
    tokenExchangeCallback: async ({ props, grantType, userId, grantId }) => {
      // A key can be revoked in other ways than through its grant. The library then deletes the grant.
      const key = await getKeyRecord(env, await sha256Hex((props as ConnectionProps).secret));
      if (key?.suspended) throw new OAuthError("temporarily_unavailable", { description: ACCOUNT_SUSPENDED_MESSAGE });
      if (key === null || key.revokedAt !== null) {
        throw new OAuthError("invalid_grant", { description: "The user has ended this connection." });
      }
      // The library reads and writes the grant separately, so simultaneous requests could all use the code. The code is
      // counted last, so that the client can send it again after an error.
      if (grantType === "authorization_code") {
        const store = locateStore(env, `grant:${userId}:${grantId}`);
        const isFirst = await store?.count(`redeemed:${grantId}`, 1, HOUR_MS);
        if (!isFirst) throw new OAuthError("invalid_grant", { description: "Authorization code already used" });
      }
      return undefined;
    },
    onError: ({ code, status, internal }) => {
      log("info", "oauth_refused", { code, status, reason: internal.reason });
    },
  });
  const own = { OAUTH_KV: openStorage(env, origin) } as unknown as Env;
  return { server, env: own, AuthorizationError, authorizationErrorRedirect };
}

/** Returns the identifier of the only resource for which tokens are issued (RFC 8707). */
export function toResource(origin: string): string {
  return `${origin}/mcp`;
}

/**
 * Returns the secret of the API key to which an access token belongs, and the scopes of the token, which can be fewer than
 * those of the key. Returns null if the token isn't valid.
 */
export async function findConnection(
  env: Env,
  origin: string,
  token: string,
): Promise<{ secret: string; scopes: string[] } | null> {
  const oauth = await openServer(env, origin);
  const found = await oauth.server.validateToken<ConnectionProps>(toResource(origin), token, oauth.env);
  return found && { secret: found.props.secret, scopes: found.scope };
}
