// Signs requests to targets with Web Bot Auth (draft-meunier-web-bot-auth-architecture-02), which is a profile of HTTP
// Message Signatures (RFC 9421). Sites verify a request with the service's key directory.

import { now } from "../lib/clock";
import { fromBase64, toBase64Url } from "../lib/crypto";
import { toHttpOrigin, toText } from "../lib/env";
import { SECOND_MS } from "../model/limits";

export interface BotVariables {
  /** The private key: the 32 bytes of an Ed25519 seed in base64url. */
  BOT_PRIVATE_KEY?: string;
  PUBLIC_URL: string;
}

interface BotKey {
  privateKey: CryptoKey;
  publicKey: { kty: "OKP"; crv: "Ed25519"; x: string };
  /** The thumbprint of the public key (RFC 7638). */
  id: string;
}

/** The identifier of a component of the message, as in `Signature-Input`, and its value. */
type Component = readonly [identifier: string, value: string];

const DIRECTORY_TYPE = "application/http-message-signatures-directory+json";

const SEED = /^[\w-]{43}$/;
/** The bytes of PKCS #8 before the seed of an Ed25519 key (RFC 8410, section 7). */
const PKCS8_HEAD = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
/** The headers of a signature. The service sets all three, or none if a customer's headers include one of them. */
const HEADERS = ["signature-agent", "signature-input", "signature"];
const REQUEST_LIFETIME_S = 300;
const DIRECTORY_LIFETIME_S = 86_400;
/** The length that the draft recommends. */
const NONCE_BYTES = 64;

const encoder = new TextEncoder();
/** The imported keys by their seed. An isolate has one key. */
const keys = new Map<string, BotKey>();

/** Returns a message if BOT_PRIVATE_KEY is set but can't be used, otherwise null. */
export function describeInvalidBotKey({ BOT_PRIVATE_KEY, PUBLIC_URL }: BotVariables): string | null {
  const seed = toText(BOT_PRIVATE_KEY);
  if (seed === null) return null;
  if (!SEED.test(seed))
    return "BOT_PRIVATE_KEY is invalid, so requests aren't signed. Create a key with 'npm run admin -- bot-key'.";
  return toHttpOrigin(PUBLIC_URL) === null
    ? "BOT_PRIVATE_KEY needs PUBLIC_URL, which names the sender of requests. Requests aren't signed."
    : null;
}

/**
 * Adds a signature to the headers of a request to a target. Does nothing without a valid key and PUBLIC_URL, or if the
 * customer's own headers include a signature.
 */
export async function signRequest(url: URL, headers: Headers, variables: BotVariables): Promise<void> {
  const identity = await readIdentity(variables);
  if (identity === null || HEADERS.some((name) => headers.has(name))) return;
  const agent = `"${identity.origin}"`;
  headers.set("signature-agent", agent);
  const components: Component[] = [
    ['"@authority"', url.host],
    ['"signature-agent"', agent],
  ];
  const parameters = toParameters(identity.key, "web-bot-auth", REQUEST_LIFETIME_S);
  for (const [name, value] of await toSignatureHeaders(identity.key.privateKey, components, parameters))
    headers.set(name, value);
}

/**
 * Returns the key directory (draft-meunier-http-message-signatures-directory-03). Its signature proves that the owner of
 * the private key serves it at PUBLIC_URL. Returns null if requests aren't signed.
 */
export async function respondWithDirectory(variables: BotVariables): Promise<Response | null> {
  const identity = await readIdentity(variables);
  if (identity === null) return null;
  const { key, origin } = identity;
  const parameters = toParameters(key, "http-message-signatures-directory", DIRECTORY_LIFETIME_S);
  // The authority isn't taken from the request, because a proxy of another host could then claim the key.
  const components: Component[] = [['"@authority";req', new URL(origin).host]];
  const headers = new Headers(await toSignatureHeaders(key.privateKey, components, parameters));
  headers.set("content-type", DIRECTORY_TYPE);
  headers.set("cache-control", "public, max-age=3600");
  return new Response(JSON.stringify({ keys: [{ ...key.publicKey, kid: key.id, use: "sig" }] }), { headers });
}

async function readIdentity(variables: BotVariables): Promise<{ key: BotKey; origin: string } | null> {
  const [seed, origin] = [toText(variables.BOT_PRIVATE_KEY), toHttpOrigin(variables.PUBLIC_URL)];
  if (seed === null || origin === null || !SEED.test(seed)) return null;
  const key = keys.get(seed) ?? (await importBotKey(seed));
  keys.set(seed, key);
  return { key, origin };
}

/** Imports a valid seed. The runtime derives the public key. */
export async function importBotKey(seed: string): Promise<BotKey> {
  const bytes = Uint8Array.from([...PKCS8_HEAD, ...fromBase64(seed)]);
  const privateKey = await crypto.subtle.importKey("pkcs8", bytes, "Ed25519", true, ["sign"]);
  const { x = "" } = (await crypto.subtle.exportKey("jwk", privateKey)) as JsonWebKey;
  const publicKey = { kty: "OKP", crv: "Ed25519", x } as const;
  // RFC 7638: the required members in the order of their names, without spaces.
  const members = JSON.stringify({ crv: publicKey.crv, kty: publicKey.kty, x });
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(members));
  return { privateKey, publicKey, id: toBase64Url(new Uint8Array(digest)) };
}

function toParameters(key: BotKey, tag: string, lifetimeSeconds: number): string {
  const created = Math.floor(now() / SECOND_MS);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES)).toBase64();
  return `;created=${created};expires=${created + lifetimeSeconds};keyid="${key.id}";alg="ed25519";nonce="${nonce}";tag="${tag}"`;
}

/** Returns the headers `Signature-Input` and `Signature` (RFC 9421, section 3.1). */
export async function toSignatureHeaders(
  privateKey: CryptoKey,
  components: readonly Component[],
  parameters: string,
): Promise<[name: string, value: string][]> {
  const input = `(${components.map(([identifier]) => identifier).join(" ")})${parameters}`;
  const lines = [...components, ['"@signature-params"', input]].map(([identifier, value]) => `${identifier}: ${value}`);
  const signature = await crypto.subtle.sign("Ed25519", privateKey, encoder.encode(lines.join("\n")));
  return [
    ["signature-input", `sig1=${input}`],
    ["signature", `sig1=:${new Uint8Array(signature).toBase64()}:`],
  ];
}
