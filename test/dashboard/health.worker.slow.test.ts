import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { app } from "../../src/app";
import { createLink } from "../../src/directory/users";
import { MINUTE_MS } from "../../src/model/limits";
import { toPeriod } from "../../src/model/service-counts";
import type { AccountSummary } from "../../src/model/summary";
import { putPeriods } from "../../src/store/account-periods";
import { putSummaries } from "../../src/store/account-summaries";
import { createAccount, createClient, ORIGIN, page } from "../support/client";
import { recordLines } from "../support/lines";
import { signUp, Visitor } from "../support/visitor";

const HOUR_MS = 60 * MINUTE_MS;

/** Returns the report of an account without jobs. */
const summaryOf = (accountId: string, more: Partial<AccountSummary> = {}): AccountSummary => ({
  ...{ accountId, balance: 0, reserved: 0, granted: 0, used: 0, queued: 0, processing: 0, waiting: 0 },
  ...{ browserWaits: 0, queuedSince: null, lastJobAt: null, nextDueAt: null, at: Date.now(), periods: [] },
  ...more,
});

/** Signs in as an admin. Uses the last addresses of the list, because other files use the first ones. */
async function signInAsAdmin(): Promise<Visitor> {
  const email = env.ADMIN_EMAILS.toLowerCase().split(", ").at(-1) ?? "";
  const link = { kind: "sign-in" as const, email, name: email };
  const url = await createLink(env, { link, origin: ORIGIN, accountId: null, actor: "operator", now: Date.now() });
  const visitor = new Visitor();
  await visitor.post("/dashboard/link", { token: new URL(url).searchParams.get("token") ?? "" });
  return visitor;
}

/** Waits until the queue has delivered that the key was used. */
async function awaitUse(keyId: string): Promise<void> {
  const read = async () =>
    await env.DB.prepare("SELECT last_used_at FROM api_keys WHERE id = ?1").bind(keyId).first("last_used_at");
  await expect.poll(read, { interval: 250 }).not.toBeNull();
}

