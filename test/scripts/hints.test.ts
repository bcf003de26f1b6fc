import { expect, it } from "vitest";
import { withHint } from "../../scripts/deploy/hints.ts";

/** Returns an error as wrangler prints it. */
const toError = (message: string) => `✘ [ERROR] A request to the Cloudflare API (/accounts/1/somewhere) failed.

  ${message}

🪵  Logs were written to "/home/me/wrangler.log"`;

it.each([
  ["Please enable R2 through the Cloudflare Dashboard. [code: 10042]", "Enable it at https://dash.cloudflare.com/"],
  ["Invalid API Token [code: 1000]", "Run `npx wrangler login` again, or check that CLOUDFLARE_API_TOKEN is valid"],
  ["Authentication error [code: 10000]", "can edit Workers, D1, R2 and Queues."],
  ["Could not route to /accounts/1/d1/database [code: 7003]", "Check CLOUDFLARE_ACCOUNT_ID"],
  ["You need to register a workers.dev subdomain. [code: 10063]", "The account has no workers.dev subdomain."],
])("says what to do about the error: %s", (message, hint) => {
  const text = withHint(toError(message));
  expect(text.startsWith(toError(message))).toBe(true);
  expect(text).toContain(hint);
});

it("adds nothing to an unknown error", () => {
  const error = toError("An unknown error has occurred [code: 10013]");
  expect(withHint(error)).toBe(error);
});
