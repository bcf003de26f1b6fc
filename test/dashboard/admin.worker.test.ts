import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { toPseudonym } from "../../src/directory/erase";
import { call } from "../support/admin";
import { createAccount, createClient, creditsOf, ORIGIN, read } from "../support/client";
import { accountIdOf, signInAsAdmin, signUp, Visitor } from "../support/visitor";

const admins = env.ADMIN_EMAILS.toLowerCase().split(", ");

/** Returns an address in ADMIN_EMAILS that no other test uses. */
function nextAdmin(): string {
  const email = admins.shift();
  if (email === undefined) throw new Error("There are more tests than admins: see vitest.config.ts.");
  return email;
}

const at = (accountId: string, rest = "") => `/dashboard/admin/accounts/${accountId}${rest}`;

async function getAccount(id: string) {
  return await env.DB.prepare("SELECT * FROM accounts WHERE id = ?1").bind(id).first<Record<string, unknown>>();
}

/** Returns the audit log of an account, newest first. */
async function audit(accountId: string) {
  const { results } = await env.DB.prepare(
    "SELECT actor, action, detail FROM audit_log WHERE account_id = ?1 ORDER BY id DESC",
  )
    .bind(accountId)
    .all<{ actor: string; action: string; detail: string }>();
  return results.map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) }));
}

describe("the admin pages", () => {
  it("require a sign-in and respond with 404 to users who aren't admins", async () => {
    const otherUser = await signUp();
    const accountId = await accountIdOf(otherUser);
    const suspension = at(accountId, "/suspension");
    const pages = ["/dashboard/admin", "/dashboard/admin/audit", at(accountId), at("nothing")];
    expect(await otherUser.visitor.read("/dashboard")).not.toContain("/dashboard/admin");
    const nothing = await (await otherUser.visitor.get("/dashboard/nothing-here")).text();
    for (const path of pages) {
      const response = await otherUser.visitor.get(path);
      expect([path, response.status, await response.text()]).toEqual([path, 404, nothing]);
      expect((await new Visitor().get(path)).status).toBe(303);
    }
    // A redirect removes a trailing slash, even if the path doesn't exist.
    for (const path of ["/dashboard/admin/", "/dashboard/nothing-here/"]) {
      const response = await otherUser.visitor.get(path);
      expect([response.status, new URL(response.headers.get("location") ?? "", ORIGIN).pathname]).toEqual([
        303,
        path.slice(0, -1),
      ]);
    }
    const response = await otherUser.visitor.post(suspension, { suspend: "true" });
    expect([response.status, await response.text()]).toEqual([404, nothing]);
    expect((await new Visitor().post(suspension, { suspend: "true" })).status).toBe(401);
    expect(await audit(accountId)).toEqual([]);
    expect(await getAccount(accountId)).toMatchObject({ suspended_at: null });
  });

  it("require a verified address, so a stranger with an admin's address doesn't see them", async () => {
    const email = nextAdmin();
    const { visitor: stranger, password } = await signUp(email);
    expect((await stranger.get("/dashboard/admin")).status).toBe(404);
    const owner = await signInAsAdmin(email);
    expect(await owner.read("/dashboard/admin")).toContain("<h1>Accounts</h1>");
    expect((await stranger.get("/dashboard/admin")).status).toBe(303);
    expect((await stranger.post("/dashboard/sign-in", { email, password })).status).toBe(401);
  });

  it("escape names and email addresses", async () => {
    const visitor = await signInAsAdmin(nextAdmin());
    const hostile = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
    const accountId = await createAccount();
    await env.DB.prepare("UPDATE accounts SET name = ?2 WHERE id = ?1").bind(accountId, hostile).run();
    await env.DB.prepare(
      "INSERT INTO audit_log (actor, action, account_id, detail, created_at) VALUES (?1, 'key.create', ?2, ?3, 0)",
    )
      .bind(hostile, accountId, JSON.stringify({ name: hostile, [hostile]: null }))
      .run();
    const search = `/dashboard/admin?search=${encodeURIComponent(hostile)}`;
    for (const path of [search, at(accountId), `/dashboard/admin/audit?account=${accountId}`]) {
      const page = await visitor.read(path);
      expect(page).toContain("&lt;script&gt;");
      expect(page).not.toMatch(/<img|<script>/);
    }
  });

  it("don't link the pseudonym of an erased account", async () => {
    const visitor = await signInAsAdmin(nextAdmin());
    const pseudonym = await toPseudonym(env, crypto.randomUUID());
    await env.DB.prepare(
      "INSERT INTO audit_log (actor, action, account_id, detail, created_at) VALUES ('operator', 'account.erase', ?1, '{}', 0)",
    )
      .bind(pseudonym)
      .run();
    const page = await visitor.read("/dashboard/admin/audit");
    expect(page).toContain(pseudonym);
    expect(page).not.toContain(at("erased-"));
  });

  it("find accounts by a part of the name, or by the beginning of the id or of a user's address", async () => {
    const visitor = await signInAsAdmin(nextAdmin());
    const otherUser = await signUp();
    const accountId = await accountIdOf(otherUser);
    const other = await createAccount();
    for (const search of [
      accountId.slice(0, 35),
      otherUser.email.toUpperCase().slice(0, 20),
      otherUser.email.slice(3, 30),
    ]) {
      const page = await visitor.read(`/dashboard/admin?search=${encodeURIComponent(search)}`);
      expect([search, page.includes(at(accountId)), page.includes(at(other))]).toEqual([search, true, false]);
    }
    // A percent sign is an ordinary character. Other test files create accounts whose names contain one.
    expect(await visitor.read("/dashboard/admin?search=%25")).not.toContain(at(accountId));
    expect(await visitor.read("/dashboard/admin?offset=100000&search=")).toContain("No matching accounts");
    expect((await visitor.get(at("nothing"))).status).toBe(404);
    expect((await visitor.post(at("nothing", "/suspension"), { suspend: "true" })).status).toBe(404);
  });
});

