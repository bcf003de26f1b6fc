import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
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

const PASSWORD = "a good password";

async function invite({ visitor }: SignedUp, { email = "", role = "member" } = {}): Promise<string> {
  const response = await visitor.post("/dashboard/account/invitations", { email, role });
  const url = /<code id="link">([^<]+)</.exec(await response.text())?.[1];
  if (url === undefined) throw new Error(`The invitation returned status ${response.status} without a link.`);
  return url.replace(ORIGIN, "");
}

function toToken(path: string): string {
  return new URL(path, ORIGIN).searchParams.get("token") ?? "";
}

/** Opens the invitation in a new browser and follows its link to the sign-up form. Returns the form's value `to`. */
async function openSignUp(visitor: Visitor, path: string): Promise<string> {
  const [, href = ""] = /href="(\/dashboard\/sign-up\?to=[^"]+)"/.exec(await visitor.read(path)) ?? [];
  const form = await visitor.read(href);
  expect(form).toContain("If you sign up, you join the account");
  return /name="to" value="([^"]+)"/.exec(form)?.[1]?.replaceAll("&amp;", "&") ?? "";
}

async function accountsOf(email: string): Promise<unknown[]> {
  const { results } = await env.DB.prepare("SELECT account_id, role FROM memberships WHERE user_id = ?1")
    .bind(await userIdOf(email))
    .all();
  return results;
}

const newEmail = () => `${crypto.randomUUID()}@example.com`;

describe("a sign-up through an invitation", () => {
  it("accepts the invitation, and creates no account of the user's own", async () => {
    const owner = await signUp();
    const [path, email, visitor] = [await invite(owner, { role: "read_only" }), newEmail(), new Visitor()];
    const to = await openSignUp(visitor, path);
    const signedUp = await visitor.post("/dashboard/sign-up", { email, password: PASSWORD, to });
    expect(signedUp.headers.get("location")).toBe("/dashboard/account?done=joined");
    expect(await visitor.read("/dashboard/account?done=joined")).toContain(owner.email);
    expect(await accountsOf(email)).toEqual([{ account_id: await accountIdOf(owner), role: "read_only" }]);
    expect((await new Visitor().get(path)).status).toBe(400);
  });

  it("by email accepts the invitation with the verification, in any browser", async () => {
    const owner = await signUp();
    const [path, email] = [await invite(owner), newEmail()];
    const first = new Visitor(WITH_EMAIL);
    const to = await openSignUp(first, path);
    expect((await first.post("/dashboard/sign-up", { email, password: PASSWORD, to })).status).toBe(200);
    // The user signs in before the verification, which sends another link.
    await first.post("/dashboard/sign-in", { email, password: PASSWORD, to });
    const links = (await readEmails(email, 2)).map(toLink);
    const visitor = new Visitor(WITH_EMAIL);
    for (const link of links) expect(await visitor.read(link)).toContain("You then join the account");
    const query = new URL(links[1] ?? "", ORIGIN).searchParams;
    const fields = { token: query.get("token") ?? "", invitation: query.get("invitation") ?? "" };
    const wrong = await visitor.post("/dashboard/verify", { ...fields, password: "not the password" });
    expect(wrong.status).toBe(401);
    expect(await wrong.text()).toContain(`name="invitation" value="${fields.invitation}"`);
    const verified = await visitor.post("/dashboard/verify", { ...fields, password: PASSWORD });
    expect(verified.headers.get("location")).toBe("/dashboard/account?done=joined");
    expect(await visitor.read("/dashboard/account")).toContain(owner.email);
    expect(await accountsOf(email)).toEqual([{ account_id: await accountIdOf(owner), role: "member" }]);
  });

  it("verifies the address even if the invitation was revoked, and says so", async () => {
    const owner = await signUp();
    const [path, email, visitor] = [await invite(owner), newEmail(), new Visitor(WITH_EMAIL)];
    const to = await openSignUp(visitor, path);
    await visitor.post("/dashboard/sign-up", { email, password: PASSWORD, to });
    await env.DB.prepare("DELETE FROM invitations WHERE account_id = ?1")
      .bind(await accountIdOf(owner))
      .run();
    const [sent] = await readEmails(email, 1);
    const query = new URL(toLink(sent), ORIGIN).searchParams;
    const fields = { token: query.get("token") ?? "", invitation: query.get("invitation") ?? "" };
    const verified = await visitor.post("/dashboard/verify", { ...fields, password: PASSWORD });
    expect(verified.headers.get("location")).toBe(path);
    expect(await (await visitor.get(path)).text()).toContain("This invitation was already used or revoked");
    expect(await visitor.isSignedIn()).toBe(true);
  });

  it("with a registered address sends a link that returns to the invitation after the sign-in", async () => {
    const [owner, guest] = [await signUp(), await signUpBeforeEmail()];
    const path = await invite(owner);
    const visitor = new Visitor(WITH_EMAIL);
    const to = await openSignUp(visitor, path);
    await visitor.post("/dashboard/sign-up", { email: guest.email, password: PASSWORD, to });
    const [sent] = await readEmails(guest.email, 1);
    expect(sent?.subject).toBe("Someone tried to sign up with your email address");
    expect(new URL(toLink(sent), ORIGIN).searchParams.get("to")).toBe(path);
    expect(await accountsOf(guest.email)).not.toContainEqual(
      expect.objectContaining({ account_id: await accountIdOf(owner) }),
    );
  });

  it("suggests the address of the invitation and refuses others", async () => {
    const [owner, email, visitor] = [await signUp(), newEmail(), new Visitor()];
    const path = await invite(owner, { email: email.toUpperCase() });
    const to = await openSignUp(visitor, path);
    expect(await visitor.read(`/dashboard/sign-up?to=${encodeURIComponent(to)}`)).toContain(`value="${email}"`);
    const refused = await visitor.post("/dashboard/sign-up", { email: newEmail(), password: PASSWORD, to });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(`This invitation is for ${email}. Sign up with this address.`);
    const signedUp = await visitor.post("/dashboard/sign-up", { email: email.toUpperCase(), password: PASSWORD, to });
    expect(signedUp.headers.get("location")).toBe("/dashboard/account?done=joined");
  });

  it("isn't offered while sign-up is closed", async () => {
    const path = await invite(await signUp());
    const html = await new Visitor({ SIGNUP: "closed" }).read(path);
    expect(html).not.toContain("/dashboard/sign-up");
    expect(html).toContain("Sign-up is closed.");
  });
});

