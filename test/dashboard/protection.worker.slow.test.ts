import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { ORIGIN, randomAddress, request } from "../support/client";
import { countAttempts, randomIpv4, signUp, signUpBeforeEmail, Visitor, WITH_EMAIL } from "../support/visitor";

/** The forms that change data, with valid fields. */
const FORMS: [path: string, fields: Record<string, string>][] = [
  ["/dashboard/sign-out", {}],
  ["/dashboard/mode", { mode: "test" }],
  ["/dashboard/sign-in", { email: "nobody@example.com", password: "whatever it is" }],
  ["/dashboard/sign-up", { email: "forged@example.com", password: "whatever it is" }],
  ["/dashboard/link", { token: "0" }],
];

describe("a form", () => {
  it.each([
    ["another origin", { origin: "https://evil.example" }],
    [
      "another origin with Sec-Fetch-Site same-site",
      { origin: "https://evil.extraction.example", "sec-fetch-site": "same-site" },
    ],
    ["the same host without TLS", { origin: ORIGIN.replace("https", "http") }],
    ["a frame without an origin", { origin: "null" }],
    ["an empty origin", { origin: "" }],
    ["another origin, as plain text", { origin: "https://evil.example", "content-type": "text/plain" }],
    ["another origin, as JSON", { origin: "https://evil.example", "content-type": "application/json" }],
    ["the same origin, as plain text", { "content-type": "text/plain" }],
    ["the same origin, as JSON", { "content-type": "application/json" }],
  ])("is refused from %s", async (_, headers) => {
    const { visitor } = await signUp();
    for (const [path, fields] of FORMS) {
      const cookies = new Map(visitor.cookies);
      const response = await visitor.post(path, fields, headers as Record<string, string>);
      expect([path, [403, 415].includes(response.status)]).toEqual([path, true]);
      expect(await response.text()).toMatch(/from another site|accepts only forms/);
      expect(visitor.cookies).toEqual(cookies);
    }
    expect((await visitor.get("/dashboard")).status).toBe(200);
  });

  it("is refused without an Origin header, which all current browsers send", async () => {
    const body = new URLSearchParams({ email: "nobody@example.com", password: "whatever it is" });
    const response = await request("/dashboard/sign-in", { method: "POST", body });
    expect(response.status).toBe(403);
  });

  it.each(["localhost:8787", "127.0.0.1:8787", "[::1]:8787"])(
    "is accepted on %s from the same origin only, even if PUBLIC_URL has another host",
    async (host) => {
      const send = async (origin: string) => {
        const body = new URLSearchParams({ email: `${crypto.randomUUID()}@example.com`, password: "whatever it is" });
        const headers = { origin, "cf-connecting-ip": randomAddress() };
        const form = new Request(`http://${host}/dashboard/sign-in`, { method: "POST", body, headers });
        return (await app.fetch(form, { ...env, ...WITH_EMAIL }, createExecutionContext())).status;
      };
      expect(await send(`http://${host}`)).toBe(401);
      for (const origin of ["https://evil.example", `https://${host}`, host, "http://localhost:3000", "null"])
        expect([origin, await send(origin)]).toEqual([origin, 403]);
    },
  );

  it("isn't accepted from another host name that leads to the service", async () => {
    const headers = { origin: "http://rebound.example:8787" };
    const form = new Request(`${headers.origin}/dashboard/sign-in`, { method: "POST", body: new FormData(), headers });
    expect((await app.fetch(form, { ...env, ...WITH_EMAIL }, createExecutionContext())).status).toBe(403);
  });

  it("is refused with a 4xx if it can't be parsed or is too large", async () => {
    // Tests both kinds of forms: with and without a session.
    const { visitor } = await signUp();
    const multipart = { "content-type": "multipart/form-data" };
    expect((await visitor.post("/dashboard/sign-in", { email: "x" }, multipart)).status).toBe(400);
    for (const path of ["/dashboard/keys/new", "/dashboard/playground?endpoint=scrape", "/dashboard/settings/password"])
      expect([path, (await visitor.post(path, { email: "x" }, multipart)).status]).toEqual([path, 400]);
    const large = await visitor.post("/dashboard/sign-in", { email: "x".repeat(7 * 1024 * 1024) });
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining("larger than")]);
  });

  it("does nothing on a GET request", async () => {
    const { visitor } = await signUp();
    for (const [path] of FORMS) await visitor.get(path);
    await visitor.get("/dashboard/sign-out?confirm=true");
    expect((await visitor.get("/dashboard")).status).toBe(200);
  });
});

describe("attempts of one IP address", () => {
  it.each([
    ["/dashboard/link", { token: "0" }, "/magic-link/verify", 20, 60],
    ["/dashboard/forgot", { email: "nobody@example.com" }, "/request-password-reset", 5, 600],
    ["/dashboard/settings/password", { current: "not it", password: "long enough" }, "/change-password", 10, 300],
    ["/dashboard/settings/verify", {}, "/send-verification-email", 5, 600],
    ["/dashboard/sign-up", { email: "nobody@example.com", password: "short" }, "/sign-up/email", 10, 600],
  ])("at %s are limited", async (form, fields, path, limit, seconds) => {
    const { visitor } = await signUpBeforeEmail();
    visitor.address = randomIpv4();
    const statuses = [(await visitor.post(form, fields)).status];
    for (const count of [limit - 1, limit]) {
      await countAttempts(visitor, { path, count, secondsAgo: seconds - 20 });
      statuses.push((await visitor.post(form, fields)).status);
    }
    expect(statuses.map((status) => status === 429)).toEqual([false, false, true]);
  });
});