describe("an admin", () => {
  it("sees the plan, the limits and the prices of an account, and the command that changes them", async () => {
    const visitor = await signInAsAdmin(nextAdmin());
    const accountId = await createAccount({ plan: "pro", ratePerMinute: 1_234 });
    await call("PATCH", `/accounts/${accountId}`, { prices: { scrape: 2, parse: 3 }, charge_free_outcomes: true });
    const page = await visitor.read(at(accountId));
    for (const text of [">pro<", ">1,234<", ">the plan's limit<", ">scrape=2, parse=3<", ">charged<"])
      expect(page.replaceAll("&#39;", "'")).toContain(text);
    expect(page).toContain(`npm run admin -- set ${accountId}`);
    expect(page).toContain("account.change");
  });

  it("suspends and resumes an account: its keys are refused and its users see the reason", async () => {
    const email = nextAdmin();
    const visitor = await signInAsAdmin(email);
    const otherUser = await signUp();
    const accountId = await accountIdOf(otherUser);
    const client = await createClient({ accountId });
    expect((await client.call("GET", "/v1/usage")).status).toBe(200);
    await visitor.post(at(accountId, "/suspension"), { suspend: "true" });
    const refused = await client.call("GET", "/v1/usage");
    expect([refused.status, (await read(refused)).error.code]).toEqual([403, "account_suspended"]);
    expect(await otherUser.visitor.read("/dashboard")).toContain("This account is suspended");
    expect((await visitor.post(at(accountId, "/suspension"), { suspend: "" })).status).toBe(400);
    expect((await client.call("GET", "/v1/usage")).status).toBe(403);
    await visitor.post(at(accountId, "/suspension"), { suspend: "false" });
    expect((await client.call("GET", "/v1/usage")).status).toBe(200);
    expect(await otherUser.visitor.read("/dashboard")).not.toContain("suspended");
    expect((await audit(accountId)).map(({ detail }) => detail)).toEqual([{ suspended: false }, { suspended: true }]);
  });
});

describe("the audit log", () => {
  it("can't be changed by any SQL statement", async () => {
    const accountId = await createAccount();
    await call("POST", `/accounts/${accountId}/credits`, { amount: 5 });
    for (const statement of [
      "UPDATE audit_log SET actor = 'nobody'",
      `UPDATE audit_log SET detail = '{"change":6}'`,
      "UPDATE audit_log SET detail = '{}', created_at = 1",
      "DELETE FROM audit_log",
      "REPLACE INTO audit_log SELECT * FROM audit_log",
    ])
      await expect(env.DB.prepare(statement).run()).rejects.toThrow("append-only");
    expect(await audit(accountId)).toHaveLength(1);
  });

  it("is written in the same transaction as the change", async () => {
    const visitor = await signInAsAdmin(nextAdmin());
    const accountId = await createAccount({ credits: 10 });
    await call("POST", `/accounts/${accountId}/credits`, { amount: -11 });
    expect(await audit(accountId)).toEqual([]);
    await env.DB.prepare(
      `CREATE TRIGGER audit_log_is_full BEFORE INSERT ON audit_log WHEN NEW.account_id = '${accountId}' BEGIN SELECT RAISE(ABORT, 'full'); END`,
    ).run();
    expect((await call("POST", `/accounts/${accountId}/credits`, { amount: 5 })).status).toBe(500);
    expect((await visitor.post(at(accountId, "/suspension"), { suspend: "true" })).status).toBe(500);
    expect(await getAccount(accountId)).toMatchObject({ suspended_at: null });
    expect(await creditsOf(accountId)).toMatchObject({ balance: 10 });
  });

  it("is shown in pages, for all accounts or for one", async () => {
    const visitor = await signInAsAdmin(nextAdmin());
    const accountId = await createAccount();
    for (let i = 1; i <= 51; i++)
      await env.DB.prepare(
        "INSERT INTO audit_log (actor, action, account_id, detail, created_at) VALUES ('operator', 'credits.adjust', ?1, ?2, ?3)",
      )
        .bind(accountId, JSON.stringify({ change: 200 + i }), i)
        .run();
    const first = await visitor.read(`/dashboard/admin/audit?account=${accountId}`);
    expect([first.includes("251<"), first.includes("202<"), first.includes("201<")]).toEqual([true, true, false]);
    const older = /href="(\/dashboard\/admin\/audit\?[^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await visitor.read(older);
    expect([second.includes("201<"), second.includes("202<")]).toEqual([true, false]);
    expect(await visitor.read("/dashboard/admin/audit")).toContain("251<");
  });
});
