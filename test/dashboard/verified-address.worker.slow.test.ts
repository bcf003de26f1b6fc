import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { createAccount as createOperatedAccount } from "../../src/directory/accounts";
import { getAccount } from "../../src/store/accounts";
import { insertMember } from "../../src/store/memberships";
import { updateAllGrants } from "../support/account";
import { createAccount, createClient, creditsOf, ORIGIN } from "../support/client";
import { readEmails, toLink } from "../support/emails";
import { accountIdOf, type SignedUp, signUp, signUpBeforeEmail, userIdOf, WITH_EMAIL } from "../support/visitor";

const KEY_FORM = { name: "nightly prices", mode: "live", scopes: ["scrape", "jobs"], allowed_ips: "" };
const withMail = { ...env, ...WITH_EMAIL };

async function verify({ visitor, email }: Pick<SignedUp, "visitor" | "email">): Promise<void> {
  await visitor.post("/dashboard/settings/verify");
  const [sent] = await readEmails(email, 1);
  const token = new URL(toLink(sent), ORIGIN).searchParams.get("token") ?? "";
  const response = await visitor.post("/dashboard/verify", { token });
  if (response.status !== 303) throw new Error(`The address was not verified: status ${response.status}.`);
}

async function balanceOf(accountId: string): Promise<number> {
  return (await creditsOf(accountId)).balance;
}

/** Calls the API of a service with configured email. */
async function call(secret: string, method: string, path: string, body?: unknown) {
  const ctx = createExecutionContext();
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await app.fetch(request, withMail, ctx);
  await waitOnExecutionContext(ctx);
  const json = await response.json<{ error?: { code: string; message: string } }>();
  return { status: response.status, error: json.error };
}

describe("if email is configured, an account whose user has no verified address", () => {
  it("gets no credits, and its pages ask the user to verify the address", async () => {
    const { visitor, email } = await signUpBeforeEmail();
    for (const path of ["", "/keys", "/keys/new", "/settings", "/plan", "/jobs", "/playground", "/webhooks"])
      expect([path, (await visitor.get(`/dashboard${path}`)).status]).toEqual([path, 200]);
    const accountId = await userIdOf(email);
    expect(await balanceOf(accountId)).toBe(0);
    for (const path of ["/dashboard", "/dashboard/keys", "/dashboard/keys/new"]) {
      const page = await visitor.read(path);
      expect(page).toContain("Verify your email address");
      expect(page).toContain('action="/dashboard/settings/verify"');
    }
    expect(await visitor.read("/dashboard")).not.toContain("Renews");
    await updateAllGrants(withMail);
    expect(await balanceOf(accountId)).toBe(0);
  });

  it("gets credits once, on the first page after the verification", async () => {
    const user = await signUpBeforeEmail();
    const accountId = await accountIdOf(user);
    expect(await balanceOf(accountId)).toBe(0);
    await verify(user);
    const page = await user.visitor.read("/dashboard");
    expect(page).toContain("500");
    expect(page).not.toContain("Verify your email address");
    expect(await balanceOf(accountId)).toBe(500);
    await updateAllGrants(withMail);
    expect(await balanceOf(accountId)).toBe(500);
  });

  it("gets credits from the cron after the verification", async () => {
    const user = await signUpBeforeEmail();
    const accountId = await accountIdOf(user);
    await env.DB.prepare("UPDATE users SET email_verified = 1 WHERE email = ?1").bind(user.email).run();
    await updateAllGrants(withMail);
    expect(await balanceOf(accountId)).toBe(500);
  });

  it("gets no credits for the second month until email is turned off", async () => {
    const user = await signUp();
    const accountId = await accountIdOf(user);
    expect(await balanceOf(accountId)).toBe(500);
    const grantsEnabled = async () => (await getAccount(env.DB, accountId))?.grantsEnabled;
    await updateAllGrants(withMail);
    expect(await grantsEnabled()).toBe(false);
    await updateAllGrants(env);
    expect(await grantsEnabled()).toBe(true);
  });

  it("can't create live keys in the dashboard, but can create test keys", async () => {
    const user = await signUpBeforeEmail();
    const refused = await user.visitor.post("/dashboard/keys/new", KEY_FORM);
    const page = await refused.text();
    expect(refused.status).toBe(403);
    expect(page).toContain("Verify your email address before you create a live key.");
    expect(page).toContain('action="/dashboard/settings/verify"');
    expect(page).toContain('value="nightly prices"');
    const test = await user.visitor.post("/dashboard/keys/new", { ...KEY_FORM, mode: "test" });
    expect([test.status, await test.text()]).toEqual([200, expect.stringContaining("sk_test_")]);
    await verify(user);
    const live = await user.visitor.post("/dashboard/keys/new", KEY_FORM);
    expect([live.status, await live.text()]).toEqual([200, expect.stringContaining("sk_live_")]);
  });

  it("can't create a live key with an older key over the API", async () => {
    const user = await signUpBeforeEmail();
    const { secret } = await createClient({ accountId: await accountIdOf(user) });
    expect(await call(secret, "GET", "/v1/usage")).toMatchObject({ status: 200 });
    expect(await call(secret, "POST", "/v1/keys", {})).toMatchObject({
      status: 403,
      error: { code: "email_not_verified", message: expect.stringContaining("Verify your email address") },
    });
    expect(await call(secret, "POST", "/v1/keys", { mode: "test" })).toMatchObject({ status: 201 });
    await verify(user);
    expect(await call(secret, "POST", "/v1/keys", {})).toMatchObject({ status: 201 });
  });
});

describe("if email is configured, an account", () => {
  it("without members that an operator created gets credits and keys", async () => {
    const options = { name: "Acme", plan: "pro" as const, ratePerMinute: null, monthlyCredits: null };
    const account = await createOperatedAccount(withMail, { ...options, actor: "operator", now: Date.now() });
    await updateAllGrants(withMail);
    expect(await balanceOf(account.id)).toBe(20_000);
    const { secret } = await createClient({ accountId: account.id });
    expect(await call(secret, "POST", "/v1/keys", {})).toMatchObject({ status: 201 });
  });

  it("gets credits if one of its two members is verified", async () => {
    const [verified, unverified] = [await signUp(), await signUp()];
    await env.DB.prepare("UPDATE users SET email_verified = 1 WHERE email = ?1").bind(verified.email).run();
    const accountId = await createAccount({ credits: 500 });
    for (const { email } of [verified, unverified])
      await insertMember(env.DB, { role: "owner", userId: await userIdOf(email), accountId, now: Date.now() });
    await updateAllGrants(withMail);
    expect((await getAccount(env.DB, accountId))?.grantsEnabled).toBe(true);
    expect(await balanceOf(accountId)).toBe(500);
  });
});
