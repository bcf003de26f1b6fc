import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  EARLIER_ATTEMPTS_KEPT,
  KEPT_WEBHOOK_RESPONSE_BYTES,
  MAX_ALLOWED_IPS,
  MAX_BODY_BYTES,
  MAX_EMAIL_CHARS,
  MAX_IDEMPOTENCY_KEY_CHARS,
  MAX_KEY_NAME_CHARS,
  MAX_LANGUAGE_CHARS,
  MAX_LOCATION_CHARS,
  MAX_PASSWORD_CHARS,
  MAX_PROMPT_CHARS,
  MAX_QUERY_CHARS,
  MAX_ROW_REQUEST_BYTES,
  MAX_SCHEMA_CHARS,
  MAX_SELECTOR_CHARS,
  MAX_SELECTORS,
  MAX_URL_CHARS,
} from "../../src/model/limits";
import { sqlIn } from "../support/account";
import { createAccount, createClient, read, refOf } from "../support/client";
import { signUp, Visitor } from "../support/visitor";
import { endJob, expectAttempts, readDelivery, receiver } from "../support/webhooks";

const URL_START = "https://example.com/";
const text = (length: number, start = "") => start + "x".repeat(length - start.length);
const scrape = (more: object) => ({ url: URL_START, ...more });
const parse = (more: object) => ({ html: "<p>x</p>", prompt: "p", ...more });
const serp = (more: object) => ({ query: "tides", ...more });
const network = (i: number) => `10.${i}.0.0/16`;
const schemaOf = (chars: number) => {
  const empty = JSON.stringify({ type: "object", description: "" }).length;
  return { type: "object", description: "x".repeat(chars - empty) };
};

type Limit = [member: string, method: string, path: string, most: number, toBody: (size: number) => object];

/** The limit of each stored field. */
const LIMITS: Limit[] = [
  ["url", "POST", "/v1/scrape", MAX_URL_CHARS, (size) => ({ url: text(size, URL_START) })],
  [
    "webhook_url",
    "POST",
    "/v1/scrape",
    MAX_URL_CHARS,
    (size) => scrape({ webhook_url: text(size, "https://example.org/") }),
  ],
  ["wait_for", "POST", "/v1/scrape", MAX_SELECTOR_CHARS, (size) => scrape({ wait_for: text(size) })],
  [
    "include_selectors",
    "POST",
    "/v1/scrape",
    MAX_SELECTORS,
    (size) => scrape({ include_selectors: Array.from({ length: size }, () => "p") }),
  ],
  ["a selector", "POST", "/v1/scrape", MAX_SELECTOR_CHARS, (size) => scrape({ exclude_selectors: [text(size)] })],
  ["prompt", "POST", "/v1/parse", MAX_PROMPT_CHARS, (size) => parse({ prompt: text(size) })],
  ["schema", "POST", "/v1/parse", MAX_SCHEMA_CHARS, (size) => parse({ schema: schemaOf(size) })],
  ["query", "POST", "/v1/serp", MAX_QUERY_CHARS, (size) => serp({ query: text(size) })],
  // A language tag can be as long as the limit, because it may end in any number of private-use subtags (`x-…`).
  [
    "language",
    "POST",
    "/v1/serp",
    MAX_LANGUAGE_CHARS,
    (size) => serp({ language: "en-x-abcdefgh-abcdefgh-abcdefgh-abcdefgh".slice(0, size) }),
  ],
  ["location", "POST", "/v1/serp", MAX_LOCATION_CHARS, (size) => serp({ location: text(size) })],
  ["name", "POST", "/v1/keys", MAX_KEY_NAME_CHARS, (size) => ({ name: text(size) })],
  [
    "allowed_ips",
    "POST",
    "/v1/keys",
    MAX_ALLOWED_IPS,
    (size) => ({ allowed_ips: Array.from({ length: size }, (_, i) => network(i)) }),
  ],
  [
    "url of the webhook settings",
    "PUT",
    "/v1/webhooks",
    MAX_URL_CHARS,
    (size) => ({ url: text(size, "https://example.org/") }),
  ],
];

