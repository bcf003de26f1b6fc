import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runCron } from "../../src/cron";
import { newTag } from "../../src/lib/id";
import { insertAccount } from "../../src/store/accounts";
import { creditsOf } from "../support/client";
import { type SignedUp, signUp, userIdOf, Visitor } from "../support/visitor";

const SESSION = "__Secure-extraction.session_token";

async function signIn({ email, password }: Pick<SignedUp, "email" | "password">, visitor = new Visitor()) {
  const response = await visitor.post("/dashboard/sign-in", { email, password });
  return { visitor, response, text: await response.text() };
}

const FREE = { balance: 500, granted: 500, used: 0 };

describe("sign-up", () => {
  it("grants the free plan's credits once, however often the overview is opened", async () => {
    const { visitor } = await signUp();
    const first = await visitor.read("/dashboard");
    expect(first).toContain("500");
    expect(await visitor.read("/dashboard")).toContain("500");
  });

  it.each([
    ["JP", "AS", "apac-ne"],
    ["FR", "EU", "weur"],
  ])("creates the account near a user in %s", async (country, continent, location) => {
    const { visitor, email } = await signUp();
    visitor.cf = { country, continent };
    await visitor.read("/dashboard");
    const statement = env.DB.prepare("SELECT location FROM accounts WHERE id = ?1");
    expect(await statement.bind(await userIdOf(email)).first("location")).toBe(location);
  });

  it("creates one account with one grant when the first pages are requested at the same time", async () => {
    const { visitor, email } = await signUp();
    const pages = await Promise.all([1, 2, 3, 4].map(() => visitor.get("/dashboard")));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await creditsOf(await userIdOf(email))).toEqual(FREE);
  });

  it("completes an interrupted creation of the account on the next page", async () => {
    const { visitor, email } = await signUp();
    const id = await userIdOf(email);
    // Inserts only the account, without a member and credits.
    await insertAccount(env.DB, {
      ...{ id, tag: newTag(), object: id, jurisdiction: null, location: null, name: email, plan: "free" },
      ...{ ratePerMinute: null, monthlyCredits: null, grantsEnabled: true, createdAt: Date.now() },
    });
    expect(await visitor.isSignedIn()).toBe(true);
    expect(await creditsOf(id)).toEqual(FREE);
    await env.DB.prepare("DELETE FROM memberships WHERE user_id = ?1").bind(id).run();
    expect(await visitor.isSignedIn()).toBe(true);
    expect(await creditsOf(id)).toEqual(FREE);
  });

  it.each([
    ["a registered address", { email: "twice@example.com" }, "is already registered"],
    ["a registered address in capitals", { email: "TWICE@example.com" }, "is already registered"],
    ["an invalid address", { email: "nobody" }, "not a valid email address"],
    ["an address that is too long", { email: `${"a".repeat(250)}@example.com` }, "not a valid email address"],
    ["a password of nine characters", { password: "9 letters" }, "Use at least 10 characters"],
    ["a password of 129 characters", { password: "x".repeat(129) }, "Use at most 128 characters"],
    ["no password", { password: "" }, "fill in every field"],
  ])("refuses %s with a reason and keeps the email address", async (_, fields, why) => {
    if (why.includes("already"))
      await new Visitor().post("/dashboard/sign-up", { email: "twice@example.com", password: "long enough" });
    const visitor = new Visitor();
    const sent = { email: `${crypto.randomUUID()}@example.com`, password: "long enough", ...fields };
    const response = await visitor.post("/dashboard/sign-up", sent);
    const text = await response.text();
    expect([response.status, text]).toEqual([400, expect.stringContaining(why)]);
    expect(text).toContain(`value="${sent.email}"`);
    expect(text).not.toContain(`value="${sent.password || "nothing"}"`);
    expect(visitor.cookies.size).toBe(0);
  });

  it("accepts passwords of 10 and of 128 characters and shows these limits", async () => {
    expect(await new Visitor().read("/dashboard/sign-up")).toContain("10 to 128 characters");
    for (const password of ["0123456789", "x".repeat(128)]) {
      const email = `${crypto.randomUUID()}@example.com`;
      expect((await new Visitor().post("/dashboard/sign-up", { email, password })).status).toBe(303);
      expect((await signIn({ email, password })).response.status).toBe(303);
    }
  });

  it("doesn't trim passwords and normalizes composed characters", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await new Visitor().post("/dashboard/sign-up", { email, password: "  Pässwört  " });
    expect((await signIn({ email, password: "Pässwört" })).response.status).toBe(401);
    expect((await signIn({ email, password: "  Pässwört  ".normalize("NFD") })).response.status).toBe(303);
  });

  it.each(["closed", "close"])(
    "is refused if SIGNUP is %s, even for a form that the page doesn't show",
    async (SIGNUP) => {
      const visitor = new Visitor({ SIGNUP });
      expect(await visitor.read("/dashboard/sign-in")).not.toContain("/dashboard/sign-up");
      const page = await visitor.read("/dashboard/sign-up");
      expect(page).toContain("Sign-up is closed");
      expect(page).not.toContain("<form");
      const email = `${crypto.randomUUID()}@example.com`;
      const forged = await visitor.post("/dashboard/sign-up", { email, password: "long enough" });
      expect([forged.status, await visitor.isSignedIn()]).toEqual([400, false]);
      await expect(userIdOf(email)).rejects.toThrow("no user");
      const { visitor: member, password, email: known } = await signUp();
      expect(await member.isSignedIn()).toBe(true);
      expect((await signIn({ email: known, password }, visitor)).response.status).toBe(303);
    },
  );
});

