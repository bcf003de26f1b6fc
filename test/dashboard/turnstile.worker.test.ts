import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { ORIGIN } from "../support/client";
import { recordLines } from "../support/lines";
import { TURNSTILE_SECRET } from "../support/turnstile";
import { Visitor } from "../support/visitor";

const TURNSTILE = { TURNSTILE_SITE_KEY: "0x4AAAAAAA-site", TURNSTILE_SECRET_KEY: TURNSTILE_SECRET };
const WIDGET = "https://challenges.cloudflare.com";
const UNAVAILABLE = "Try again in a minute.";
const FAILED = "Wait until the check is complete, and try again.";

// Turnstile's URL can't be configured, so this redirects `fetch` to a server on loopback.
beforeEach(() => {
  const { fetch } = globalThis;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== WIDGET) return fetch(input, init);
    return fetch(`${inject("turnstile")}${url.pathname}`, init);
  });
});
afterEach(() => vi.restoreAllMocks());

/** Returns the token of a visitor who has passed the check of the widget. */
function passCheck(visitor: Visitor, fields: { hostname?: string; action?: string; ip?: string } = {}): string {
  const token = { hostname: new URL(ORIGIN).hostname, action: "sign-up", ip: visitor.address, ...fields };
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

async function signUpWith(visitor: Visitor, token: string | null, email = `${crypto.randomUUID()}@example.com`) {
  const fields = { email, password: "a good password" };
  const form = token === null ? fields : { ...fields, "cf-turnstile-response": token };
  const response = await visitor.post("/dashboard/sign-up", form);
  return { email, status: response.status, text: await response.text() };
}

async function hasUser(email: string): Promise<boolean> {
  return (await env.DB.prepare("SELECT 1 FROM users WHERE email = ?1").bind(email).first()) !== null;
}

describe("the widget", () => {
  it("is only on the sign-up page, which allows its script and frame", async () => {
    const visitor = new Visitor(TURNSTILE);
    const signUp = await visitor.get("/dashboard/sign-up?to=/dashboard/keys");
    const policy = signUp.headers.get("content-security-policy") ?? "";
    expect(policy).toContain(`script-src 'self' ${WIDGET};`);
    expect(policy).toContain(`frame-src ${WIDGET};`);
    const html = await signUp.text();
    expect(html).toContain(`data-sitekey="${TURNSTILE.TURNSTILE_SITE_KEY}"`);
    expect(html).toContain(`src="${WIDGET}/turnstile/v0/api.js"`);
    const signIn = await visitor.get("/dashboard/sign-in");
    expect(`${signIn.headers.get("content-security-policy")}${await signIn.text()}`).not.toContain(WIDGET);
  });

  it.each([{}, { ...TURNSTILE, TURNSTILE_SITE_KEY: " " }, { ...TURNSTILE, TURNSTILE_SECRET_KEY: "" }])(
    "is off unless both keys are set",
    async (bindings) => {
      const visitor = new Visitor({ USER_AGENT: "x", ...bindings });
      const page = await visitor.get("/dashboard/sign-up");
      expect(page.headers.get("content-security-policy")).toContain("frame-src 'none'");
      expect(`${page.headers.get("content-security-policy")}${await page.text()}`).not.toContain(WIDGET);
      expect((await signUpWith(visitor, null)).status).toBe(303);
    },
  );
});

describe("a sign-up", () => {
  it("needs a token, which is valid once", async () => {
    const visitor = new Visitor(TURNSTILE);
    const token = passCheck(visitor);
    const first = await signUpWith(visitor, token);
    expect([first.status, await hasUser(first.email)]).toEqual([303, true]);
    const another = new Visitor(TURNSTILE);
    another.address = visitor.address;
    const second = await signUpWith(another, token);
    expect([second.status, await hasUser(second.email)]).toEqual([400, false]);
  });

  it.each<[string, (visitor: Visitor) => string | null]>([
    ["no token", () => null],
    ["an empty token", () => ""],
    ["a forged token", () => "forged"],
    ["the token of another visitor", (visitor) => passCheck(visitor, { ip: "192.0.2.1" })],
    ["a token of another site", (visitor) => passCheck(visitor, { hostname: "other.example" })],
    ["a token of another form", (visitor) => passCheck(visitor, { action: "contact" })],
  ])("with %s is refused, and the page keeps the email address", async (_, toToken) => {
    recordLines();
    const visitor = new Visitor(TURNSTILE);
    const { email, status, text } = await signUpWith(visitor, toToken(visitor));
    expect(status).toBe(400);
    expect(text).toContain(FAILED);
    expect(text).toContain(`value="${email}"`);
    expect(text).toContain("cf-turnstile");
    expect(await hasUser(email)).toBe(false);
  });

  it.each([
    ["can't be reached", "reset", TURNSTILE],
    ["responds with an error page", "page", TURNSTILE],
    ["refuses the secret key", "eyJ9", { ...TURNSTILE, TURNSTILE_SECRET_KEY: "wrong" }],
  ])("is refused if Turnstile %s, and the error is logged without the secret and the token", async (_, token, keys) => {
    const lines = recordLines();
    const { email, status, text } = await signUpWith(new Visitor(keys), token);
    expect(status).toBe(503);
    expect(text).toContain(UNAVAILABLE);
    expect(text).toContain(`value="${email}"`);
    expect(await hasUser(email)).toBe(false);
    expect(lines.of("turnstile_failed")).toHaveLength(1);
    expect(lines.text()).not.toContain(keys.TURNSTILE_SECRET_KEY);
  });

  it("to a registered address still says so", async () => {
    const visitor = new Visitor(TURNSTILE);
    const { email } = await signUpWith(visitor, passCheck(visitor));
    const again = new Visitor(TURNSTILE);
    const { status, text } = await signUpWith(again, passCheck(again), email);
    expect([status, text.includes("already registered")]).toEqual([400, true]);
  });
});
