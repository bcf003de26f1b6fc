import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { app } from "../../src/app";
import { newWebhookSecret } from "../../src/lib/crypto";
import { READY_CHECKS_PER_MINUTE, SCHEMA_VERSION } from "../../src/model/limits";
import { ORIGIN, read, request } from "../support/client";
import { recordLines } from "../support/lines";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Sends a request to the Worker with other bindings. */
async function requestWith(bindings: Record<string, unknown>, path = "/health/ready"): Promise<Response> {
  return await app.fetch(new Request(`${ORIGIN}${path}`), { ...env, ...bindings } as Env, createExecutionContext());
}

const ALERT_SECRET = "ALERT_WEBHOOK needs the secret ALERT_WEBHOOK_SECRET: whsec_ and at least 24 bytes in base64.";
const BOT_KEY = "BOT_PRIVATE_KEY is invalid, so requests aren't signed. Create a key with 'npm run admin -- bot-key'.";
const BOT_ORIGIN = "BOT_PRIVATE_KEY needs PUBLIC_URL, which names the sender of requests. Requests aren't signed.";

const down = () => Promise.reject(new Error("It is down: password=secret."));

describe("GET /health", () => {
  it("responds without a key and without any binding", async () => {
    const response = await app.fetch(new Request(`${ORIGIN}/health`), {} as Env, createExecutionContext());
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ success: true, data: { status: "alive" } });
  });

  it("responds to HEAD", async () => {
    expect((await request("/health", { method: "HEAD" })).status).toBe(200);
    expect((await request("/health", { method: "POST" })).status).toBe(405);
  });
});