describe("a form whose session has ended", () => {
  it("is kept, and can be sent again after the sign-in", async () => {
    const { visitor, email, password } = await signUp();
    await visitor.post("/dashboard/sign-out");
    const fields = { name: 'the "nightly" <one>', mode: "test", scopes: ["scrape", "jobs"], allowed_ips: "" };
    const response = await visitor.post("/dashboard/keys/new", fields);
    const text = await response.text();
    expect([response.status, text]).toEqual([401, expect.stringContaining("Your session has ended")]);
    expect(text).toContain('<form method="post" action="/dashboard/keys/new">');
    for (const input of [
      'name="name" value="the &quot;nightly&quot; &lt;one&gt;"',
      'name="scopes" value="scrape"',
      'name="scopes" value="jobs"',
    ])
      expect(text).toContain(`<input type="hidden" ${input}`);
    await visitor.post("/dashboard/sign-in", { email, password });
    expect(await visitor.read("/dashboard/keys")).toContain("No API keys yet");
    expect(await (await visitor.post("/dashboard/keys/new", fields)).text()).toContain("sk_test_");
  });

  it("isn't kept if it contains a password", async () => {
    const response = await new Visitor().post("/dashboard/settings/password", { current: "mine", password: "another" });
    const text = await response.text();
    expect([response.status, text]).toEqual([401, expect.stringContaining("Your session has ended")]);
    expect(text).not.toMatch(/mine|another|<form/);
  });
});

describe("an address", () => {
  it("keeps its filters after a switch of the mode, but not a confirmation", async () => {
    const { visitor } = await signUp();
    const headers = { referer: `${ORIGIN}/dashboard/webhooks?done=set&status=failed&from=1&job=2` };
    const response = await visitor.post("/dashboard/mode", { mode: "test" }, headers);
    expect(response.headers.get("location")).toBe("/dashboard/webhooks?status=failed");
  });

  it("of the sign-up redirects a signed-in user to the overview", async () => {
    const { visitor } = await signUp();
    const response = await visitor.get("/dashboard/sign-up");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard"]);
  });

  it.each([
    ["/dashboard/", "/dashboard"],
    ["/dashboard/jobs/?status=failed", "/dashboard/jobs?status=failed"],
    ["/dashboard/mode", "/dashboard"],
    ["/dashboard/settings/password", "/dashboard/settings"],
    ["/dashboard/settings/sessions/1/sign-out", "/dashboard/settings"],
    ["/dashboard/webhooks/endpoints/1/test", "/dashboard/webhooks/endpoints/1"],
    ["/dashboard/webhooks/deliveries/1/redeliver", "/dashboard/webhooks/deliveries/1"],
  ])("of a form, or with a trailing slash, redirects to its page: %s", async (path, page) => {
    const { visitor } = await signUp();
    const response = await visitor.get(path);
    expect([response.status, response.headers.get("location")]).toEqual([303, page]);
  });
});

describe("each answer", () => {
  it.each([
    ["a page", 200, (visitor: Visitor) => visitor.get("/dashboard/sign-in")],
    ["a page behind the sign-in", 200, async () => (await signUp()).visitor.get("/dashboard")],
    ["a redirect to the sign-in", 303, (visitor: Visitor) => visitor.get("/dashboard/keys")],
    ["an unknown page", 404, async () => (await signUp()).visitor.get("/dashboard/nothing-here")],
    ["a refused form", 403, (visitor: Visitor) => visitor.post("/dashboard/sign-in", {}, { origin: "null" })],
    [
      "a wrong password",
      401,
      (visitor: Visitor) => visitor.post("/dashboard/sign-in", { email: "a@b.cd", password: "x" }),
    ],
    [
      "an invalid response of GitHub",
      303,
      (visitor: Visitor) => visitor.get("/dashboard/auth/callback/github?code=x&state=y"),
    ],
    [
      "an unexpected error",
      500,
      () =>
        new Visitor({ RATE_LIMITER: undefined as never }).post("/dashboard/sign-in", {
          email: "a@b.cd",
          password: "x",
        }),
    ],
    ["too many attempts", 429, tooMany],
  ])("has headers that prevent scripts, framing and caching: %s", async (_, status, ask) => {
    const response = await ask(new Visitor());
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(response.status).toBe(status);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cache-control": "no-store",
      "strict-transport-security": expect.stringContaining("max-age="),
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const text = await response.text();
    expect(text).not.toMatch(/ style=| on\w+=|<script(?! src="\/dashboard\/)|<style/);
  });

  it("to an unexpected error contains only the request id", async () => {
    const visitor = new Visitor({ RATE_LIMITER: undefined as never });
    const response = await visitor.post("/dashboard/sign-in", {
      email: "nobody@example.com",
      password: "whatever it is",
    });
    const text = await response.text();
    expect(text).toContain(response.headers.get("x-request-id"));
    expect(text).not.toMatch(/\bD1\b|undefined|better-auth|No user has/i);
  });

  async function tooMany(visitor: Visitor): Promise<Response> {
    const fields = { email: "nobody@example.com", password: "short" };
    for (let i = 0; i < 10; i++) await visitor.post("/dashboard/sign-up", fields);
    return await visitor.post("/dashboard/sign-up", fields);
  }
});
