import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { dashboard } from "../../src/dashboard/app";
import { newId } from "../../src/lib/id";
import { ROLES, type Role } from "../../src/model/role";
import { countActiveKeys } from "../../src/store/keys";
import {
  accountIdOf,
  addMember,
  type SignedUp,
  signInAsAdmin,
  signUp,
  userIdOf,
  type Visitor,
} from "../support/visitor";

/** The actions that concern only the user. Every role can do them. */
const OWN = [
  "/mode",
  "/account/switch",
  "/account/leave",
  "/playground/preview",
  "/playground/batch/preview",
  "/playground/crawl/preview",
];
const OWNER = [
  "/account/name",
  "/account/captures",
  "/account/delete",
  "/account/invitations",
  "/account/invitations/:id/revoke",
  "/account/members/:id/role",
  "/account/members/:id/remove",
];
/** The actions that need no membership: sign-in, links, and users without an account. */
const PUBLIC = /^\/(?:sign-|forgot|link|reset|verify|invitation|no-account)/;
/** The actions of the pages that an admin can view. */
const VIEWED = /^\/(?:jobs|batches|keys|webhooks|usage)\b/;
/** These actions end the session or the membership, so other tests try them. */
const ENDING = ["/authorize", "/settings/sessions/sign-out-all", "/account/leave"];

const ACTIONS = [...new Set(dashboard.routes.filter(({ method }) => method === "POST").map(({ path }) => path))]
  .map((path) => path.replace("/dashboard", ""))
  .filter((path) => !path.includes("*") && !PUBLIC.test(path) && !path.startsWith("/admin") && path !== "");

function isAllowed(action: string, role: Role): boolean {
  if (OWN.includes(action) || action.startsWith("/settings/")) return true;
  return OWNER.includes(action) ? role === "owner" : role !== "read_only";
}

describe("a role", () => {
  let accountId: string;
  const users = {} as Record<Role, SignedUp>;
  let admin: Visitor;

  beforeAll(async () => {
    accountId = await accountIdOf(await signUp());
    admin = await signInAsAdmin(env.ADMIN_EMAILS.toLowerCase().split(", ").at(-2) ?? "");
    for (const role of ROLES) users[role] = await addMember(accountId, role);
  });

  it("is tried with the actions of every page", () => {
    expect(ACTIONS).toEqual(
      expect.arrayContaining([
        ...OWNER,
        ...OWN,
        "/keys/new",
        "/keys/:id/revoke",
        "/webhooks/endpoints/:id",
        "/playground",
      ]),
    );
  });

  it.each(ACTIONS.filter((action) => !ENDING.includes(action)))("allows or refuses %s", async (action) => {
    const path = `/dashboard${action.replace(/:id\b/, newId())}`;
    for (const role of ROLES) {
      const response = await users[role].visitor.post(path);
      const isRefused = response.status === 403 && (await response.text()).includes("Your role in the account");
      expect([role, isRefused]).toEqual([role, !isAllowed(action, role)]);
    }
  });

  it.each(["", "/jobs", "/keys", "/webhooks", "/playground", "/plan", "/account", "/settings", "/account/export"])(
    "allows everyone to read %s",
    async (path) => {
      for (const role of ROLES) expect((await users[role].visitor.get(`/dashboard${path}`)).status).toBe(200);
    },
  );

  it.each(ACTIONS.filter((action) => VIEWED.test(action)))(
    "refuses %s in the view of a customer's account to admins, and hides the view from all others",
    async (action) => {
      const path = `/dashboard/admin/accounts/${accountId}${action.replace(/:id\b/, newId())}`;
      for (const role of ROLES) expect([role, (await users[role].visitor.post(path)).status]).toEqual([role, 404]);
      const response = await admin.post(path);
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("read-only")]);
    },
  );

  it("read-only can't create keys, spend credits or change the webhook", async () => {
    const { visitor } = users.read_only;
    const before = await countActiveKeys(env.DB, accountId, Date.now());
    const key = await visitor.post("/dashboard/keys/new", { name: "mine", mode: "live", scopes: ["scrape"] });
    const request = { endpoint: "scrape", mode: "live", url: "https://example.com/", formats: ["markdown"] };
    const run = await visitor.post("/dashboard/playground", request);
    const webhook = await visitor.post("/dashboard/webhooks/endpoints/default", { url: "https://example.com/hook" });
    expect([key.status, run.status, webhook.status]).toEqual([403, 403, 403]);
    expect(await countActiveKeys(env.DB, accountId, Date.now())).toBe(before);
    expect(await visitor.read("/dashboard/jobs")).not.toContain("https://example.com/");
  });

  it("read-only can't run or cancel requests in the playground, but sees their progress", async () => {
    // The other tests have used up the rate limit of their account.
    const own = await accountIdOf(await signUp());
    const { visitor } = await addMember(own, "member");
    const { visitor: reader } = await addMember(own, "read_only");
    await visitor.post("/dashboard/mode", { mode: "test" });
    const run = await visitor.post("/dashboard/playground", { url: "slow-30.test", formats: "markdown" });
    const page = (run.headers.get("location") ?? "").replace("#answer", "");
    await reader.post("/dashboard/mode", { mode: "test" });
    const shown = await Promise.all([visitor.read(page), reader.read(page)]);
    expect(shown.map((html) => html.includes("/dashboard/playground/cancel"))).toEqual([true, false]);
    expect(shown.map((html) => /<button[^>]* disabled=""[^>]*>Run request/.test(html))).toEqual([false, true]);
    expect(shown[1]).toContain('role="timer"');
    await visitor.post(`/dashboard/playground/cancel?${page.split("?")[1]}`);
  });

  it("read-only sees no signing secret, and is told so on every page", async () => {
    const readOnly = await users.read_only.visitor.read("/dashboard/webhooks/endpoints/default");
    const member = await users.member.visitor.read("/dashboard/webhooks/endpoints/default");
    expect([readOnly.includes("whsec_"), member.includes("whsec_")]).toEqual([false, true]);
    expect(readOnly).toContain("You have read-only access to the account");
    expect(member).not.toContain("You have read-only access to the account");
  });

  it("shows the forms for the account's members only to owners", async () => {
    for (const role of ROLES) {
      const html = await users[role].visitor.read("/dashboard/account");
      const shown = ["/account/name", "/account/invitations", "/account/delete"].filter((path) => html.includes(path));
      expect([role, shown.length]).toEqual([role, role === "owner" ? 3 : 0]);
    }
    expect((await users.member.visitor.get("/dashboard/account/delete")).status).toBe(403);
  });

  it("takes effect with the next request", async () => {
    const owner = await signUp();
    const { visitor, email } = await addMember(await accountIdOf(owner), "member");
    const path = `/dashboard/account/members/${await userIdOf(email)}/role`;
    expect((await visitor.get("/dashboard/account/delete")).status).toBe(403);
    await owner.visitor.post(path, { role: "owner" });
    expect((await visitor.get("/dashboard/account/delete")).status).toBe(200);
    await owner.visitor.post(path, { role: "read_only" });
    expect((await visitor.post("/dashboard/keys/new")).status).toBe(403);
  });
});