describe("GET /health/ready", () => {
  // On a busy machine, a part that works may need more than two seconds.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));

  it("responds without a key if every part is ready", async () => {
    const response = await request("/health/ready");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ success: true, data: { status: "ready", browser: "ok" } });
  });

  it.each([
    ["database", { DB: { prepare: () => ({ first: down }) } }],
    ["store", { STORE: { head: down } }],
    ["durable_objects", { RATE_LIMITER: { getByName: () => ({ consume: down }) } }],
    ["queues", { RENDERS: undefined }],
    ["queues", { SUMMARIES: undefined }],
  ])("responds with 503 and the part %s if it fails, without the reason", async (part, bindings) => {
    const lines = recordLines();
    const response = await requestWith(bindings);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await response.json()).toMatchObject({
      success: false,
      error: {
        code: "unavailable",
        message: "The service isn't ready. 'details' lists the parts that failed.",
        retryable: true,
        details: [{ path: part, message: "failed" }],
      },
    });
    expect(lines.of("part_failed")).toMatchObject([{ part }]);
    expect(lines.of("request")).toMatchObject([{ route: "/health/ready", status: 503, code: "unavailable" }]);
  });

  it("responds with 503 and names the missing version if the schema is older than the code", async () => {
    // Version 0 means that there are no tables, so this made-up version is below it.
    const version = SCHEMA_VERSION - 3;
    const response = await requestWith({ DB: { prepare: () => ({ first: async () => version }) } });
    expect(response.status).toBe(503);
    const message = `The database's schema is version ${version}, but this code needs version ${SCHEMA_VERSION}. Run 'npm run deploy'.`;
    expect(await response.json()).toMatchObject({
      error: { code: "unavailable", details: [{ path: "database", message }] },
    });
  });

  it("responds with 503 and says what to do if the database has no tables", async () => {
    const noTable = () => Promise.reject(new Error("D1_ERROR: no such table: schema_versions: SQLITE_ERROR"));
    const response = await requestWith({ DB: { prepare: () => ({ first: noTable }) } });
    expect(response.status).toBe(503);
    const message = "The database has no tables. Run 'npm run deploy', which creates them.";
    expect(await response.json()).toMatchObject({ error: { details: [{ path: "database", message }] } });
  });

  it.each(["SIGNING_SECRET", "ENCRYPTION_KEY"])(
    "responds with 503 and the name of a missing secret: %s",
    async (name) => {
      for (const value of [undefined, "", " "]) {
        const response = await requestWith({ [name]: value });
        expect(response.status).toBe(503);
        const message = `The secret ${name} isn't set. Run 'npm run deploy', which creates it.`;
        expect(await response.json()).toMatchObject({ error: { details: [{ path: "secrets", message }] } });
      }
    },
  );

  it.each([
    ["FETCH_VIA", "sockets", '"fetch", "socket" or empty'],
    ["SIGNUP", "close", '"open", "closed" or empty'],
    ["ACCOUNT_JURISDICTION", "uk", '"eu", "us", "fedramp" or empty'],
    ["PUBLIC_URL", "extraction.example.com", "an http or https URL, or empty"],
  ])("reports an invalid %s", async (name, value, values) => {
    const response = await requestWith({ [name]: value });
    expect(response.status).toBe(503);
    const message = `${name} is "${value}". It must be ${values}.`;
    expect(await response.json()).toMatchObject({ error: { details: [{ path: "variables", message }] } });
  });

  it.each([
    [{ TURNSTILE_SITE_KEY: "x" }, "Set both TURNSTILE_SITE_KEY and the secret TURNSTILE_SECRET_KEY, or neither."],
    [{ TURNSTILE_SECRET_KEY: "x" }, "Set both TURNSTILE_SITE_KEY and the secret TURNSTILE_SECRET_KEY, or neither."],
    [{ BOT_PRIVATE_KEY: `${"a".repeat(43)}=`, PUBLIC_URL: ORIGIN }, BOT_KEY],
    [{ BOT_PRIVATE_KEY: "not a key", PUBLIC_URL: "" }, BOT_KEY],
    [{ BOT_PRIVATE_KEY: "a".repeat(43), PUBLIC_URL: "" }, BOT_ORIGIN],
    [{ ALERT_WEBHOOK: "https://hooks.example/token" }, ALERT_SECRET],
    [{ ALERT_WEBHOOK: "https://hooks.example/token", ALERT_WEBHOOK_SECRET: "whsec_c2hvcnQ=" }, ALERT_SECRET],
    [{ ALERT_WEBHOOK: "https://hooks.example/token", ALERT_WEBHOOK_SECRET: `whsec_${"!".repeat(44)}` }, ALERT_SECRET],
  ])("reports an incomplete or invalid secret: %o", async (bindings, message) => {
    const response = await requestWith(bindings);
    expect(response.status).toBe(503);
    expect((await read(response)).error.details).toEqual([{ path: "secrets", message }]);
  });

  it("is ready with both keys of Turnstile, and with a webhook for alerts and its secret", async () => {
    const alerts = { ALERT_WEBHOOK: "https://hooks.example/token", ALERT_WEBHOOK_SECRET: newWebhookSecret() };
    const response = await requestWith({ TURNSTILE_SITE_KEY: "x", TURNSTILE_SECRET_KEY: "y", ...alerts });
    expect(response.status).toBe(200);
  });

  it("reports an invalid webhook for alerts without showing it", async () => {
    const response = await requestWith({
      ALERT_WEBHOOK: "hooks.example/token",
      ALERT_WEBHOOK_SECRET: newWebhookSecret(),
    });
    const text = await response.text();
    expect(text).toContain("ALERT_WEBHOOK is invalid. It must be an http or https URL, or empty.");
    expect(text).not.toContain("token");
  });

  it("is ready if the schema is newer than the code, as during a deployment", async () => {
    const response = await requestWith({ DB: { prepare: () => ({ first: async () => SCHEMA_VERSION + 1 }) } });
    expect([response.status, (await read(response)).data.status]).toEqual([200, "ready"]);
  });

  it("waits at most two seconds for parts that hang, and lists all of them", async () => {
    const hang = () => new Promise(() => undefined);
    const pending = requestWith({
      DB: { prepare: () => ({ first: hang }) },
      STORE: { head: hang },
      BROWSER: { fetch: hang },
    });
    let response: Response | undefined;
    void pending.then((settled) => (response = settled));
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(2_000);
      expect(response).toBeDefined();
    }, 90_000);
    expect(await (await pending).json()).toMatchObject({
      error: {
        details: [
          { path: "database", message: "didn't respond within 2 seconds" },
          { path: "store", message: "didn't respond within 2 seconds" },
          { path: "browser", message: "didn't respond within 2 seconds" },
        ],
      },
    });
  });

  it("is ready without a browser, and reports its status", async () => {
    recordLines();
    const response = await requestWith({ BROWSER: { fetch: down } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: { status: "ready", browser: "failed" } });
  });

  it("limits each IP address separately", async () => {
    const headers = { "cf-connecting-ip": "203.0.113.77" };
    const limiter = env.RATE_LIMITER.getByName("ready:203.0.113.77");
    for (let i = 1; i < READY_CHECKS_PER_MINUTE; i++) await limiter.consume(READY_CHECKS_PER_MINUTE);
    expect((await request("/health/ready", { headers })).status).toBe(200);
    const refused = await request("/health/ready", { headers });
    expect([refused.status, (await read(refused)).error.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await request("/health/ready")).status).toBe(200);
  });
});
