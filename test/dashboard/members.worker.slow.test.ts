import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../src/model/limits";
import { listAudit } from "../../src/store/audit";
import { deleteOldInvitations } from "../../src/store/invitations";
import { listMembers } from "../../src/store/memberships";
import { ORIGIN } from "../support/client";
import { readEmails, toLink } from "../support/emails";
import {
  accountIdOf,
  addMember,
  type SignedUp,
  signUp,
  signUpBeforeEmail,
  userIdOf,
  Visitor,
  WITH_EMAIL,
} from "../support/visitor";

/** Creates an invitation and returns the path of its link. */
async function invite({ visitor }: SignedUp, { email = "", role = "member" } = {}): Promise<string> {
  const response = await visitor.post("/dashboard/account/invitations", { email, role });
  const url = /<code id="link">([^<]+)</.exec(await response.text())?.[1];
  if (url === undefined) throw new Error(`The invitation returned status ${response.status} without a link.`);
  return url.replace(ORIGIN, "");
}

async function accept(visitor: Visitor, path: string): Promise<Response> {
  return await visitor.post("/dashboard/invitation", { token: new URL(path, ORIGIN).searchParams.get("token") ?? "" });
}

async function rolesIn(accountId: string): Promise<Record<string, string>> {
  return Object.fromEntries((await listMembers(env.DB, accountId)).map(({ email, role }) => [email, role]));
}