describe("sign-in", () => {
  it("redirects visitors to the sign-in page, and back to the requested page", async () => {
    const { email, password } = await signUp();
    const visitor = new Visitor();
    const refused = await visitor.get("/dashboard/jobs?status=failed");
    expect(refused.status).toBe(303);
    const location = refused.headers.get("location") ?? "";
    expect(location).toBe("/dashboard/sign-in?to=%2Fdashboard%2Fjobs%3Fstatus%3Dfailed");
    expect(await visitor.read(location)).toContain('value="/dashboard/jobs?status=failed"');
    const back = await visitor.post("/dashboard/sign-in", { email, password, to: "/dashboard/jobs?status=failed" });
    expect([back.status, back.headers.get("location")]).toEqual([303, "/dashboard/jobs?status=failed"]);
  });

  it.each([
    "//evil.example",
    "https://evil.example/dashboard",
    "/\\evil.example",
    "\\\\evil.example/dashboard",
    "/dashboard@evil.example",
    "/dashboard.evil.example",
    "/dashboard/../../evil",
    "/dashboard/..//evil.example",
    "/dashboard/%2e%2e//evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "https:evil.example",
    "/v1/jobs",
  ])("redirects to the overview instead of %j", async (to) => {
    const { email, password } = await signUp();
    const visitor = new Visitor();
    const response = await visitor.post("/dashboard/sign-in", { email, password, to });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard"]);
    // A signed-in user is also redirected to the overview and not to `to`.
    const again = await visitor.get(`/dashboard/sign-in?to=${encodeURIComponent(to)}`);
    expect([again.status, again.headers.get("location")]).toEqual([303, "/dashboard"]);
  });

  it("encodes characters that a Location header can't contain", async () => {
    const { email, password } = await signUp();
    const response = await new Visitor().post("/dashboard/sign-in", {
      email,
      password,
      to: "/dashboard/jo\r\nbs?q=é✓",
    });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard/jobs?q=%C3%A9%E2%9C%93"]);
  });

  it("sends the same response for a wrong password and an unknown address", async () => {
    const { email, password } = await signUp();
    const wrong = await signIn({ email, password: `${password}!` });
    const unknown = await signIn({ email: `${crypto.randomUUID()}@example.com`, password });
    expect([wrong.response.status, unknown.response.status]).toEqual([401, 401]);
    const withoutAddress = (text: string) => text.replace(/value="[^"]*@[^"]*"/, "");
    expect(withoutAddress(wrong.text)).toBe(withoutAddress(unknown.text));
    expect(wrong.text).toContain("The email address or the password is wrong.");
    expect([...wrong.visitor.cookies.keys(), ...unknown.visitor.cookies.keys()]).toEqual([]);
  });

  it("escapes the values in its form", async () => {
    const { text } = await signIn({ email: `"><img src=x onerror=alert(1)>@example.com`, password: "whatever it is" });
    expect(text).not.toContain("<img");
    const page = await new Visitor().read(`/dashboard/sign-in?to=${encodeURIComponent(`"><script>alert(1)</script>`)}`);
    expect(page).not.toContain("<script>");
  });

  it("creates a new session and doesn't reuse the session of a cookie", async () => {
    const user = await signUp();
    const planted = new Visitor();
    planted.cookies.set(SESSION, "planted.c2lnbmF0dXJl");
    expect(await planted.isSignedIn()).toBe(false);
    const before = user.visitor.cookies.get(SESSION);
    planted.cookies.set(SESSION, before ?? "");
    const { response } = await signIn(user, planted);
    expect(response.status).toBe(303);
    expect(planted.cookies.get(SESSION)).not.toBe(before);
  });

  it("stores the session in a cookie that is HttpOnly, SameSite and, over https, Secure", async () => {
    const { email, password } = await signUp();
    const { response } = await signIn({ email, password });
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith(`${SESSION}=`)) ?? "";
    const attributes = cookie.split("; ").slice(1);
    expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]));
    expect(cookie).not.toMatch(/domain=/i);
  });
});

