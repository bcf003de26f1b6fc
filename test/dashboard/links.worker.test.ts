import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createLink, type Link, toLinkIdentifier } from "../../src/directory/users";
import { insertMember } from "../../src/store/memberships";
import { createAccount, createClient, ORIGIN } from "../support/client";
import { countAttempts, randomIpv4, signUp, Visitor } from "../support/visitor";

async function makePath(link: Link, now = Date.now()): Promise<string> {
  const url = await createLink(env, { link, origin: ORIGIN, accountId: null, actor: "operator", now });
  return url.slice(ORIGIN.length);
}

function signInLink(email: string, now?: number): Promise<string> {
  return makePath({ kind: "sign-in", email, name: "Somebody" }, now);
}

/** Opens a link and presses the button on its page. */
async function use(path: string, visitor: Visitor, fields: Record<string, string> = {}): Promise<Response> {
  const url = new URL(path, ORIGIN);
  const page = await visitor.get(path);
  expect(await page.text()).toContain(`action="${url.pathname}"`);
  return await visitor.post(url.pathname, { token: url.searchParams.get("token") ?? "", ...fields });
}

async function getUser(email: string) {
  return await env.DB.prepare("SELECT id, email_verified FROM users WHERE email = ?1")
    .bind(email)
    .first<{ id: string; email_verified: number }>();
}

function newEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

describe("a sign-in link", () => {
  it("signs the user in once after a click on its button, even if sign-up is closed", async () => {
    const email = newEmail();
    const path = await signInLink(email.toUpperCase());
    const visitor = new Visitor({ SIGNUP: "closed" });
    expect((await visitor.get(path)).status).toBe(200);
    expect((await visitor.get(path, { purpose: "prefetch" })).status).toBe(200);
    expect(await getUser(email)).toBeNull();
    expect((await use(path, visitor)).headers.get("location")).toBe("/dashboard");
    expect(await visitor.read("/dashboard")).toContain("500");
    expect((await getUser(email))?.email_verified).toBe(1);
    const other = new Visitor();
    const again = await use(path, other);
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining("already used or has expired")]);
    expect(await other.isSignedIn()).toBe(false);
  });

  it("signs in only one of several simultaneous visitors", async () => {
    const path = await signInLink(newEmail());
    const visitors = Array.from({ length: 4 }, () => new Visitor());
    await Promise.all(visitors.map((visitor) => use(path, visitor)));
    const signedIn = await Promise.all(visitors.map((visitor) => visitor.isSignedIn()));
    expect(signedIn.filter(Boolean)).toHaveLength(1);
  });

  it("expires after one day", async () => {
    const day = 86_400_000;
    const late = new Visitor();
    expect((await use(await signInLink(newEmail(), Date.now() - day), late)).status).toBe(400);
    expect(await late.isSignedIn()).toBe(false);
    expect((await use(await signInLink(newEmail(), Date.now() - day + 60_000), new Visitor())).status).toBe(303);
  });

  it("is stored as a hash and isn't in the audit log", async () => {
    const email = newEmail();
    const token = new URLSearchParams((await signInLink(email)).split("?")[1]).get("token") ?? "";
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const identifier = await toLinkIdentifier(`magic-link:${token}`);
    const row = await env.DB.prepare("SELECT * FROM verifications WHERE identifier = ?1").bind(identifier).first();
    expect(row).toMatchObject({ value: expect.stringContaining(email) });
    expect(JSON.stringify(row)).not.toContain(token);
    const entry = await env.DB.prepare("SELECT * FROM audit_log WHERE detail LIKE ?1").bind(`%${email}%`).first();
    expect(entry).toMatchObject({ actor: "operator", action: "link.create", account_id: null });
    expect(JSON.stringify(entry)).not.toContain(token);
  });

  it("isn't created for an invalid email address", async () => {
    await expect(signInLink("<script>@example.com")).rejects.toThrow("is not an email address");
  });

  it("is refused if its token is wrong, missing or of another kind", async () => {
    const { email } = await signUp();
    const reset = await makePath({ kind: "reset", userId: (await getUser(email))?.id ?? "" });
    for (const token of ["", "0", "../x", "%00", new URLSearchParams(reset.split("?")[1]).get("token") ?? ""]) {
      const visitor = new Visitor();
      const response = await visitor.post("/dashboard/link", { token });
      expect([token, response.status, await visitor.isSignedIn()]).toEqual([token, 400, false]);
    }
    expect(await new Visitor().read("/dashboard/link")).toContain("is incomplete");
  });

  it("removes the password and the sessions of a stranger who signed up with the same address", async () => {
    const { visitor: stranger, email, password } = await signUp();
    expect(await stranger.isSignedIn()).toBe(true);
    const owner = new Visitor();
    const response = await use(await signInLink(email), owner);
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringContaining("never verified it")]);
    expect(text).toContain('href="/dashboard/keys"');
    expect([await owner.isSignedIn(), await stranger.isSignedIn()]).toEqual([true, false]);
    const again = await stranger.post("/dashboard/sign-in", { email, password });
    expect([again.status, await stranger.isSignedIn()]).toEqual([401, false]);
    expect((await getUser(email))?.email_verified).toBe(1);
    // If the user is already verified, a sign-in link doesn't end the user's other sessions.
    const second = new Visitor();
    expect((await use(await signInLink(email), second)).headers.get("location")).toBe("/dashboard");
    expect(await owner.isSignedIn()).toBe(true);
  });
});