describe("the stored data of a caller", () => {
  // No known location has a name of that length, so even a value at the limit is rejected.
  const unknown = new Set(["location"]);

  it.each(LIMITS)("is limited: %s", async (member, method, path, most, toBody) => {
    const client = await createClient({ mode: "test" });
    const atLimit = await client.call(method, path, toBody(most));
    expect(atLimit.ok).toBe(!unknown.has(member));
    const over = await client.call(method, path, toBody(most + 1));
    expect([over.status, (await read(over)).error.code]).toEqual([400, "invalid_request"]);
  });

  it("is limited to the maximum body size, and large requests are stored in R2", async () => {
    const client = await createClient({ mode: "test" });
    const empty = JSON.stringify({ prompt: "p", html: "" }).length;
    const call = (bytes: number) =>
      client.call("POST", "/v1/parse?wait=true", { prompt: "p", html: "x".repeat(bytes - empty) });
    const whole = await call(MAX_BODY_BYTES);
    expect(whole.status).toBe(200);
    expect((await call(MAX_BODY_BYTES + 1)).status).toBe(413);
    const { job_id } = await read(whole);
    const account = await refOf(client.accountId);
    const sql = `SELECT LENGTH(COALESCE(j.request, p.request)) AS chars
      FROM jobs j LEFT JOIN payloads p ON p.mode = j.mode AND p.id = j.id WHERE j.id = ?1`;
    const charsOf = async (id: string) => (await sqlIn<{ chars: number | null }>(account, sql, id))[0]?.chars;
    expect(await charsOf(job_id)).toBeNull();
    const small = await read(await call(MAX_ROW_REQUEST_BYTES - 100));
    expect(await charsOf(small.job_id)).toBeLessThanOrEqual(MAX_ROW_REQUEST_BYTES);
  });

  it("is limited for an Idempotency-Key", async () => {
    const { call } = await createClient({ mode: "test" });
    const status = async (chars: number) =>
      (await call("POST", "/v1/serp", serp({}), { headers: { "idempotency-key": text(chars) } })).status;
    expect([await status(MAX_IDEMPOTENCY_KEY_CHARS), await status(MAX_IDEMPOTENCY_KEY_CHARS + 1)]).toEqual([202, 400]);
  });

  it("is limited to the plan's number of keys", async () => {
    const { call } = await createClient({ mode: "test", accountId: await createAccount({ plan: "free" }) });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await call("POST", "/v1/keys", {})).status);
    expect(statuses).toEqual([201, 201, 409]);
  });

  it("is limited for a receiver's responses and for earlier rounds", async () => {
    const client = await createClient();
    const account = await refOf(client.accountId);
    const delivery = await endJob(receiver("large?bytes=100000"), { account });
    const readResponse = async () => (await expectAttempts(delivery, 1)).attempts[0]?.response ?? "";
    await expect.poll(readResponse).not.toBe("");
    expect(new TextEncoder().encode(await readResponse()).byteLength).toBeLessThanOrEqual(KEPT_WEBHOOK_RESPONSE_BYTES);
    const earlier = Array.from({ length: EARLIER_ATTEMPTS_KEPT + 5 }, (_, at) => ({
      at,
      status_code: 500,
      duration_ms: 1,
      error: "e",
      response: "r",
    }));
    const abandon = "UPDATE deliveries SET earlier_attempts = ?1, status = 'abandoned', stage = NULL, due_at = NULL";
    await sqlIn(account, abandon, JSON.stringify(earlier));
    expect((await client.call("POST", `/v1/webhooks/deliveries/${delivery.id}/redeliver`)).status).toBe(202);
    expect((await readDelivery(delivery))?.earlierAttempts).toHaveLength(EARLIER_ATTEMPTS_KEPT);
  });

  it("is limited for an email address, a password and a User-Agent", async () => {
    const password = text(MAX_PASSWORD_CHARS);
    const attempt = async (fields: Record<string, string>) =>
      (
        await new Visitor().post("/dashboard/sign-up", {
          email: `${crypto.randomUUID()}@example.com`,
          password,
          ...fields,
        })
      ).status;
    const domain = `${`${"b".repeat(61)}.`.repeat(3)}example`;
    const address = (chars: number) => `${crypto.randomUUID().padEnd(chars - domain.length - 1, "a")}@${domain}`;
    expect(await attempt({})).toBe(303);
    expect(await attempt({ password: `${password}x` })).toBe(400);
    expect(await attempt({ email: address(MAX_EMAIL_CHARS) })).toBe(303);
    expect(await attempt({ email: address(MAX_EMAIL_CHARS + 1) })).toBe(400);

    const { visitor, email, password: own } = await signUp();
    await visitor.post("/dashboard/sign-in", { email, password: own }, { "user-agent": "x".repeat(10_000) });
    const longest = await env.DB.prepare("SELECT MAX(LENGTH(user_agent)) AS n FROM sessions").first<number>("n");
    expect(longest).toBe(300);
  });
});
