import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { toPseudonym } from "../../src/directory/erase";
import { createAccount, createClient, creditsOf, ORIGIN, read } from "../support/client";
import { accountIdOf, signInAsAdmin, signUp, userIdOf, Visitor } from "../support/visitor";

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
    const userId = await userIdOf(otherUser.email);
    const acts: [path: string, fields: Record<string, string>][] = [
      ["/dashboard/admin/invite", { email: "friend@example.com" }],
      [at(accountId, "/limits"), { plan: "enterprise", rate_per_minute: "", monthly_credits: "" }],
      [at(accountId, "/credits"), { credits: "1000" }],
      [at(accountId, "/suspension"), { suspend: "false" }],
      [at(accountId, "/link"), { user: userId, kind: "reset" }],
    ];
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
    for (const [path, fields] of acts) {
      const response = await otherUser.visitor.post(path, fields);
      expect([path, response.status, await response.text()]).toEqual([path, 404, nothing]);
      expect((await new Visitor().post(path, fields)).status).toBe(401);
    }
    expect(await audit(accountId)).toEqual([]);
    expect(await getAccount(accountId)).toMatchObject({ plan: "free" });
    expect(await creditsOf(accountId)).toMatchObject({ balance: 500 });
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
    const refused = await visitor.post("/dashboard/admin/invite", { email: hostile });
    const text = await refused.text();
    expect([refused.status, text]).toEqual([400, expect.stringContaining("Must be an email address.")]);
    expect(text).not.toMatch(/<img|<script>/);
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
    expect((await visitor.post(at("nothing", "/credits"), { credits: "1" })).status).toBe(404);
  });
});