describe("an operator's password reset link", () => {
  it("sets a new password once and signs out all sessions", async () => {
    const { visitor, email, password } = await signUp();
    const path = await makePath({ kind: "reset", userId: (await getUser(email))?.id ?? "" });
    const owner = new Visitor();
    const short = await use(path, owner, { password: "too short" });
    expect([short.status, await short.text()]).toEqual([400, expect.stringContaining("Use at least 10 characters")]);
    const chosen = "a password that was chosen anew";
    const response = await use(path, owner, { password: chosen });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard/sign-in?done=reset"]);
    expect([await visitor.isSignedIn(), await owner.isSignedIn()]).toEqual([false, false]);
    expect((await owner.post("/dashboard/sign-in", { email, password })).status).toBe(401);
    expect((await owner.post("/dashboard/sign-in", { email, password: chosen })).status).toBe(303);
    const again = await use(path, new Visitor(), { password: "and once more, by somebody else" });
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining("already used or has expired")]);
    expect(await owner.isSignedIn()).toBe(true);
  });

  it("can be used again after too many attempts, because its form keeps the link", async () => {
    const { email } = await signUp();
    const path = await makePath({ kind: "reset", userId: (await getUser(email))?.id ?? "" });
    const visitor = new Visitor();
    visitor.address = randomIpv4();
    const fields = { token: new URL(path, ORIGIN).searchParams.get("token") ?? "", password: "too short" };
    expect((await visitor.post("/dashboard/reset", fields)).status).toBe(400);
    await countAttempts(visitor, { path: "/reset-password", count: 100, secondsAgo: 1 });
    const refused = await visitor.post("/dashboard/reset", { ...fields, password: "a password chosen anew" });
    const text = await refused.text();
    expect([refused.status, text]).toEqual([429, expect.stringContaining("too many attempts")]);
    expect(text).toContain(`value="${fields.token}"`);
    expect(text).toContain('name="password"');
  });
});

it("doesn't change the API keys when the password is reset", async () => {
  const { email, visitor } = await signUp();
  const user = await getUser(email);
  const accountId = await createAccount();
  await insertMember(env.DB, { role: "owner", userId: user?.id ?? "", accountId, now: Date.now() });
  const client = await createClient({ accountId });
  await use(await makePath({ kind: "reset", userId: user?.id ?? "" }), visitor, { password: "a password chosen anew" });
  expect(await visitor.read("/dashboard/sign-in?done=reset")).toContain("change your API keys and webhooks");
  expect((await client.call("GET", "/v1/usage")).status).toBe(200);
});
