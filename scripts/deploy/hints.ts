/** Errors that an operator can fix. Wrangler prints only the message of Cloudflare's API. */
const HINTS: readonly { pattern: RegExp; hint: string }[] = [
  {
    pattern: /\[code: 10042\]|enable R2/i,
    hint: "R2 isn't enabled in this account. Enable it at https://dash.cloudflare.com/?to=/:account/r2, and run the command again.",
  },
  {
    pattern: /\[code: (?:1000|9103|9106|9109|10000|10001)\]|authentication error|invalid api token/i,
    hint: "Cloudflare refused the login. Run `npx wrangler login` again, or check that CLOUDFLARE_API_TOKEN is valid, belongs to this account, and can edit Workers, D1, R2 and Queues.",
  },
  {
    pattern: /\[code: 7003\]/,
    hint: "There may be no account with this id. Check CLOUDFLARE_ACCOUNT_ID, and account_id in the settings file.",
  },
  {
    pattern: /\[code: 10063\]|register a workers\.dev subdomain/i,
    hint: "The account has no workers.dev subdomain. Open https://dash.cloudflare.com/?to=/:account/workers once, which creates it, and run the command again.",
  },
];

/** Returns the error, followed by what the operator can do if the error is a known one. */
export function withHint(error: string): string {
  const found = HINTS.find(({ pattern }) => pattern.test(error));
  return found === undefined ? error : `${error.trimEnd()}\n\n${found.hint}`;
}
