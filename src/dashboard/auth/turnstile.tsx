// Cloudflare Turnstile on the sign-up page (https://developers.cloudflare.com/turnstile/). A widget checks the browser
// and adds a token to the form. The service verifies the token.
import { z } from "zod";
import { toOrigin, toText } from "../../lib/env";
import { log, toLogged } from "../../lib/log";
import { SECOND_MS } from "../../model/limits";
import { outboundFetch } from "../../net/outbound-fetch";
import type { DashboardContext } from "../ui/env";

const ORIGIN = "https://challenges.cloudflare.com";
const TIMEOUT_MS = 10 * SECOND_MS;
/** The widget's action. A token of another form of the same site has another action. */
const ACTION = "sign-up";
/** The field that the widget adds to the form. */
export const TURNSTILE_FIELD = "cf-turnstile-response";

const Verification = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  action: z.string().optional(),
  "error-codes": z.array(z.string()).default([]),
});

/** The error codes of an invalid token. All other codes are errors of the configuration or of Turnstile. */
const TOKEN_ERRORS: readonly string[] = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

function hasTurnstile(env: Env): boolean {
  return toText(env.TURNSTILE_SITE_KEY) !== null && toText(env.TURNSTILE_SECRET_KEY) !== null;
}

/** Returns the origin that the page's Content-Security-Policy allows for the widget, or an empty string. */
export function toTurnstileSource(env: Env, path: string): string {
  return path === "/dashboard/sign-up" && hasTurnstile(env) ? ORIGIN : "";
}

/** The widget, within a form. Renders nothing if Turnstile isn't configured. */
export function Turnstile({ env }: { env: Env }) {
  if (!hasTurnstile(env)) return null;
  return (
    <>
      <div class="cf-turnstile" data-sitekey={toText(env.TURNSTILE_SITE_KEY)} data-action={ACTION} />
      <noscript>To sign up, turn on JavaScript and reload the page.</noscript>
      <script src={`${ORIGIN}/turnstile/v0/api.js`} async defer />
    </>
  );
}

/** Verifies the token of a form. Returns null if it is valid or if Turnstile isn't configured, otherwise an error code. */
export async function verifyTurnstile(c: DashboardContext, token: string): Promise<string | null> {
  if (!hasTurnstile(c.env)) return null;
  if (token === "") return "TURNSTILE_FAILED";
  const { address } = c.var;
  const fields = { secret: toText(c.env.TURNSTILE_SECRET_KEY) ?? "", response: token };
  try {
    const response = await outboundFetch(`${ORIGIN}/turnstile/v0/siteverify`, {
      method: "POST",
      body: new URLSearchParams(address === null ? fields : { ...fields, remoteip: address }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { success, hostname, action, "error-codes": errors } = Verification.parse(await response.json());
    if (success) {
      if (action === ACTION && hostname === new URL(toOrigin(c.env, c.req.url)).hostname) return null;
      log("warn", "turnstile_refused", { hostname, action });
      return "TURNSTILE_FAILED";
    }
    if (errors.length > 0 && errors.every((error) => TOKEN_ERRORS.includes(error))) return "TURNSTILE_FAILED";
    log("error", "turnstile_failed", { errors });
  } catch (error) {
    log("error", "turnstile_failed", toLogged(error));
  }
  return "TURNSTILE_UNAVAILABLE";
}
