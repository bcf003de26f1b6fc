import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";

export const MODES = ["live", "test"] as const;
export type Mode = (typeof MODES)[number];

/** The webhook secret of each mode. */
export type Secrets = Record<Mode, string>;

export interface SignedRequest {
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** The result of the verification of a signature. `text` is "verified", or says why the signature isn't valid. */
export interface Verification {
  ok: boolean;
  text: string;
}

export interface Verifications {
  /** The mode whose secret signed the request. Null if no signature is valid. */
  mode: Mode | null;
  /** `X-Webhook-Signature`, which signs the body. */
  body: Verification;
  /** `webhook-signature`, which follows Standard Webhooks and also signs the id and the time. */
  standard: Verification;
}

/** Verifies both signatures of a request with the secrets of both modes. */
export function verifySignatures(request: SignedRequest, secrets: Secrets): Verifications {
  const bodies = MODES.map((mode) => verifyBody(request, secrets[mode]));
  const standards = MODES.map((mode) => verifyStandard(request, secrets[mode]));
  const signer = MODES.findIndex((_, index) => bodies[index]?.ok || standards[index]?.ok);
  return {
    mode: MODES[signer] ?? null,
    body: bodies[Math.max(signer, 0)] as Verification,
    standard: standards[Math.max(signer, 0)] as Verification,
  };
}

const BODY_HEADERS = [
  ["x-webhook-signature", "verified"],
  ["x-webhook-signature-previous", "verified with the previous secret"],
] as const;

function verifyBody({ headers, body }: SignedRequest, secret: string): Verification {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  for (const [name, text] of BODY_HEADERS) {
    const given = Buffer.from(headers[name] ?? "");
    if (given.length === expected.length && timingSafeEqual(given, expected)) return { ok: true, text };
  }
  const given = headers["x-webhook-signature"];
  if (given === undefined) return fail("the header is missing");
  if (!/^sha256=[0-9a-f]{64}$/.test(given)) return fail("the header isn't sha256= followed by 64 hex digits");
  return fail("it doesn't match the body and the secret");
}

/** The messages of the package `standardwebhooks`, and the reasons that this command prints for them. */
const REASONS: readonly [RegExp, string][] = [
  [/^Missing required headers/, "a webhook-* header is missing"],
  [/^Invalid Signature Headers/, "webhook-timestamp isn't a number"],
  [/^Message timestamp too old/, "webhook-timestamp is more than 5 minutes old"],
  [/^Message timestamp too new/, "webhook-timestamp is more than 5 minutes in the future"],
  [/^No matching signature/, "it doesn't match the id, the time, the body and the secret"],
  [/^Base64Coder/, "the secret isn't standard base64; create a new one with POST /v1/webhooks/rotate"],
];

/** Verifies the request with the official package, so that the result is the same as in a customer's receiver. */
function verifyStandard({ headers, body }: SignedRequest, secret: string): Verification {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? ""]));
  try {
    new Webhook(secret).verify(body.toString(), given, { jsonParse: false });
    return { ok: true, text: "verified" };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail(REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? message);
  }
}

function fail(reason: string): Verification {
  return { ok: false, text: `not verified: ${reason}` };
}