describe("an admin", () => {
  it("changes plan, rate and credits from the next request on, with an entry in the audit log", async () => {
    const email = nextAdmin();
    const visitor = await signInAsAdmin(email);
    const accountId = await createAccount({ plan: "free", ratePerMinute: null, credits: 500 });
    const client = await createClient({ accountId });
    expect((await client.call("GET", "/v1/usage")).headers.get("x-ratelimit-limit")).toBe("10");
    const own = { rate_per_minute: "1234", monthly_credits: "777", concurrent_jobs: "3", concurrent_renders: "4" };
    const fields = {
      plan: "pro",
      ...own,
      charge_free_outcomes: "true",
      daily_credits: "99",
      prices: "scrape=2, parse=3",
    };
    const response = await visitor.post(at(accountId, "/limits"), fields);
    expect([response.status, response.headers.get("location")]).toEqual([303, at(accountId, "?done=changed")]);
    expect(await visitor.read(at(accountId, "?done=changed"))).toContain("It applies to all requests from now on");
    expect((await client.call("GET", "/v1/usage")).headers.get("x-ratelimit-limit")).toBe("1234");
    expect(await visitor.read(at(accountId))).toMatch(/name="charge_free_outcomes" value="true" checked/);
    expect(await visitor.read(at(accountId))).toContain('value="scrape=2, parse=3"');
    const mistaken = await visitor.post(at(accountId, "/limits"), { ...fields, prices: "search=2" });
    expect([mistaken.status, await mistaken.text()]).toEqual([
      400,
      expect.stringContaining("search&#39; is not a price"),
    ]);
    await visitor.post(at(accountId, "/limits"), { plan: "business", rate_per_minute: "", monthly_credits: "" });
    expect((await client.call("GET", "/v1/usage")).headers.get("x-ratelimit-limit")).toBe("500");
    expect(await audit(accountId)).toEqual([
      {
        actor: email,
        action: "account.change",
        detail: {
          plan: "business",
          ...{ rate_per_minute: null, monthly_credits: null, concurrent_jobs: null, concurrent_renders: null },
          ...{ charge_free_outcomes: false, daily_credits: null, prices: "none" },
        },
      },
      {
        actor: email,
        action: "account.change",
        detail: {
          plan: "pro",
          ...{ rate_per_minute: 1234, monthly_credits: 777, concurrent_jobs: 3, concurrent_renders: 4 },
          ...{ charge_free_outcomes: true, daily_credits: 99, prices: "scrape=2, parse=3" },
        },
      },
    ]);
    const page = await visitor.read(at(accountId));
    expect(page).toContain(email);
    expect(page).toContain("Changed the account");
    expect(page).toMatch(/name="charge_free_outcomes" value="true"\/>/);
  });

  it("adds and removes credits, down to a balance of zero", async () => {
    const email = nextAdmin();
    const visitor = await signInAsAdmin(email);
    const accountId = await createAccount({ credits: 100 });
    for (const credits of ["1,500", "-40", "−60", "+1"])
      expect([credits, (await visitor.post(at(accountId, "/credits"), { credits })).status]).toEqual([credits, 303]);
    expect(await creditsOf(accountId)).toMatchObject({ balance: 1_501 });
    const tooMuch = await visitor.post(at(accountId, "/credits"), { credits: "-1502" });
    const text = await tooMuch.text();
    expect([tooMuch.status, text]).toEqual([400, expect.stringContaining("would make the balance negative")]);
    expect(text).toContain('value="-1502"');
    for (const credits of ["", "0", "1.5", "1,5", "1e3", "0x10", "many", "9999999999999", "- 5"]) {
      const response = await visitor.post(at(accountId, "/credits"), { credits });
      expect([credits, response.status, await response.text()]).toEqual([
        credits,
        400,
        expect.stringContaining("Must be a whole number"),
      ]);
    }
    expect(await creditsOf(accountId)).toMatchObject({ balance: 1_501 });
    const entries = await audit(accountId);
    expect(entries.map(({ actor, action, detail }) => [actor, action, detail.change])).toEqual(
      [1, -60, -40, 1_500].map((change) => [email, "credits.adjust", change]),
    );
  });

  it.each([
    [{ plan: "platinum" }, "must be one of free, pro, business, enterprise"],
    [{ rate_per_minute: "0" }, "must be a whole number of at least 1"],
    [{ rate_per_minute: "ten" }, "must be a whole number of at least 1"],
    [{ monthly_credits: "-1" }, "must be a whole number of at least 0"],
    [{ concurrent_renders: "0" }, "must be a whole number of at least 1"],
  ])("gets the error for %j and the entered values", async (fields, why) => {
    const visitor = await signInAsAdmin(nextAdmin());
    const accountId = await createAccount();
    const sent = { plan: "pro", rate_per_minute: "", monthly_credits: "", ...fields };
    const response = await visitor.post(at(accountId, "/limits"), sent);
    const text = await response.text();
    expect([response.status, text]).toEqual([400, expect.stringContaining(why)]);
    for (const [name, value] of Object.entries(fields))
      if (name !== "plan") expect(text).toMatch(new RegExp(`name="${name}"[^>]*value="${value}"`));
    expect(await getAccount(accountId)).toMatchObject({ plan: "enterprise" });
    expect(await audit(accountId)).toEqual([]);
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

  it("invites a user with a link that is shown once, even if sign-up is closed", async () => {
    const visitor = await signInAsAdmin(nextAdmin());
    const email = `${crypto.randomUUID()}@example.com`;
    const card = await visitor.post("/dashboard/admin/invite", { email });
    const text = await card.text();
    expect([card.status, text]).toEqual([200, expect.stringContaining(`Send this link only to ${email}`)]);
    const token = /\/dashboard\/link\?token=([0-9a-f]{64})/.exec(text)?.[1] ?? "";
    const guest = new Visitor({ SIGNUP: "closed" });
    expect((await guest.post("/dashboard/link", { token })).headers.get("location")).toBe("/dashboard");
    expect(await guest.read("/dashboard")).toContain(email);
    expect(await visitor.read("/dashboard/admin/audit")).toContain(email);
    expect(await visitor.read("/dashboard/admin/audit")).not.toContain(token);
  });

  it("creates links only for users of the account", async () => {
    const email = nextAdmin();
    const visitor = await signInAsAdmin(email);
    const otherUser = await signUp();
    const accountId = await accountIdOf(otherUser);
    const userId = await userIdOf(otherUser.email);
    const stranger = await userIdOf((await signUp()).email);
    for (const user of [stranger, "", "nobody"])
      expect((await visitor.post(at(accountId, "/link"), { user, kind: "reset" })).status).toBe(404);
    expect(await audit(accountId)).toEqual([]);
    const text = await (await visitor.post(at(accountId, "/link"), { user: userId, kind: "reset" })).text();
    const token = /\/dashboard\/reset\?token=([0-9a-f]{64})/.exec(text)?.[1] ?? "";
    const password = "chosen with the admin's link";
    expect((await new Visitor().post("/dashboard/reset", { token, password })).status).toBe(303);
    expect((await new Visitor().post("/dashboard/sign-in", { email: otherUser.email, password })).status).toBe(303);
    expect(await audit(accountId)).toEqual([
      { actor: email, action: "link.create", detail: { kind: "reset", user: userId } },
    ]);
  });
});

describe("the audit log", () => {
  it("can't be changed by any SQL statement", async () => {
    const accountId = await createAccount();
    const visitor = await signInAsAdmin(nextAdmin());
    await visitor.post(at(accountId, "/credits"), { credits: "5" });
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
    await visitor.post(at(accountId, "/credits"), { credits: "-11" });
    expect(await audit(accountId)).toEqual([]);
    await env.DB.prepare(
      `CREATE TRIGGER audit_log_is_full BEFORE INSERT ON audit_log WHEN NEW.account_id = '${accountId}' BEGIN SELECT RAISE(ABORT, 'full'); END`,
    ).run();
    expect((await visitor.post(at(accountId, "/credits"), { credits: "5" })).status).toBe(500);
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
