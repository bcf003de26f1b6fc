import type { AuthRequest, ClientInfo } from "@cloudflare/workers-oauth-provider";
import { revokeKey } from "../jobs/revoke-key";
import { type Creator, createKey } from "../keys/issue";
import { now } from "../lib/clock";
import type { AccountRef } from "../model/account";
import { SCOPES, type Scope } from "../model/api-key";
import { AppError } from "../model/errors";
import { MAX_KEY_NAME_CHARS } from "../model/limits";
import type { GrantMetadata } from "./end-connection";
import { AUTHORIZE_PATH, type ConnectionProps, openServer } from "./server";
import { keepClient, openStorage, toOwner } from "./storage";

const NO_PKCE = "PKCE with S256 is required";
/** Matches the address of a website, not of a program on the user's device. */
const REMOTE = /^https:\/\/(?!localhost\b|127\.|\[::1\])/i;

/** A request for access, whose client and redirect address were checked. */
export interface AccessRequest {
  request: AuthRequest;
  client: ClientInfo;
  /** The host that publishes the client's metadata document. Null for a client that registered itself. */
  publisher: string | null;
  /** True if access is sent to a program on the user's device. */
  isLocal: boolean;
}

/** The permissions that the user gives. */
export interface Permission {
  account: AccountRef;
  /** The id of the user who gives access. */
  userId: string;
  scopes: Scope[];
  /** The credits that the connection may spend in each period. Null: as many as the account has. */
  creditLimit: number | null;
}

/**
 * Reads a request for access from the URL of the authorization page. Returns the reason of a mistake, and the URL at which
 * the client learns of it. Throws AppError `invalid_request` if the client or its redirect address isn't known, because
 * nothing may be sent to an address that isn't registered.
 */
export async function readAccessRequest(
  env: Env,
  origin: string,
  url: string,
): Promise<AccessRequest | { reason: string; redirectTo: string }> {
  const oauth = await openServer(env, origin);
  const api = oauth.server.getOAuthApi(oauth.env);
  let reason = "it isn't registered with this service";
  try {
    const request = await api.parseAuthRequest(new Request(`${origin}${AUTHORIZE_PATH}${new URL(url).search}`));
    const client = await api.lookupClient(request.clientId);
    if (client !== null) {
      const publisher = request.clientId.startsWith("https://") ? new URL(request.clientId).host : null;
      // The library requires PKCE only from public clients.
      if (!request.codeChallenge) throw new oauth.AuthorizationError("invalid_request", { description: NO_PKCE });
      return { request, client, publisher, isLocal: !REMOTE.test(request.redirectUri) };
    }
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationError)) throw error;
    reason = error.description;
    if (error.redirectTo !== undefined) return { reason, redirectTo: error.redirectTo };
  }
  throw new AppError(
    "invalid_request",
    `This application can't be connected: ${reason}. Start again in the application.`,
  );
}

/** Returns the URL at which the client learns that the user gave no access. */
export async function deny(env: Env, origin: string, { request }: AccessRequest): Promise<string> {
  const { authorizationErrorRedirect } = await openServer(env, origin);
  return authorizationErrorRedirect(request, "access_denied");
}

/** Returns the host to which access is sent, or the whole address of an app on the user's device. */
export function toReceiver({ redirectUri }: AuthRequest): string {
  return /^https?:/i.test(redirectUri) ? new URL(redirectUri).host : redirectUri;
}

/** Returns the name of a client as lists show it. A client chooses its own name. */
export function toClientName({ clientName, clientId }: ClientInfo): string {
  return (clientName?.replace(/\p{C}+/gu, "").trim() || clientId).slice(0, MAX_KEY_NAME_CHARS);
}

/**
 * Creates a connection: an API key and the grant that refers to it. The user's earlier connection of the same client ends.
 * Returns the URL at which the client continues. Throws AppError if the account can't create the key.
 */
export async function connect(
  env: Env,
  origin: string,
  { request, client, account, userId, scopes, creditLimit }: Pick<AccessRequest, "request" | "client"> & Permission,
): Promise<string> {
  const creator: Creator = {
    ...{ account, mode: "live", scopes: [...SCOPES] },
    ...{ allowedIps: [], expiresAt: null, creditLimit: null },
  };
  const wanted = { name: toClientName(client), scopes, credit_limit: creditLimit };
  const { key, secret } = await createKey(env, creator, wanted, now(), toReceiver(request));
  try {
    const oauth = await openServer(env, origin);
    const { redirectTo } = await oauth.server.getOAuthApi(oauth.env).completeAuthorization({
      request,
      userId: toOwner(account, userId),
      metadata: { account: toRef(account), keyId: key.id } satisfies GrantMetadata,
      scope: scopes,
      props: { secret } satisfies ConnectionProps,
    });
    await keepClient(openStorage(env, origin), request.clientId);
    return redirectTo;
  } catch (error) {
    await revokeKey(env, account, { id: key.id, mode: null, keepsJobs: false });
    throw error;
  }
}

function toRef({ id, tag, object, jurisdiction }: AccountRef): AccountRef {
  return { id, tag, object, jurisdiction };
}