describe("a session", () => {
  it("is invalid after the sign-out, even if the cookie was copied", async () => {
    const { visitor } = await signUp();
    const copiedSession = new Visitor();
    for (const [name, value] of visitor.cookies) copiedSession.cookies.set(name, value);
    expect(await copiedSession.isSignedIn()).toBe(true);
    const out = await visitor.post("/dashboard/sign-out");
    expect([out.status, out.headers.get("location")]).toEqual([303, "/dashboard/sign-in?done=out"]);
    expect(await visitor.read("/dashboard/sign-in?done=out")).toContain("You are signed out.");
    expect([visitor.cookies.has(SESSION), await copiedSession.isSignedIn()]).toEqual([false, false]);
  });

  it("expires, and the cron deletes it with expired links and counts", async () => {
    const ended = await signUp();
    const present = await signUp();
    const id = await userIdOf(ended.email);
    await env.DB.prepare("UPDATE sessions SET expires_at = ?2 WHERE user_id = ?1")
      .bind(id, new Date(Date.now() - 1).toISOString())
      .run();
    expect([await ended.visitor.isSignedIn(), await present.visitor.isSignedIn()]).toEqual([false, true]);
    // The `isSignedIn` request has deleted the expired session, so the cron needs another one to delete.
    const again = await signIn(ended);
    expect(again.response.status).toBe(303);
    const old = new Date(Date.now() - 1).toISOString();
    await env.DB.batch([
      env.DB.prepare("UPDATE sessions SET expires_at = ?2 WHERE user_id = ?1").bind(id, old),
      env.DB.prepare("INSERT INTO verifications VALUES ('old', 'old', '{}', ?1, ?1, ?1)").bind(old),
      env.DB.prepare("INSERT INTO sign_in_attempts VALUES ('old', 'old', 1, ?1)").bind(Date.now() - 2 * 86_400_000),
      env.DB.prepare("INSERT INTO sign_in_attempts VALUES (?1, ?1, 1, ?2)").bind(id, Date.now()),
    ]);
    await runCron(env, Date.now());
    expect(await count("sessions", `user_id = '${id}'`)).toBe(0);
    expect(await count("verifications", "id = 'old'")).toBe(0);
    expect(await count("sign_in_attempts", "id = 'old'")).toBe(0);
    expect(await count("sign_in_attempts", `id = '${id}'`)).toBe(1);
    expect(await present.visitor.isSignedIn()).toBe(true);
  });

  async function count(table: string, condition: string): Promise<number | null> {
    return await env.DB.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE ${condition}`).first<number>("n");
  }
});
