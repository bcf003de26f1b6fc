import { z } from "zod";
import { now } from "../lib/clock";
import { MINUTE_MS, SECOND_MS } from "../model/limits";
import { readDenied } from "../net/denied";
import { fetchPage } from "../net/page";
import { toResourceOptions } from "../site/fetch-resource";

/** The draft advises at most 5 KB. */
const MAX_BYTES = 10 * 1024;
const TIMEOUT_MS = 10 * SECOND_MS;
const CACHE_MS = 5 * MINUTE_MS;
const MAX_CACHED = 200;

/** The documents that this isolate has read, by URL. */
const cache = new Map<string, { client: object; readAt: number }>();

const shortText = z.string().min(1).max(200);

/** Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document). Only public clients are accepted. */
const ClientDocument = z.object({
  client_id: z.string(),
  client_name: shortText,
  client_uri: z.string().optional(),
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(50),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

/**
 * Reads the client whose id is the https URL of its metadata document. Returns it in the library's form (ClientInfo), or
 * null if the document can't be read or isn't valid. The request follows the egress policy and no redirects.
 */
export async function readClientDocument(env: Env, url: string, origin: string): Promise<object | null> {
  const cached = cache.get(url);
  if (cached !== undefined && now() - cached.readAt < CACHE_MS) return cached.client;
  const client = await readClient(env, url, origin);
  // If the site is down, the last document applies.
  if (client === null) return cached?.client ?? null;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(url, { client, readAt: now() });
  return client;
}

async function readClient(env: Env, url: string, origin: string): Promise<object | null> {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.href !== url || parsed.pathname === "/" || parsed.hash !== "") return null;
  try {
    const context = { origin, proxy: null, denied: await readDenied(env, null) };
    const { body } = await fetchPage(url, {
      ...toResourceOptions(env, { ...context, signal: AbortSignal.timeout(TIMEOUT_MS) }),
      headers: { Accept: "application/json" },
      maxBytes: MAX_BYTES,
      beforeRedirect: async () => {
        throw new Error("The document redirects.");
      },
    });
    return toClient(ClientDocument.parse(JSON.parse(new TextDecoder().decode(body))), url);
  } catch {
    // For every reason, the user sees that the client isn't known.
    return null;
  }
}

function toClient(document: z.infer<typeof ClientDocument>, url: string): object | null {
  const { token_endpoint_auth_method: method = "none", token_endpoint_auth_methods_supported: methods = [] } = document;
  if (document.client_id !== url || "client_secret" in document) return null;
  if (method !== "none" && !methods.includes("none")) return null;
  return {
    clientId: url,
    clientName: document.client_name,
    clientUri: document.client_uri,
    redirectUris: document.redirect_uris,
    grantTypes: document.grant_types ?? ["authorization_code", "refresh_token"],
    responseTypes: document.response_types ?? ["code"],
    tokenEndpointAuthMethod: "none",
  };
}
