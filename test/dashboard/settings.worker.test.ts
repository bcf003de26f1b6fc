import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { toDevice } from "../../src/dashboard/pages/settings/settings-page";
import { ORIGIN } from "../support/client";
import { readEmails, toLink } from "../support/emails";
import { type SignedUp, signUp, signUpBeforeEmail, Visitor, WITH_EMAIL } from "../support/visitor";

const CHROME = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

/** Signs the same user in on another device. */
async function signInElsewhere({ email, password }: SignedUp, headers: Record<string, string> = {}): Promise<Visitor> {
  const visitor = new Visitor();
  const response = await visitor.post("/dashboard/sign-in", { email, password }, headers);
  expect(response.headers.get("location")).toBe("/dashboard");
  return visitor;
}

async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get("/dashboard/settings")).status === 200;
}

describe("the password", () => {
  it("can be changed with the current password, which signs out all other sessions", async () => {
    const user = await signUp();
    const other = await signInElsewhere(user);
    const password = "quite another password";
    const changed = await user.visitor.post("/dashboard/settings/password", { current: user.password, password });
    expect([changed.status, changed.headers.get("location")]).toEqual([303, "/dashboard/settings?done=password"]);
    expect(await user.visitor.read("/dashboard/settings?done=password")).toContain("Your password was changed.");
    expect(await isSignedIn(other)).toBe(false);
    await signInElsewhere({ ...user, password });
    const old = await new Visitor().post("/dashboard/sign-in", { email: user.email, password: user.password });
    expect(old.status).toBe(401);
  });

  it("isn't changed if the current password is wrong or the new one is too short, with an error at the field", async () => {
    const user = await signUp();
    const wrong = await user.visitor.post("/dashboard/settings/password", {
      current: "not it",
      password: "long enough",
    });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('id="problem-current">That&#39;s not your current password.');
    const short = await user.visitor.post("/dashboard/settings/password", {
      current: user.password,
      password: "short",
    });
    expect(short.status).toBe(400);
    const html = await short.text();
    expect(html).toContain('id="problem-password">The password is too short');
    expect(html).not.toContain(user.password);
    await signInElsewhere(user);
  });

  it("can't be guessed: after too many attempts, the response says when to try again", async () => {
    const { visitor } = await signUp();
    const guess = () => visitor.post("/dashboard/settings/password", { current: "a guess", password: "long enough" });
    let answer = await guess();
    for (let i = 0; i < 10 && answer.status === 400; i++) answer = await guess();
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await answer.text()).toContain("There were too many attempts.");
  });

  it("can be set once by a user who has none", async () => {
    const user = await signUp();
    const other = await signInElsewhere(user);
    await env.DB.prepare("DELETE FROM identities WHERE user_id = (SELECT id FROM users WHERE email = ?1)")
      .bind(user.email)
      .run();
    const html = await user.visitor.read("/dashboard/settings");
    expect(html).toContain("<h2>Set a password</h2>");
    expect(html).not.toContain('name="current"');
    const short = await user.visitor.post("/dashboard/settings/password", { password: "short" });
    expect(short.status).toBe(400);
    const password = "a first password";
    const set = await user.visitor.post("/dashboard/settings/password", { password });
    expect(set.headers.get("location")).toBe("/dashboard/settings?done=password");
    expect([await isSignedIn(other), await isSignedIn(user.visitor)]).toEqual([false, true]);
    expect(await user.visitor.read("/dashboard/settings")).toContain("<h2>Change your password</h2>");
    await signInElsewhere({ ...user, password });
    // After a password is set, the form requires the current password.
    expect((await user.visitor.post("/dashboard/settings/password", { password: "a second password" })).status).toBe(
      400,
    );
  });
});

