import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ORIGIN } from "../support/client";
import { readEmails, toLink } from "../support/emails";
import { signUp, signUpBeforeEmail, signUpByEmail, toComparable, Visitor, WITH_EMAIL } from "../support/visitor";

const MIN_ANSWER_MS = 500;

function newEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

async function isVerified(email: string): Promise<boolean> {
  const sql = "SELECT email_verified FROM users WHERE email = ?1";
  return (await env.DB.prepare(sql).bind(email).first<number>("email_verified")) === 1;
}

function toToken(path: string): string {
  return new URL(path, ORIGIN).searchParams.get("token") ?? "";
}

describe("sign-up if email is configured", () => {
  it("sends the same response for a registered address and a new one", async () => {
    const { email: registered } = await signUp();
    const { email: unverified } = await signUpByEmail();
    const responses = [];
    for (const email of [registered, registered.toUpperCase(), unverified, newEmail(), newEmail()]) {
      const visitor = new Visitor(WITH_EMAIL);
      const startedAt = performance.now();
      const response = await visitor.post("/dashboard/sign-up", { email, password: "a password of the visitor" });
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(MIN_ANSWER_MS - 5);
      responses.push(await toComparable(response, email));
      expect(await visitor.isSignedIn()).toBe(false);
    }
    const [first] = responses;
    expect([first?.status, first?.cookies]).toEqual([200, []]);
    expect(first?.text).toContain("Check your email");
    for (const response of responses) expect(response).toEqual(first);
  });

  it("refuses the sign-in with the new password in the same way for both addresses", async () => {
    const { email: registered } = await signUp();
    const { email: fresh, password } = await signUpByEmail();
    await new Visitor(WITH_EMAIL).post("/dashboard/sign-up", { email: registered, password });
    const responses = [];
    for (const email of [registered, fresh, newEmail()]) {
      const visitor = new Visitor(WITH_EMAIL);
      responses.push(await toComparable(await visitor.post("/dashboard/sign-in", { email, password }), email));
      expect(await visitor.isSignedIn()).toBe(false);
    }
    expect(responses[0]?.status).toBe(401);
    expect(responses[0]?.text).toContain("verified");
    for (const response of responses) expect(response).toEqual(responses[0]);
  });

  it("sends the same response to two sign-ups at the same time with the same new address", async () => {
    const email = newEmail();
    const both = [new Visitor(WITH_EMAIL), new Visitor(WITH_EMAIL)];
    const responses = await Promise.all(
      both.map((visitor) => visitor.post("/dashboard/sign-up", { email, password: "a password of both" })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("informs the owner of a registered address by email, with links to sign in and to reset the password", async () => {
    const { email, password, visitor: owner } = await signUp();
    const visitor = new Visitor(WITH_EMAIL);
    await visitor.post("/dashboard/sign-up", { email, password: "a password of somebody else" });
    const [sent] = await readEmails(email, 1);
    expect(sent?.subject).toBe("Someone tried to sign up with your email address");
    expect(sent?.text).toContain(`${ORIGIN}/dashboard/sign-in\n`);
    expect(sent?.text).toContain(`${ORIGIN}/dashboard/forgot\n`);
    expect(sent?.text).not.toContain("token=");
    // The sign-up with the registered address changed nothing.
    expect(await owner.isSignedIn()).toBe(true);
    expect((await new Visitor().post("/dashboard/sign-in", { email, password })).status).toBe(303);
  });

  it("doesn't reduce the limit for password reset emails", async () => {
    const { email } = await signUp();
    for (let i = 0; i < 4; i++)
      await new Visitor(WITH_EMAIL).post("/dashboard/sign-up", { email, password: "a password of somebody else" });
    await new Visitor(WITH_EMAIL).post("/dashboard/forgot", { email });
    const emails = await readEmails(email, 2);
    expect(emails.map(({ subject }) => subject)).toEqual([
      "Someone tried to sign up with your email address",
      "Reset your password",
    ]);
  });

  it("refuses an invalid password with the same message for both addresses", async () => {
    const { email: registered } = await signUp();
    for (const email of [registered, newEmail()]) {
      const response = await new Visitor(WITH_EMAIL).post("/dashboard/sign-up", { email, password: "short" });
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining("at least 10 characters"),
      ]);
    }
  });
});

describe("the link that verifies an address", () => {
  it("requires the password, signs in, and gives the account its credits", async () => {
    const { visitor, email, password } = await signUpByEmail();
    const [sent] = await readEmails(email, 1);
    expect(sent).toMatchObject({ from: "Extraction <extraction@mail.example>", subject: "Verify your email address" });
    const path = toLink(sent);
    // Opening the link does nothing, because mail scanners open links too.
    const page = await visitor.read(path);
    expect(page).toContain(email);
    expect(page).toContain('type="password"');
    expect(await isVerified(email)).toBe(false);
    const response = await visitor.post("/dashboard/verify", { token: toToken(path), password });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard?done=verified"]);
    expect(await isVerified(email)).toBe(true);
    expect(await visitor.read("/dashboard?done=verified")).toContain("500");
    expect((await new Visitor(WITH_EMAIL).post("/dashboard/sign-in", { email, password })).status).toBe(303);
  });

  it("doesn't verify without the password, so a stranger can't verify someone else's address", async () => {
    const { email, password } = await signUpByEmail();
    const [sent] = await readEmails(email, 1);
    const token = toToken(toLink(sent));
    const owner = new Visitor(WITH_EMAIL);
    for (const wrong of ["", "not the password"]) {
      const response = await owner.post("/dashboard/verify", { token, password: wrong });
      expect([response.status, await owner.isSignedIn(), await isVerified(email)]).toEqual([401, false, false]);
    }
    const stranger = new Visitor(WITH_EMAIL);
    expect((await stranger.post("/dashboard/sign-in", { email, password })).status).toBe(401);
    // A forged token is rejected before the password is checked.
    const [header, payload] = token.split(".");
    for (const forged of ["", "no.token", `${header}.${payload}.c2lnbmF0dXJl`, `${header}.${payload}.`]) {
      const response = await stranger.post("/dashboard/verify", { token: forged, password });
      expect([forged, response.status, await stranger.isSignedIn()]).toEqual([forged, 400, false]);
    }
    expect(await isVerified(email)).toBe(false);
  });

  it("is sent again after a sign-in with the right password", async () => {
    const { email, password } = await signUpByEmail();
    await readEmails(email, 1);
    await new Visitor(WITH_EMAIL).post("/dashboard/sign-in", { email, password: "a wrong password" });
    await new Visitor(WITH_EMAIL).post("/dashboard/sign-in", { email, password });
    const [, again] = await readEmails(email, 2);
    const visitor = new Visitor(WITH_EMAIL);
    await visitor.post("/dashboard/verify", { token: toToken(toLink(again)), password });
    expect(await visitor.isSignedIn()).toBe(true);
  });

  it("requires the owner's password after a reset, not the password of a stranger who signed up", async () => {
    const { email, password: ofStranger } = await signUpByEmail();
    const owner = new Visitor(WITH_EMAIL);
    await owner.post("/dashboard/forgot", { email });
    const [, reset] = await readEmails(email, 2);
    const password = "a password of the owner";
    const changed = await owner.post("/dashboard/reset", { token: toToken(toLink(reset)), password });
    expect(changed.headers.get("location")).toBe("/dashboard/sign-in?done=reset");
    expect((await owner.post("/dashboard/sign-in", { email, password })).status).toBe(401);
    const [, , sent] = await readEmails(email, 3);
    const token = toToken(toLink(sent));
    expect((await new Visitor(WITH_EMAIL).post("/dashboard/verify", { token, password: ofStranger })).status).toBe(401);
    expect((await owner.post("/dashboard/verify", { token, password })).status).toBe(303);
    expect(await owner.isSignedIn()).toBe(true);
  });

  it("requires no password in the user's session and doesn't work in another user's session", async () => {
    const { visitor, email } = await signUpBeforeEmail();
    await visitor.post("/dashboard/settings/verify");
    const [sent] = await readEmails(email, 1);
    const token = toToken(toLink(sent));
    const other = await signUpBeforeEmail();
    expect((await other.visitor.get(toLink(sent))).status).toBe(400);
    expect((await other.visitor.post("/dashboard/verify", { token })).status).toBe(400);
    expect(await isVerified(email)).toBe(false);
    expect(await visitor.read(toLink(sent))).not.toContain('type="password"');
    const response = await visitor.post("/dashboard/verify", { token });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard?done=verified"]);
    expect(await isVerified(email)).toBe(true);
  });

  it("is refused if the signature of its token is wrong", async () => {
    const { visitor, email } = await signUpBeforeEmail();
    const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "");
    const payload = encode({ email, exp: Math.floor(Date.now() / 1000) + 3600 });
    for (const token of [
      `${encode({ alg: "HS256" })}.${payload}.c2lnbmF0dXJl`,
      `${encode({ alg: "none" })}.${payload}.`,
      `.${payload}.`,
      "",
      "no.token",
    ]) {
      const response = await visitor.post("/dashboard/verify", { token });
      expect([token, response.status]).toEqual([token, 400]);
    }
    expect(await isVerified(email)).toBe(false);
  });
});