describe("an open invitation", () => {
  it("isn't used up by a request that only opens the link", async () => {
    const owner = await signUp();
    const path = await invite(owner);
    const member = await signUp();
    for (const visitor of [new Visitor(), member.visitor]) expect((await visitor.get(path)).status).toBe(200);
    const joined = await member.visitor.post("/dashboard/invitation", { token: toToken(path) });
    expect(joined.headers.get("location")).toBe("/dashboard/account?done=joined");
  });

  it("isn't used up by a member of the account", async () => {
    const owner = await signUp();
    const path = await invite(owner);
    expect(await owner.visitor.read(path)).toContain("already belong to this account");
    expect((await owner.visitor.post("/dashboard/invitation", { token: toToken(path) })).status).toBe(303);
    const guest = await signUp();
    const joined = await guest.visitor.post("/dashboard/invitation", { token: toToken(path) });
    expect(joined.headers.get("location")).toBe("/dashboard/account?done=joined");
  });

  it("isn't accepted by a sign-in, only by the button", async () => {
    const [owner, guest] = [await signUp(), await signUp()];
    const path = await invite(owner);
    const visitor = new Visitor();
    const signedIn = await visitor.post("/dashboard/sign-in", { ...guest, visitor: "", to: path });
    expect(signedIn.headers.get("location")).toBe(path);
    expect(await visitor.read(path)).toContain("Join account");
    expect(await visitor.read("/dashboard/account")).not.toContain(owner.email);
  });

  it.each(["remove", "role"])("doesn't bring back an owner who lost the role (%s)", async (action) => {
    const owner = await signUp();
    const accountId = await accountIdOf(owner);
    const other = await addMember(accountId, "owner");
    const [kept, path] = [await invite(owner), await invite(other, { role: "owner" })];
    const member = `/dashboard/account/members/${await userIdOf(other.email)}/${action}`;
    expect((await owner.visitor.post(member, { role: "member" })).status).toBe(303);
    expect((await other.visitor.post("/dashboard/invitation", { token: toToken(path) })).status).toBe(400);
    expect((await new Visitor().get(kept)).status).toBe(200);
  });

  it("of an owner whose demotion was refused stays open", async () => {
    const owner = await signUp();
    const path = await invite(owner);
    expect((await owner.visitor.post("/dashboard/account/leave")).status).toBe(400);
    expect((await new Visitor().get(path)).status).toBe(200);
  });
});

describe("the last two owners", () => {
  it("can't both leave at the same time", async () => {
    const owner = await signUp();
    const accountId = await accountIdOf(owner);
    const other = await addMember(accountId, "owner");
    const leave = ({ visitor }: SignedUp) => visitor.post("/dashboard/account/leave");
    const demote = async ({ visitor, email }: SignedUp) =>
      await visitor.post(`/dashboard/account/members/${await userIdOf(email)}/role`, { role: "member" });
    const replies = await Promise.all([leave(owner), demote(other)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 400]);
    const owners = await env.DB.prepare("SELECT user_id FROM memberships WHERE account_id = ?1 AND role = 'owner'")
      .bind(accountId)
      .all();
    expect(owners.results).toHaveLength(1);
  });
});
