import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../src/app";
import { ORIGIN, randomAddress } from "../support/client";
import { readEmails, toLink } from "../support/emails";
import { signUp, signUpByEmail, toComparable, userIdOf, Visitor, WITH_EMAIL } from "../support/visitor";

const MIN_ANSWER_MS = 500;

afterEach(() => vi.restoreAllMocks());

function newEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

function toToken(path: string): string {
  return new URL(path, ORIGIN).searchParams.get("token") ?? "";
}

/** Sends a form to another host than the service's, like a request with a forged Host header. */
async function postTo(origin: string, path: string, fields: Record<string, string>, bindings: Partial<Env>) {
  const ctx = createExecutionContext();
  const request = new Request(`${origin}${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
    headers: { origin: bindings.PUBLIC_URL || origin, "cf-connecting-ip": randomAddress() },
  });
  const response = await app.fetch(request, { ...env, ...bindings }, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

/**
 * Loads the module a second time, under another name. `vi.resetModules` would reload all modules, and the runtime's
 * Durable Objects would then reject their next call.
 */
async function importCopy(): Promise<typeof import("../../src/net/email")> {
  const copy = "../../src/net/email.ts?copy";
  return await import(/* @vite-ignore */ copy);
}

describe("PUBLIC_URL", () => {
  it.each(["", " ", "extraction.example", "extraction.example:8787", "ftp://extraction.example"])(
    "at %j sends no mail, and the pages say so",
    async (PUBLIC_URL) => {
      const { email } = await signUp();
      const evil = "https://evil.example";
      const forgot = await postTo(evil, "/dashboard/forgot", { email }, { ...env, PUBLIC_URL: "" });
      expect([forgot.status, forgot.headers.get("location")]).toEqual([303, "/dashboard/forgot"]);
      const visitor = new Visitor({ PUBLIC_URL });
      expect(await visitor.read("/dashboard/forgot")).toContain("This service doesn&#39;t send emails.");
      expect((await visitor.post("/dashboard/forgot", { email })).status).toBe(303);
      const { visitor: fresh, email: other } = await signUp(newEmail(), { PUBLIC_URL });
      expect(await fresh.isSignedIn()).toBe(true);
      await readEmails(email, 0);
      await readEmails(other, 0);
    },
  );

  it("is the origin of links, even if the request has another Host header", async () => {
    const { email } = await signUp();
    const response = await postTo("https://evil.example", "/dashboard/forgot", { email }, WITH_EMAIL);
    expect(response.status).toBe(200);
    const [sent] = await readEmails(email, 1);
    expect(sent?.text).toContain(`${ORIGIN}/dashboard/reset?token=`);
    expect(sent?.text).not.toContain("evil.example");
  });

  it("is named in one warning if it is missing", async () => {
    const lines: string[] = [];
    for (const method of ["log", "warn", "error", "info"] as const)
      vi.spyOn(console, method).mockImplementation((line) => void lines.push(String(line)));
    // The service logs the warning once. This copy of the module hasn't logged it.
    const { canSendEmail } = await importCopy();
    const count = () => lines.filter((line) => line.includes("PUBLIC_URL")).length;
    // Without a configured email service, PUBLIC_URL isn't needed, so there is no warning.
    expect([canSendEmail({ ...env, MAIL_URL: "" }), count()]).toEqual([false, 0]);
    expect([canSendEmail({ ...env, ...WITH_EMAIL }), count()]).toEqual([true, 0]);
    expect([canSendEmail(env), canSendEmail(env), count()]).toEqual([false, false, 1]);
  });
});

describe("email", () => {
  it("with a password reset link is sent, and the link works once and signs out all sessions", async () => {
    const { visitor, email } = await signUp();
    const unknown = newEmail();
    const responses = [];
    for (const typed of [email.toUpperCase(), unknown]) {
      const startedAt = performance.now();
      const response = await new Visitor(WITH_EMAIL).post("/dashboard/forgot", { email: typed });
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(MIN_ANSWER_MS - 5);
      responses.push(await toComparable(response, typed));
    }
    expect(responses[0]?.status).toBe(200);
    expect(responses[1]).toEqual(responses[0]);
    const [sent] = await readEmails(email, 1);
    expect(sent?.subject).toBe("Reset your password");
    const path = toLink(sent);
    expect(path).toMatch(/^\/dashboard\/reset\?token=\w+$/);
    const token = toToken(path);
    const row = await env.DB.prepare(
      "SELECT COUNT(*) AS n FROM verifications WHERE identifier LIKE ?1 OR value LIKE ?1",
    )
      .bind(`%${token}%`)
      .first<number>("n");
    expect(row).toBe(0);
    const used = await Promise.all(
      ["the password of one", "the password of another"].map((password) =>
        new Visitor().post("/dashboard/reset", { token, password }),
      ),
    );
    expect(used.map(({ status }) => status).sort()).toEqual([303, 400]);
    expect(await visitor.isSignedIn()).toBe(false);
    // Emails are sent in order, so an email to the unknown address would already have arrived.
    await readEmails(unknown, 0);
  });

  it("to one address is limited for all callers, without a visible difference", async () => {
    const { email } = await signUp();
    for (let i = 0; i < 5; i++)
      expect((await new Visitor(WITH_EMAIL).post("/dashboard/forgot", { email })).status).toBe(200);
    // Emails are sent in order. Therefore, no earlier email is pending when this email to another user arrives.
    const { email: later } = await signUpByEmail();
    await readEmails(later, 1);
    await readEmails(email, 3);
    const visitor = new Visitor(WITH_EMAIL);
    for (let i = 0; i < 5; i++) await visitor.post("/dashboard/forgot", { email: newEmail() });
    const refused = await visitor.post("/dashboard/forgot", { email: newEmail() });
    expect([refused.status, await refused.text()]).toEqual([
      429,
      expect.stringContaining("There were too many attempts."),
    ]);
  });

  it("that isn't configured is mentioned on the pages, and sign-up works without it", async () => {
    const NO_MAIL = { ...WITH_EMAIL, MAIL_URL: "" };
    const { visitor, email } = await signUp(newEmail(), NO_MAIL);
    expect(await visitor.isSignedIn()).toBe(true);
    const page = await visitor.read("/dashboard/forgot");
    expect(page).toContain("This service doesn&#39;t send emails.");
    expect(page).not.toContain("<form");
    expect((await visitor.post("/dashboard/forgot", { email })).status).toBe(303);
    await readEmails(email, 0);
  });

  it("that can't be sent doesn't change the response", async () => {
    const down = { ...WITH_EMAIL, MAIL_URL: "http://127.0.0.1:1/emails" };
    const email = newEmail();
    const visitor = new Visitor(down);
    expect((await visitor.post("/dashboard/sign-up", { email, password: "a good password" })).status).toBe(200);
    expect(await userIdOf(email)).toBeTruthy();
    expect((await visitor.post("/dashboard/forgot", { email: newEmail() })).status).toBe(200);
  });
});
