import type { Scope } from "../../../model/api-key";

/** What a key is tried with first, by the first of its scopes. */
const FIRST_CALLS: Record<Scope, { path: string; body?: object }> = {
  scrape: { path: "/v1/scrape?wait=true", body: { url: "https://example.com/" } },
  parse: { path: "/v1/parse?wait=true", body: { url: "https://example.com/", prompt: "What is this page about?" } },
  serp: { path: "/v1/serp?wait=true", body: { query: "harbour cranes" } },
  jobs: { path: "/v1/jobs" },
  keys: { path: "/v1/keys" },
};

/** A curl line that works with this key as it stands. */
export function toFirstCall(origin: string, secret: string, [scope = "jobs"]: readonly Scope[]): string {
  const { path, body } = FIRST_CALLS[scope];
  return [
    `curl -s "${origin}${path}"`,
    `-H "Authorization: Bearer ${secret}"`,
    ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`]),
  ].join(" \\\n  ");
}
