import { env } from "cloudflare:workers";
import { createOTP } from "@better-auth/utils/otp";
import { describe, expect, it } from "vitest";
import { resealTwoFactors } from "../../src/directory/reseal-two-factors";
import { createLink } from "../../src/directory/users";
import { ORIGIN } from "../support/client";
import { readEmails } from "../support/emails";
import { type SignedUp, signUp, signUpBeforeEmail, userIdOf, Visitor } from "../support/visitor";

const SETTINGS = "/dashboard/settings/two-factor";

interface Protected extends SignedUp {
  /** Returns a code that wasn't used before: the next code of the authenticator app. */
  code: () => Promise<string>;
  /** The code that turned two-factor sign-in on. */
  usedCode: string;
  backupCodes: string[];
}

const STEP_MS = 30_000;

/**
 * Simulates an authenticator app with the secret of this setup page. Returns a function that returns codes. The service
 * also accepts the next code (`ahead` is 1).
 */
function toApp(html: string): (ahead?: number) => Promise<string> {
  const secret = /[?&]secret=([A-Z2-7]+)/.exec(html.replaceAll("&amp;", "&"))?.[1] ?? "";
  return async (ahead = 0) => await createOTP(decodeBase32(secret)).hotp(Math.floor(Date.now() / STEP_MS) + ahead);
}

