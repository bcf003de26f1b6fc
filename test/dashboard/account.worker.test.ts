import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { adjustCredits } from "../../src/directory/credits";
import { listAudit } from "../../src/store/audit";
import { createClient, readEnded } from "../support/client";
import { readEmails } from "../support/emails";
import { accountIdOf, addMember, type SignedUp, signUp, signUpBeforeEmail, Visitor } from "../support/visitor";

async function nameOf({ visitor }: SignedUp): Promise<string> {
  const html = await visitor.read("/dashboard/account");
  return /name="name"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? "";
}

describe("the account's name", () => {
  it("can be changed, which is in the audit log", async () => {
    const user = await signUp();
    const accountId = await accountIdOf(user);
    const response = await user.visitor.post("/dashboard/account/name", { name: "Lighthouse & Co" });
    expect(response.headers.get("location")).toBe("/dashboard/account?done=name");
    expect(await nameOf(user)).toBe("Lighthouse &amp; Co");
    const [entry] = await listAudit(env.DB, { accountId, limit: 1, before: null });
    const detail = { by: user.email, name: "Lighthouse & Co" };
    expect(entry).toMatchObject({ actor: "member", action: "account.change", detail });
  });

  it.each([
    ["", "Enter a name."],
    ["x".repeat(101), "Use at most 100 characters."],
  ])("can't be %j", async (name, message) => {
    const user = await signUp();
    const before = await nameOf(user);
    const response = await user.visitor.post("/dashboard/account/name", { name });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`id="problem-name">${message}`);
    expect(await nameOf(user)).toBe(before);
  });
});

describe("the export of the account's data", () => {
  it("has the account, its members, keys without secrets, ledger, deliveries and jobs of both modes", async () => {
    const user = await signUp();
    const accountId = await accountIdOf(user);
    const [live, test] = [await createClient({ accountId }), await createClient({ accountId, mode: "test" })];
    await adjustCredits(env, { accountId, by: 7, actor: "operator", now: Date.now() });
    const scrape = { url: "https://example.com/", webhook_url: "https://receiver.example/events" };
    const { job_id: jobId } = await (await test.call("POST", "/v1/scrape", scrape)).json<{ job_id: string }>();
    await readEnded(test, `/v1/jobs/${jobId}`);
    const response = await user.visitor.get("/dashboard/account/export");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="account-\w+-[\d-]+\.ndjson"$/);
    const text = await response.text();
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const ofType = (type: string) => lines.filter((line) => line.type === type);
    expect(ofType("account")).toMatchObject([{ id: accountId, plan: "free", created_at: expect.stringMatching(/Z$/) }]);
    expect(ofType("member")).toMatchObject([{ email: user.email }]);
    expect(ofType("key").map(({ mode, scopes }) => [mode, Array.isArray(scopes)])).toEqual([
      ["live", true],
      ["test", true],
    ]);
    expect(ofType("ledger").map(({ kind, amount }) => [kind, amount])).toEqual([
      ["grant", 500],
      ["adjustment", 7],
    ]);
    expect(ofType("delivery")).toMatchObject([{ mode: "test", job_id: jobId, event: "job.completed" }]);
    expect(ofType("job")).toMatchObject([{ mode: "test", job_id: jobId, status: "completed" }]);
    expect(ofType("job")[0]).toHaveProperty("result.markdown");
    expect(lines.at(-1)).toEqual({ type: "end", lines: lines.length - 1 });
    for (const { secret } of [live, test]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/"(?:previous_)?hash":/);
    const hashes = await env.DB.prepare("SELECT hash FROM api_keys WHERE account_id = ?1").bind(accountId).all();
    for (const { hash } of hashes.results) expect(text).not.toContain(hash);
  });

  it("continues with a cursor, and refuses another one", async () => {
    const { visitor } = await signUp();
    expect(await visitor.read("/dashboard/account")).toContain('name="cursor"');
    const rest = await visitor.get("/dashboard/account/export?cursor=jobs.test");
    expect(rest.headers.get("content-disposition")).toContain("-continued.ndjson");
    expect(await rest.text()).not.toContain('"type":"account"');
    const refused = await visitor.get("/dashboard/account/export?cursor=webhooks");
    expect([refused.status, (await refused.text()).includes("The cursor is invalid.")]).toEqual([400, true]);
  });

  it("is limited to a few per minute", async () => {
    const { visitor } = await signUp();
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      const response = await visitor.get("/dashboard/account/export");
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe("the deletion of the account", () => {
  it("removes the account and the user, refuses its keys, and informs all members", async () => {
    const user = await signUpBeforeEmail();
    const accountId = await accountIdOf(user);
    const { call } = await createClient({ accountId });
    const member = await addMember(accountId, "read_only");
    await user.visitor.post("/dashboard/account/name", { name: "Doomed" });
    const page = await user.visitor.read("/dashboard/account/delete");
    expect(page).toContain("What is kept, and why");
    const deleted = await user.visitor.post("/dashboard/account/delete", { name: "Doomed", current: user.password });
    expect(deleted.headers.get("location")).toBe("/dashboard/sign-in?done=deleted");
    expect(await user.visitor.isSignedIn()).toBe(false);
    expect((await call("GET", "/v1/jobs")).status).toBe(401);
    const again = await new Visitor().post("/dashboard/sign-in", { email: user.email, password: user.password });
    expect(again.status).toBe(401);
    const account = await env.DB.prepare("SELECT name, erased_at FROM accounts WHERE id = ?1").bind(accountId).first();
    expect(account).toEqual({ name: "", erased_at: expect.any(Number) });
    const kept = await env.DB.prepare("SELECT COUNT(*) AS n FROM audit_log WHERE actor LIKE ?1 OR detail LIKE ?1")
      .bind(`%${user.email}%`)
      .first("n");
    expect(kept).toBe(0);
    const [notice] = await readEmails(user.email, 1);
    expect(notice?.subject).toBe("The account Doomed was deleted");
    expect((await readEmails(member.email, 1))[0]?.text).toContain("Its API keys no longer work");
  });

  it.each([
    ["another name", { name: "something else" }, "problem-name"],
    ["a wrong password", { current: "not the password" }, "problem-current"],
  ])("is refused with %s", async (_, fields, id) => {
    const user = await signUp();
    const name = await nameOf(user);
    const response = await user.visitor.post("/dashboard/account/delete", { name, current: user.password, ...fields });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`id="${id}"`);
    expect(await user.visitor.isSignedIn()).toBe(true);
  });
});