describe("an invitation", () => {
  it("adds a user to the account with its role, and works once", async () => {
    const [owner, guest, other] = [await signUp(), await signUp(), await signUp()];
    const accountId = await accountIdOf(owner);
    const path = await invite(owner, { role: "read_only" });
    expect(await guest.visitor.read(path)).toContain("with the role read-only");
    expect(Object.keys(await rolesIn(accountId))).toHaveLength(1);
    const joined = await accept(guest.visitor, path);
    expect(joined.headers.get("location")).toBe("/dashboard/account?done=joined");
    // The account of the invitation is now the selected one.
    expect(await guest.visitor.read("/dashboard/account")).toContain(owner.email);
    expect(await rolesIn(accountId)).toEqual({ [owner.email]: "owner", [guest.email]: "read_only" });
    expect((await accept(other.visitor, path)).status).toBe(400);
    expect(await rolesIn(accountId)).not.toHaveProperty(other.email);
    const entries = await listAudit(env.DB, { accountId, limit: 2, before: null });
    expect(entries.map(({ actor, action, detail }) => [actor, action, detail.by])).toEqual([
      ["member", "member.join", guest.email],
      ["member", "member.invite", owner.email],
    ]);
  });

  it("is emailed, and then works only for the user with this address", async () => {
    const owner = await signUpBeforeEmail();
    await env.DB.prepare("UPDATE users SET email_verified = 1 WHERE email = ?1").bind(owner.email).run();
    const [guest, other] = [await signUpBeforeEmail(), await signUpBeforeEmail()];
    const sent = await owner.visitor.post("/dashboard/account/invitations", {
      email: guest.email.toUpperCase(),
      role: "member",
    });
    expect(sent.headers.get("location")).toBe("/dashboard/account?done=invited");
    const [email] = await readEmails(guest.email, 1);
    const path = toLink(email);
    expect(await other.visitor.read(path)).toContain(`This invitation is for ${guest.email}`);
    expect((await accept(other.visitor, path)).status).toBe(400);
    expect((await accept(guest.visitor, path)).status).toBe(303);
    expect(await rolesIn(await accountIdOf(owner))).toHaveProperty([guest.email], "member");
  });

  it.each([
    ["Łukasz & Söhne – 株式会社", "Łukasz & Söhne 株式会社"],
    ["Click https://evil.example/now", "Click https evil example now"],
    ["Win at www.evil.example or evil。example", "Win at www evil example or evil example"],
    ["Mail me@evil.example, mailto:me@evil.example", "Mail me evil example, mailto me evil exa"],
    ["R&D, Smith's Café’s", "R&D, Smith's Café’s"],
    ["A.C.M.E. Inc.", "A C M E. Inc."],
    ["evil.\u200bexample evil.\nexample evil.. example evil.", "evil example evil example evil example e"],
    ["\u115f\u3164\u1160\uffa0\ufe0f", "without a name"],
    ["evil\u2024example evil\u{ff0e}example \u2488com", "evil example evil example 1 com"],
    ["One\r\nBcc: two\u2028three", "One Bcc two three"],
    ["\u202egro.live\u202c \u2066x\u2069\u200b.y", "gro live x y"],
    ["x".repeat(41), "x".repeat(40)],
    ["…", "without a name"],
  ])("has no link in its email if the account's name is %j", async (name, shown) => {
    const owner = await signUpBeforeEmail();
    await env.DB.prepare("UPDATE users SET email_verified = 1 WHERE email = ?1").bind(owner.email).run();
    await env.DB.prepare("UPDATE accounts SET name = ?2 WHERE id = ?1")
      .bind(await accountIdOf(owner), name)
      .run();
    const to = `${crypto.randomUUID()}@guests.example`;
    await owner.visitor.post("/dashboard/account/invitations", { email: to, role: "member" });
    const [email] = await readEmails(to, 1);
    expect(email?.subject).toBe(`${owner.email} invites you to an account`);
    expect(/the account "([^"]*)"/.exec(email?.text ?? "")?.[1]).toBe(shown);
    expect(email?.text.replaceAll(owner.email, "").match(/https?:\S+|\w\.\w\S*/g)).toEqual([
      `${ORIGIN}${toLink(email)}`,
    ]);
  });

  it("of a user with an unverified address isn't emailed, but shown as a link", async () => {
    const owner = await signUp();
    const visitor = new Visitor(WITH_EMAIL);
    for (const [name, value] of owner.visitor.cookies) visitor.cookies.set(name, value);
    expect(await invite({ ...owner, visitor }, { email: "stranger@example.com" })).toMatch(
      /^\/dashboard\/invitation\?/,
    );
  });

  it("can be revoked, and expires after 7 days", async () => {
    const [owner, guest] = [await signUp(), await signUp()];
    const accountId = await accountIdOf(owner);
    const revoked = await invite(owner, { email: guest.email });
    const page = await owner.visitor.read("/dashboard/account");
    expect(page).toContain(guest.email);
    const [action = ""] = /\/dashboard\/account\/invitations\/[^/"]+\/revoke/.exec(page) ?? [];
    expect((await owner.visitor.post(action)).headers.get("location")).toBe("/dashboard/account?done=revoked");
    expect((await guest.visitor.get(revoked)).status).toBe(400);
    expect((await accept(guest.visitor, revoked)).status).toBe(400);
    const late = await invite(owner);
    const age = "UPDATE invitations SET expires_at = expires_at - ?2 WHERE account_id = ?1";
    await env.DB.prepare(age)
      .bind(accountId, 7 * DAY_MS)
      .run();
    expect((await accept(guest.visitor, late)).status).toBe(400);
    expect(await rolesIn(accountId)).toEqual({ [owner.email]: "owner" });
    await deleteOldInvitations(env.DB, Date.now(), 500);
    const left = await env.DB.prepare("SELECT 1 FROM invitations WHERE account_id = ?1").bind(accountId).first();
    expect(left).toBeNull();
  });

  it("can't be revoked by the owner of another account", async () => {
    const [owner, other] = [await signUp(), await signUp()];
    const path = await invite(owner);
    const [action = ""] =
      /\/dashboard\/account\/invitations\/[^/"]+\/revoke/.exec(await owner.visitor.read("/dashboard/account")) ?? [];
    expect((await other.visitor.post(action)).status).toBe(404);
    expect((await other.visitor.get(path)).status).toBe(200);
  });

  it("isn't stored in plain text", async () => {
    const owner = await signUp();
    const token = new URL(await invite(owner), ORIGIN).searchParams.get("token") ?? "";
    const { results } = await env.DB.prepare("SELECT * FROM invitations WHERE account_id = ?1")
      .bind(await accountIdOf(owner))
      .all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(token);
  });

  it("is refused for an invalid address, and limited to a few per minute", async () => {
    const { visitor } = await signUp();
    const create = () => visitor.post("/dashboard/account/invitations", { email: "nobody", role: "member" });
    const first = await create();
    expect([first.status, (await first.text()).includes('id="problem-email"')]).toEqual([400, true]);
    for (let i = 0; i < 4; i++) await create();
    expect((await create()).status).toBe(429);
  });
});

describe("a member", () => {
  it("of another account can't be changed or removed", async () => {
    const [owner, stranger] = [await signUp(), await signUp()];
    await accountIdOf(owner);
    const accountId = await accountIdOf(stranger);
    const path = `/dashboard/account/members/${await userIdOf(stranger.email)}`;
    expect((await owner.visitor.post(`${path}/role`, { role: "read_only" })).status).toBe(404);
    expect((await owner.visitor.post(`${path}/remove`)).status).toBe(404);
    expect(await rolesIn(accountId)).toEqual({ [stranger.email]: "owner" });
  });

  it("loses access when an owner removes the user", async () => {
    const owner = await signUp();
    const accountId = await accountIdOf(owner);
    const member = await addMember(accountId, "member");
    expect(await member.visitor.read("/dashboard/account")).toContain(owner.email);
    await owner.visitor.post(`/dashboard/account/members/${await userIdOf(member.email)}/remove`);
    expect(await member.visitor.read("/dashboard/account")).not.toContain(owner.email);
    expect((await member.visitor.post("/dashboard/account/switch", { account: accountId })).status).toBe(404);
  });

  it("can leave the account, but the last owner can't leave or become a member", async () => {
    const owner = await signUp();
    const accountId = await accountIdOf(owner);
    const member = await addMember(accountId, "read_only");
    expect((await member.visitor.post("/dashboard/account/leave")).headers.get("location")).toBe("/dashboard");
    const own = `/dashboard/account/members/${await userIdOf(owner.email)}`;
    const answers = [
      await owner.visitor.post("/dashboard/account/leave"),
      await owner.visitor.post(`${own}/role`, { role: "member" }),
      await owner.visitor.post(`${own}/remove`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(await answers[0]?.text()).toContain("The account needs an owner.");
    expect(await rolesIn(accountId)).toEqual({ [owner.email]: "owner" });
  });

  it("see why they can't leave while they are the only owner", async () => {
    const owner = await signUp();
    const accountId = await accountIdOf(owner);
    const own = `/dashboard/account/members/${await userIdOf(owner.email)}/role`;
    const forms = ['action="/dashboard/account/leave"', `action="${own}"`];
    await addMember(accountId, "member");
    const alone = await owner.visitor.read("/dashboard/account");
    expect(forms.filter((form) => alone.includes(form))).toEqual([]);
    expect(alone).toContain("You are the only owner.");
    await addMember(accountId, "owner");
    const together = await owner.visitor.read("/dashboard/account");
    expect(forms.filter((form) => together.includes(form))).toEqual(forms);
    expect(together).not.toContain("You are the only owner.");
  });
});

describe("a user who founded an account and left it", () => {
  async function leaveOwn(): Promise<{ founder: SignedUp; accountId: string }> {
    const founder = await signUp();
    const accountId = await accountIdOf(founder);
    await addMember(accountId, "owner");
    await founder.visitor.post("/dashboard/account/leave");
    return { founder, accountId };
  }

  it("doesn't get it back, but can create another account", async () => {
    const { founder, accountId } = await leaveOwn();
    expect(await founder.visitor.read("/dashboard")).toContain("You belong to no account");
    expect((await founder.visitor.get("/dashboard/keys")).status).toBe(200);
    expect(await founder.visitor.read("/dashboard/keys")).toContain("You belong to no account");
    await founder.visitor.post("/dashboard/no-account/create");
    expect(await accountIdOf(founder)).not.toBe(accountId);
    expect(await rolesIn(accountId)).not.toHaveProperty(founder.email);
    // A second click creates no second account.
    await founder.visitor.post("/dashboard/no-account/create");
    const accounts = await env.DB.prepare("SELECT COUNT(*) AS n FROM memberships WHERE user_id = ?1")
      .bind(await userIdOf(founder.email))
      .first("n");
    expect(accounts).toBe(1);
  });

  it("can delete the sign-in, unlike a user with an account", async () => {
    const { founder } = await leaveOwn();
    const deleted = await founder.visitor.post("/dashboard/no-account/delete-user");
    expect(deleted.headers.get("location")).toBe("/dashboard/sign-in?done=user-deleted");
    await expect(userIdOf(founder.email)).rejects.toThrow();
    const other = await signUp();
    await accountIdOf(other);
    await other.visitor.post("/dashboard/no-account/delete-user");
    expect(await userIdOf(other.email)).not.toBe("");
  });
});

describe("the switcher", () => {
  it("appears with the second account, and selects the account of the next pages", async () => {
    const owner = await signUp();
    await owner.visitor.post("/dashboard/account/name", { name: "The Team" });
    const guest = await signUp();
    const own = await accountIdOf(guest);
    expect(await guest.visitor.read("/dashboard")).not.toContain('action="/dashboard/account/switch"');
    await accept(guest.visitor, await invite(owner));
    const html = await guest.visitor.read("/dashboard");
    expect(html).toMatch(/<option value="[^"]+" selected=""?>The Team<\/option>/);
    await guest.visitor.post("/dashboard/account/switch", { account: own });
    expect(await guest.visitor.read("/dashboard/account")).not.toContain(owner.email);
  });

  it("ignores a cookie with the id of another user's account", async () => {
    const [own, other] = [await signUp(), await signUp()];
    own.visitor.cookies.set("extraction.account", await accountIdOf(other));
    const html = await own.visitor.read("/dashboard/account");
    expect([html.includes(own.email), html.includes(other.email)]).toEqual([true, false]);
  });
});

describe("the deletion of an account", () => {
  it("keeps the sign-in of members with another account, and deletes the others", async () => {
    const owner = await signUp();
    const accountId = await accountIdOf(owner);
    await owner.visitor.post("/dashboard/account/name", { name: "Doomed" });
    const member = await addMember(accountId, "member");
    await owner.visitor.post("/dashboard/account/delete", { name: "Doomed", current: owner.password });
    expect([await owner.visitor.isSignedIn(), await member.visitor.isSignedIn()]).toEqual([false, true]);
    expect(await member.visitor.read("/dashboard/account")).not.toContain("Doomed");
    expect(await rolesIn(accountId)).toEqual({});
  });
});