async function deleteReports(): Promise<void> {
  await env.DB.batch(
    ["account_periods", "account_summaries", "incident_updates", "incidents"].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
}

beforeEach(deleteReports);

afterEach(() => vi.restoreAllMocks());

describe("the health page", () => {
  it("responds with 404 to users who aren't admins", async () => {
    const { visitor } = await signUp();
    for (const path of ["/dashboard/admin/health", "/dashboard/admin/incidents", "/dashboard/admin/incidents/1"]) {
      expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
      expect([path, (await visitor.post(path, { title: "T", status: "resolved", text: "X" })).status]).toEqual([
        path,
        404,
      ]);
    }
    expect(await env.DB.prepare("SELECT COUNT(*) AS n FROM incidents").first("n")).toBe(0);
  });

  it("says who causes a problem, with the figures of all accounts", async () => {
    const admin = await signInAsAdmin();
    const accountId = await createAccount();
    const now = Date.now();
    const counts = { "job/scrape/plain/ok/40": 10, "job/scrape/rendered/render_failed/": 10 };
    await putPeriods(env.DB, [summaryOf(accountId, { periods: [{ start: toPeriod(now), counts }] })], now);
    const html = await admin.read("/dashboard/admin/health");
    expect(html).toContain("The cause is this service.");
    expect(html).toContain("50% of the jobs failed because of this service, mostly with render_failed.");
    expect(html).toContain(`/dashboard/admin/accounts/${accountId}`);
    expect(html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toContain("render_failed scrape 10 50%");
    expect(html.length).toBeLessThan(20_000);
    for (const range of ["day", "week", "other"]) {
      expect((await admin.get(`/dashboard/admin/health?range=${range}`)).status).toBe(200);
    }
  });

  it("says that no account has reported yet instead of showing an empty success", async () => {
    const admin = await signInAsAdmin();
    let html = "";
    const read = async () => {
      await deleteReports();
      html = await admin.read("/dashboard/admin/health");
      return html;
    };
    await expect.poll(read).toContain("No account has reported yet.");
    expect(html).toContain("Choose Refresh to ask them for their figures now.");
    expect(html).toContain('class="notice failure warn"');
  });

  it.each([
    ["recent", 0],
    ["from before the time range", 2 * HOUR_MS],
  ])("doesn't say that no jobs ended if the last report is %s and has no jobs", async (_, age) => {
    const admin = await signInAsAdmin();
    const accountId = await createAccount();
    for (const path of ["/dashboard/admin/health", "/dashboard/admin/health?done=refreshed"]) {
      let html = "";
      // The queue may still deliver reports of accounts of other tests.
      const read = async () => {
        await deleteReports();
        await putSummaries(env.DB, [summaryOf(accountId, { at: Date.now() - age })]);
        html = await admin.read(path);
        return html;
      };
      await expect.poll(read).toContain('<h2 id="answer">No account has reported a job in this time range.</h2>');
      expect(html).toContain("Choose Refresh to ask them for their figures now.");
      expect(html).not.toContain("No jobs ended");
      expect(html).toContain('class="notice failure"');
    }
  });

  it("says that the dashboard isn't available while the database is down", async () => {
    const admin = await signInAsAdmin();
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const prepare = () => {
      throw new Error("D1 is down.");
    };
    const bindings = { ...env, DB: { prepare } as unknown as D1Database };
    recordLines();
    const context = createExecutionContext();
    const opened = new Request(`${ORIGIN}/dashboard/admin/health`, { headers: { cookie } });
    const response = await app.fetch(opened, bindings, context);
    await waitOnExecutionContext(context);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await response.text()).toContain("The dashboard isn&#39;t available at the moment.");
  });

  it("makes the accounts send their figures now", async () => {
    const admin = await signInAsAdmin();
    const { accountId, keyId, scrape } = await createClient({ accountId: await createAccount({ credits: 4_321 }) });
    await scrape({ url: page("article") });
    await awaitUse(keyId);
    const readAccount = async () => await admin.read(`/dashboard/admin?search=${accountId}`);
    expect(await readAccount()).not.toContain("4,320");
    const response = await admin.post("/dashboard/admin/health", { range: "day" });
    expect(response.headers.get("location")).toBe("/dashboard/admin/health?range=day&done=refreshed");
    // The queue delivers the figures after five seconds. Earlier test files can't delay them, because only the 200
    // accounts that were used last send theirs.
    await expect.poll(readAccount, { interval: 250 }).toContain("4,320");
  });

  it("makes an account send its figures if its last report was from before its first job", async () => {
    const admin = await signInAsAdmin();
    const { accountId, keyId, scrape } = await createClient({ accountId: await createAccount({ credits: 5_678 }) });
    const readAccount = async () => await admin.read(`/dashboard/admin?search=${accountId}`);
    await putSummaries(env.DB, [summaryOf(accountId)]);
    await scrape({ url: page("article") });
    await awaitUse(keyId);
    await admin.post("/dashboard/admin/health", { range: "hour" });
    await expect.poll(readAccount, { interval: 250 }).toContain("5,677");
  });
});

describe("the pages of incidents", () => {
  it("publish an incident and its updates, and write them to the audit log", async () => {
    const admin = await signInAsAdmin();
    const path = "/dashboard/admin/incidents";
    const first = { title: "Slow renders", parts: "rendering", status: "investigating", text: "We look into it." };
    expect((await admin.post(path, first)).headers.get("location")).toBe(`${path}?done=published`);
    const id = await env.DB.prepare("SELECT id FROM incidents").first<number>("id");
    expect(await admin.read(path)).toContain("Slow renders");
    await admin.post(`${path}/${id}`, { status: "resolved", text: "It works again." });
    expect(await admin.read(`${path}/${id}`)).toContain("It works again.");
    const stored = await env.DB.prepare("SELECT parts, status FROM incidents").first();
    expect(stored).toEqual({ parts: '["rendering"]', status: "resolved" });
    const { results } = await env.DB.prepare(
      "SELECT action, detail FROM audit_log WHERE action LIKE 'incident.%' ORDER BY id DESC LIMIT 2",
    ).all<{ action: string; detail: string }>();
    expect(results.map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
      ["incident.update", { incident: id, status: "resolved" }],
      ["incident.create", { title: "Slow renders", status: "investigating", parts: "rendering" }],
    ]);
    expect(await admin.read("/dashboard/admin/audit")).toContain("incident.create");
  });

  it.each([
    ["without a title", { title: "", status: "resolved", text: "X" }],
    ["with a long title", { title: "x".repeat(121), status: "resolved", text: "X" }],
    ["without a text", { title: "T", status: "resolved", text: " " }],
    ["with an unknown status", { title: "T", status: "closed", text: "X" }],
  ])("refuse an incident %s, and keep the entered values", async (_, fields) => {
    const admin = await signInAsAdmin();
    const response = await admin.post("/dashboard/admin/incidents", { ...fields, parts: "rendering" });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain('aria-invalid="true"');
    expect(html.match(/value="\w+" checked/g)).toEqual(['value="rendering" checked']);
    expect((await admin.post("/dashboard/admin/incidents/999999", fields)).status).toBe(404);
    expect(await env.DB.prepare("SELECT COUNT(*) AS n FROM incidents").first("n")).toBe(0);
  });
});
