import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ORIGIN } from "../support/client";
import { readEmails, toLink } from "../support/emails";
import { type SignedUp, signUp, signUpBeforeEmail, Visitor, WITH_EMAIL } from "../support/visitor";

const PATH = "/dashboard/settings/email";

function newAddress(): string {
  return `${crypto.randomUUID()}@example.com`;
}

/** Requests a change of email and returns the token of the link that the new address receives. */
async function requestChange({ visitor, password }: SignedUp, email: string): Promise<string> {
  const response = await visitor.post(PATH, { email, current: password });
  expect(response.headers.get("location")).toBe("/dashboard/settings?done=confirm-email");
  const [sent] = await readEmails(email, 1);
  return new URL(toLink(sent), ORIGIN).searchParams.get("token") ?? "";
}

async function canSignIn(email: string, password: string): Promise<boolean> {
  const response = await new Visitor().post("/dashboard/sign-in", { email, password });
  return response.status === 303;
}

describe("a change of the email address", () => {
  it("takes effect when the new address confirms it, and informs the old address", async () => {
    const user = await signUpBeforeEmail();
    const email = newAddress();
    const token = await requestChange(user, email);
    expect(await user.visitor.read("/dashboard/settings")).toContain(user.email);
    // Opening the link has no effect, because mail scanners open links too.
    const page = await user.visitor.read(`/dashboard/verify?token=${token}`);
    expect(page).toContain(email);
    expect(await user.visitor.read("/dashboard/settings")).not.toContain(email);
    const confirmed = await user.visitor.post("/dashboard/verify", { token });
    expect(confirmed.headers.get("location")).toBe("/dashboard/settings?done=email");
    const settings = await user.visitor.read("/dashboard/settings");
    expect(settings).toContain(email);
    expect(settings).not.toContain("not verified");
    const [notice] = await readEmails(user.email, 1);
    expect(notice?.text).toContain(`was changed to ${email}`);
    expect([await canSignIn(user.email, user.password), await canSignIn(email, user.password)]).toEqual([false, true]);
  });

  it("works only once", async () => {
    const user = await signUpBeforeEmail();
    const token = await requestChange(user, newAddress());
    await user.visitor.post("/dashboard/verify", { token });
    expect((await user.visitor.post("/dashboard/verify", { token })).status).toBe(400);
  });

  it("needs a session of the user, so the link alone creates no session", async () => {
    const user = await signUpBeforeEmail();
    const email = newAddress();
    const token = await requestChange(user, email);
    const stranger = new Visitor(WITH_EMAIL);
    for (const answer of [
      await stranger.get(`/dashboard/verify?token=${token}`),
      await stranger.post("/dashboard/verify", { token }),
    ]) {
      expect(answer.headers.get("location")).toBe(
        `/dashboard/sign-in?to=${encodeURIComponent(`/dashboard/verify?token=${token}`)}`,
      );
    }
    expect(await stranger.isSignedIn()).toBe(false);
    const other = await signUpBeforeEmail();
    expect((await other.visitor.post("/dashboard/verify", { token })).status).toBe(400);
    expect(await canSignIn(email, user.password)).toBe(false);
  });

  it("doesn't reveal that an address is registered, and doesn't take it over", async () => {
    const user = await signUpBeforeEmail();
    const taken = await signUp();
    const response = await user.visitor.post(PATH, { email: taken.email, current: user.password });
    expect(response.headers.get("location")).toBe("/dashboard/settings?done=confirm-email");
    // An address can also be registered after the link was sent.
    const email = newAddress();
    const token = await requestChange(user, email);
    await signUp(email);
    expect((await user.visitor.post("/dashboard/verify", { token })).status).toBe(400);
    expect(await user.visitor.read("/dashboard/settings")).toContain(user.email);
  });

  it("ends the validity of links that reset the password", async () => {
    const user = await signUpBeforeEmail();
    await user.visitor.post("/dashboard/forgot", { email: user.email });
    const [sent] = await readEmails(user.email, 1);
    const reset = new URL(toLink(sent), ORIGIN).searchParams.get("token") ?? "";
    const token = await requestChange(user, newAddress());
    await user.visitor.post("/dashboard/verify", { token });
    const refused = await new Visitor().post("/dashboard/reset", { token: reset, password: "another good password" });
    expect(refused.status).toBe(400);
  });

  it("takes effect immediately without email, and the new address isn't verified", async () => {
    const user = await signUp();
    const email = newAddress();
    const response = await user.visitor.post(PATH, { email: email.toUpperCase(), current: user.password });
    expect(response.headers.get("location")).toBe("/dashboard/settings?done=email");
    const verified = await env.DB.prepare("SELECT email_verified FROM users WHERE email = ?1").bind(email).first();
    expect(verified).toEqual({ email_verified: 0 });
    expect([await canSignIn(user.email, user.password), await canSignIn(email, user.password)]).toEqual([false, true]);
  });

  it.each([
    ["a wrong password", { current: "not the password" }, "problem-current", "That&#39;s not your current password."],
    ["an invalid address", { email: "nobody" }, "problem-email", "This is not a valid email address. Please check it."],
  ])("is refused with %s", async (_, fields, id, message) => {
    const user = await signUp();
    const response = await user.visitor.post(PATH, { email: newAddress(), current: user.password, ...fields });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`id="${id}">${message}`);
    expect(await canSignIn(user.email, user.password)).toBe(true);
  });

  it("is refused for an address that is registered, if email isn't configured", async () => {
    const [user, taken] = [await signUp(), await signUp()];
    const response = await user.visitor.post(PATH, { email: taken.email, current: user.password });
    expect(await response.text()).toContain("This email address is already registered.");
  });

  it("limits guesses of the password for each user, from any address", async () => {
    const { visitor } = await signUp();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      visitor.address = `198.51.100.${i}`;
      statuses.push((await visitor.post(PATH, { email: newAddress(), current: "a wrong password" })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
  });
});