describe("sessions", () => {
  it("are listed with their devices but without their tokens, and can be signed out one by one", async () => {
    const user = await signUp();
    const other = await signInElsewhere(user, { "user-agent": CHROME });
    const html = await user.visitor.read("/dashboard/settings");
    expect(html).toContain("Chrome on Windows");
    expect(html.match(/>current</g)).toHaveLength(1);
    const { results } = await env.DB.prepare(
      "SELECT token FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = ?1)",
    )
      .bind(user.email)
      .all<{ token: string }>();
    expect(results).toHaveLength(2);
    for (const { token } of results) expect(html).not.toContain(token);
    const [, action = ""] = /action="(\/dashboard\/settings\/sessions\/[^"/]+\/sign-out)"/.exec(html) ?? [];
    const ended = await user.visitor.post(action);
    expect(ended.headers.get("location")).toBe("/dashboard/settings?done=session");
    expect([await isSignedIn(other), await isSignedIn(user.visitor)]).toEqual([false, true]);
    expect((await user.visitor.post(action)).status).toBe(404);
  });

  it("of other users can't be signed out", async () => {
    const [own, other] = [await signUp(), await signUp()];
    const id = await env.DB.prepare("SELECT id FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = ?1)")
      .bind(other.email)
      .first<string>("id");
    expect((await own.visitor.post(`/dashboard/settings/sessions/${id}/sign-out`)).status).toBe(404);
    expect(await isSignedIn(other.visitor)).toBe(true);
  });

  it("can all be signed out, with or without the current one", async () => {
    const user = await signUp();
    const second = await signInElsewhere(user);
    expect(await user.visitor.read("/dashboard/settings")).toContain("Sign out other sessions");
    await user.visitor.post("/dashboard/settings/sessions/sign-out-others");
    expect([await isSignedIn(second), await isSignedIn(user.visitor)]).toEqual([false, true]);
    const alone = await user.visitor.read("/dashboard/settings");
    expect(alone).toContain("Sign out all sessions");
    expect(alone).not.toContain("Sign out other sessions");
    const third = await signInElsewhere(user);
    const out = await user.visitor.post("/dashboard/settings/sessions/sign-out-all");
    expect(out.headers.get("location")).toBe("/dashboard/sign-in?done=everywhere");
    expect([await isSignedIn(third), await isSignedIn(user.visitor)]).toEqual([false, false]);
    expect(user.visitor.cookies.has("__Secure-extraction.session_token")).toBe(false);
  });

  it("can be managed from a session that is several days old", async () => {
    const user = await signUp();
    await env.DB.prepare("UPDATE sessions SET created_at = ?2 WHERE user_id = (SELECT id FROM users WHERE email = ?1)")
      .bind(user.email, new Date(Date.now() - 5 * 86_400_000).toISOString())
      .run();
    expect(await user.visitor.read("/dashboard/settings")).toContain(">current<");
  });
});

describe("the address", () => {
  it("is shown as not verified, without a button if email isn't configured", async () => {
    const { visitor, email } = await signUp(`${crypto.randomUUID()}@example.com`, { ...WITH_EMAIL, MAIL_URL: "" });
    const html = await visitor.read("/dashboard/settings");
    expect(html).toContain(email);
    expect(html).toContain("not verified");
    expect(html).not.toContain('action="/dashboard/settings/verify"');
    expect(await visitor.read("/dashboard")).not.toContain('action="/dashboard/settings/verify"');
  });

  it("can be verified by a link that the user requests again", async () => {
    const { visitor, email } = await signUpBeforeEmail();
    expect(await visitor.read("/dashboard")).toContain('action="/dashboard/settings/verify"');
    const response = await visitor.post("/dashboard/settings/verify");
    expect(response.headers.get("location")).toBe("/dashboard/settings?done=sent");
    const [sent] = await readEmails(email, 1);
    const link = new URL(toLink(sent), ORIGIN);
    const used = await visitor.post(link.pathname, { token: link.searchParams.get("token") ?? "" });
    expect(used.headers.get("location")).toBe("/dashboard?done=verified");
    expect(await visitor.read("/dashboard?done=verified")).toContain("Your email address is verified.");
    expect(await visitor.read("/dashboard/settings")).not.toContain("not verified");
    const again = await visitor.post("/dashboard/settings/verify");
    expect(again.headers.get("location")).toBe("/dashboard/settings");
  });
});

describe("a device", () => {
  it.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
      "Chrome on Windows",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
      "Safari on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1",
      "Chrome on iPhone",
    ],
    ["Mozilla/5.0 (Android 15; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0", "Firefox on Android"],
    ["curl/8.5.0", "curl"],
    ["", "Unknown device"],
  ])("is recognized by %j", (userAgent, device) => {
    expect(toDevice(userAgent)).toBe(device);
  });
});