function decodeBase32(text: string): string {
  const bits = [...text].map((char) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(char).toString(2).padStart(5, "0"));
  return (bits.join("").match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join("");
}

function readBackupCodes(html: string): string[] {
  return [...html.matchAll(/\b[0-9A-Za-z]{5}-[0-9A-Za-z]{5}\b/g)].map(([code]) => code);
}

/** Turns two-factor sign-in on for a new user. */
async function turnOn(user?: SignedUp): Promise<Protected> {
  const owner = user ?? (await signUp());
  const { visitor, password } = owner;
  const setup = await (await visitor.post(`${SETTINGS}/setup`, { current: password })).text();
  const app = toApp(setup);
  const usedCode = await app();
  const on = await visitor.post(`${SETTINGS}/verify`, { code: usedCode });
  expect(on.status).toBe(200);
  return { ...owner, usedCode, code: () => app(1), backupCodes: readBackupCodes(await on.text()) };
}

/** Enters the password in a new browser. Returns the browser, which must enter a code next. */
async function enterPassword(
  { email, password }: SignedUp,
  to = "",
  visitor: Visitor = new Visitor(),
): Promise<Visitor> {
  const response = await visitor.post("/dashboard/sign-in", { email, password, to });
  expect(response.headers.get("location")).toMatch(/^\/dashboard\/sign-in\/code\?to=/);
  return visitor;
}

async function toWrong(code: string): Promise<string> {
  return code.startsWith("1") ? `2${code.slice(1)}` : `1${code.slice(1)}`;
}

describe("turning two-factor sign-in on", () => {
  it("shows a QR code and the secret, then the backup codes, and keeps the user signed in", async () => {
    const { visitor, email, password } = await signUpBeforeEmail();
    expect(await visitor.read("/dashboard/settings")).toMatch(/Two-factor sign-in[\s\S]*>off</);
    const setup = await (await visitor.post(`${SETTINGS}/setup`, { current: password })).text();
    expect(setup).toMatch(/<svg class="qr"[^>]*role="img"[\s\S]*<path d="M/);
    const code = await toApp(setup)();
    // Apps show a space in the middle of a code.
    const on = await visitor.post(`${SETTINGS}/verify`, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(new Set(readBackupCodes(await on.text())).size).toBe(10);
    expect(await visitor.read("/dashboard/settings")).toMatch(/Two-factor sign-in[\s\S]*>on</);
    expect(readBackupCodes(await visitor.read(SETTINGS))).toEqual([]);
    expect((await readEmails(email, 1))[0]?.subject).toBe("Two-factor sign-in was turned on");
  });

  it("needs the password", async () => {
    const { visitor } = await signUp();
    const response = await visitor.post(`${SETTINGS}/setup`, { current: "not the password" });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('id="problem-current"');
  });

  it("isn't complete before the first right code, and shows the same QR code after a wrong one", async () => {
    const user = await signUp();
    const setup = await (await user.visitor.post(`${SETTINGS}/setup`, { current: user.password })).text();
    const uri = /name="uri" value="([^"]+)"/.exec(setup)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const wrong = await user.visitor.post(`${SETTINGS}/verify`, { code: await toWrong(await toApp(setup)()), uri });
    expect(wrong.status).toBe(400);
    const html = await wrong.text();
    expect(html).toContain('id="problem-code"');
    expect(toApp(html)).toBeDefined();
    expect(await toApp(html)()).toBe(await toApp(setup)());
    const signIn = await new Visitor().post("/dashboard/sign-in", { email: user.email, password: user.password });
    expect(signIn.headers.get("location")).toBe("/dashboard");
  });

  it("stores neither the secret nor the backup codes in plain text", async () => {
    const { email, visitor, password } = await signUp();
    const setup = await (await visitor.post(`${SETTINGS}/setup`, { current: password })).text();
    const base32 = /[?&]secret=([A-Z2-7]+)/.exec(setup.replaceAll("&amp;", "&"))?.[1] ?? "";
    const on = await visitor.post(`${SETTINGS}/verify`, { code: await toApp(setup)() });
    const [backupCode = ""] = readBackupCodes(await on.text());
    const row = await env.DB.prepare("SELECT * FROM two_factors WHERE user_id = ?1")
      .bind(await userIdOf(email))
      .first();
    expect(row).not.toBeNull();
    for (const secret of [base32, decodeBase32(base32), backupCode]) expect(JSON.stringify(row)).not.toContain(secret);
  });
});

describe("the second step of the sign-in", () => {
  it("accepts the app's code, and redirects to the page that the user wanted", async () => {
    const user = await turnOn();
    const visitor = await enterPassword(user, "/dashboard/keys");
    expect(await visitor.isSignedIn()).toBe(false);
    const form = await visitor.read("/dashboard/sign-in/code?to=%2Fdashboard%2Fkeys");
    expect(form).toContain('autocomplete="one-time-code"');
    const response = await visitor.post("/dashboard/sign-in/code", { code: await user.code(), to: "/dashboard/keys" });
    expect(response.headers.get("location")).toBe("/dashboard/keys");
    expect(await visitor.isSignedIn()).toBe(true);
  });

  it("accepts each code of the app once", async () => {
    const user = await turnOn();
    const code = await user.code();
    const [first, second, third] = [await enterPassword(user), await enterPassword(user), await enterPassword(user)];
    const replies = await Promise.all(
      [first, second].map((visitor) => visitor.post("/dashboard/sign-in/code", { code })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 401]);
    // The code that turned on two-factor sign-in counts as used. All codes before the last used code count as used,
    // too.
    const refused = await third.post("/dashboard/sign-in/code", { code: user.usedCode });
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain("was already used");
    expect(await third.isSignedIn()).toBe(false);
  });

  it("accepts each backup code once", async () => {
    const user = await turnOn();
    const [code = ""] = user.backupCodes;
    const visitor = await enterPassword(user);
    const response = await visitor.post("/dashboard/sign-in/backup-code", { code });
    expect(response.headers.get("location")).toBe("/dashboard");
    expect(await visitor.isSignedIn()).toBe(true);
    const again = await enterPassword(user);
    const refused = await again.post("/dashboard/sign-in/backup-code", { code });
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain("This backup code is wrong or was already used.");
    expect(await again.isSignedIn()).toBe(false);
  });

  it("can't be skipped: the code alone doesn't sign in", async () => {
    const user = await turnOn();
    const stranger = new Visitor();
    const response = await stranger.post("/dashboard/sign-in/code", { code: await user.code() });
    expect(response.headers.get("location")).toBe("/dashboard/sign-in?done=second-step");
    expect(await stranger.isSignedIn()).toBe(false);
  });

  it("ends after five wrong codes, and needs the password again", async () => {
    const user = await turnOn();
    const visitor = await enterPassword(user);
    const wrong = await toWrong(await user.code());
    for (let i = 0; i < 5; i++) {
      const refused = await visitor.post("/dashboard/sign-in/code", { code: wrong });
      expect(refused.status).toBe(401);
      expect(await refused.text()).toContain('id="problem-code"');
    }
    const over = await visitor.post("/dashboard/sign-in/code", { code: await user.code() });
    expect(over.headers.get("location")).toBe("/dashboard/sign-in?done=second-step");
    expect(await visitor.isSignedIn()).toBe(false);
  });

  it("is locked for 15 minutes after ten wrong codes, from any address", async () => {
    const user = await turnOn();
    const wrong = await toWrong(await user.code());
    for (let round = 0; round < 2; round++) {
      const visitor = await enterPassword(user);
      for (let i = 0; i < 5; i++) await visitor.post("/dashboard/sign-in/code", { code: wrong });
    }
    const visitor = await enterPassword(user);
    const locked = await visitor.post("/dashboard/sign-in/code", { code: await user.code() });
    expect([locked.status, locked.headers.get("retry-after")]).toEqual([429, "900"]);
    expect(await locked.text()).toContain("Try again in 15 minutes.");
    expect(await visitor.isSignedIn()).toBe(false);
  });

  it("isn't part of the sign-in with an operator's link, which helps users without their app", async () => {
    const user = await turnOn();
    const link = { kind: "sign-in" as const, email: user.email, name: "Ada" };
    const url = await createLink(env, { link, origin: ORIGIN, accountId: null, actor: "operator", now: Date.now() });
    const visitor = new Visitor();
    await visitor.post("/dashboard/link", { token: new URL(url).searchParams.get("token") ?? "" });
    expect(await visitor.isSignedIn()).toBe(true);
  });
});

describe("a user with two-factor sign-in", () => {
  it("doesn't see the backup codes again, and the code of the app doesn't reveal them", async () => {
    const user = await turnOn();
    const response = await user.visitor.post(`${SETTINGS}/verify`, { code: await user.code() });
    expect(response.headers.get("location")).toBe("/dashboard/settings/two-factor");
    expect(readBackupCodes(await response.text())).toEqual([]);
  });

  it("has no session left that began without a code", async () => {
    const user = await signUp();
    const other = new Visitor();
    await other.post("/dashboard/sign-in", { email: user.email, password: user.password });
    expect(await other.isSignedIn()).toBe(true);
    await turnOn(user);
    expect([await other.isSignedIn(), await user.visitor.isSignedIn()]).toEqual([false, true]);
  });

  it("can turn it off with the password", async () => {
    const user = await turnOn();
    const refused = await user.visitor.post(`${SETTINGS}/disable`, { current: "not the password" });
    expect(refused.status).toBe(400);
    await enterPassword(user);
    const off = await user.visitor.post(`${SETTINGS}/disable`, { current: user.password });
    expect(off.headers.get("location")).toBe("/dashboard/settings?done=two-factor-off");
    expect(await user.visitor.isSignedIn()).toBe(true);
    const signIn = await new Visitor().post("/dashboard/sign-in", { email: user.email, password: user.password });
    expect(signIn.headers.get("location")).toBe("/dashboard");
  });

  it("can create new backup codes with the password, which replace the earlier ones", async () => {
    const user = await turnOn();
    const refused = await user.visitor.post(`${SETTINGS}/backup-codes`, { current: "not the password" });
    expect(readBackupCodes(await refused.text())).toEqual([]);
    const html = await (await user.visitor.post(`${SETTINGS}/backup-codes`, { current: user.password })).text();
    const [code = ""] = readBackupCodes(html);
    const visitor = await enterPassword(user);
    const [old = ""] = user.backupCodes;
    expect((await visitor.post("/dashboard/sign-in/backup-code", { code: old })).status).toBe(401);
    expect((await visitor.post("/dashboard/sign-in/backup-code", { code })).status).toBe(303);
  });
});

describe("after a change of SIGNING_SECRET, a user", () => {
  const OLD = "the signing secret before this one";

  it("must sign in again, and the authenticator app still works", async () => {
    const user = await turnOn(await signUp(undefined, { SIGNING_SECRET: OLD }));
    const during = { SIGNING_SECRET_PREVIOUS: OLD };
    const visitor = await enterPassword(user, "", new Visitor(during));
    expect((await visitor.post("/dashboard/sign-in/code", { code: await user.code() })).status).toBe(303);
    expect(await visitor.isSignedIn()).toBe(true);
    const other = await enterPassword(user, "", new Visitor(during));
    const [backupCode = ""] = user.backupCodes;
    expect((await other.post("/dashboard/sign-in/backup-code", { code: backupCode })).status).toBe(303);
  });

  it("doesn't need the previous secret after the stored secrets were encrypted again", async () => {
    const user = await turnOn(await signUp(undefined, { SIGNING_SECRET: OLD }));
    expect((await resealTwoFactors({ ...env, SIGNING_SECRET_PREVIOUS: OLD })).resealed).toBeGreaterThan(0);
    const visitor = await enterPassword(user);
    expect((await visitor.post("/dashboard/sign-in/code", { code: await user.code() })).status).toBe(303);
    const [backupCode = ""] = user.backupCodes;
    const other = await enterPassword(user);
    expect((await other.post("/dashboard/sign-in/backup-code", { code: backupCode })).status).toBe(303);
  });

  it("doesn't need the previous secret either if the backup codes were created after the change", async () => {
    const user = await turnOn(await signUp(undefined, { SIGNING_SECRET: OLD }));
    const other = await turnOn(await signUp());
    await env.DB.prepare(
      `UPDATE two_factors SET backup_codes = (SELECT backup_codes FROM two_factors WHERE user_id = ?2)
       WHERE user_id = ?1`,
    )
      .bind(await userIdOf(user.email), await userIdOf(other.email))
      .run();
    await resealTwoFactors({ ...env, SIGNING_SECRET_PREVIOUS: OLD });
    const visitor = await enterPassword(user);
    expect((await visitor.post("/dashboard/sign-in/code", { code: await user.code() })).status).toBe(303);
  });
});
