import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { ORIGIN } from "../support/client";
import { readEmails, toLink } from "../support/emails";
import type { GitHubUser } from "../support/github";
import { signUpBeforeEmail, Visitor } from "../support/visitor";

const GITHUB = { GITHUB_CLIENT_ID: "a client of the tests", GITHUB_CLIENT_SECRET: "a secret of GitHub" };

// The URLs of GitHub can't be configured in better-auth, so this redirects `fetch` to a server on loopback.
beforeEach(() => {
  const { fetch } = globalThis;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!/^(?:api\.)?github\.com$/.test(url.hostname)) return fetch(input, init);
    return fetch(`${inject("github")}${url.pathname}${url.search}`, init);
  });
});
afterEach(() => vi.restoreAllMocks());

function newUser(fields: Partial<GitHubUser> = {}): GitHubUser {
  const id = Math.floor(Math.random() * 1e9);
  return { id, login: `user-${id}`, name: "A <b>User</b>", email: `${id}@example.com`, verified: true, ...fields };
}

/** Presses the button for signing in with GitHub. Returns the URL of GitHub's page. */
async function goToGitHub(visitor: Visitor, to = ""): Promise<URL> {
  const response = await visitor.post("/dashboard/sign-in/github", { to });
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "", ORIGIN);
}

async function comeBack(visitor: Visitor, github: URL, user: GitHubUser): Promise<Response> {
  const code = Buffer.from(JSON.stringify(user)).toString("base64url");
  const query = new URLSearchParams({ code, state: github.searchParams.get("state") ?? "" });
  return await visitor.get(`/dashboard/auth/callback/github?${query}`);
}

async function signInAs(user: GitHubUser, visitor = new Visitor(GITHUB), to?: string) {
  const response = await comeBack(visitor, await goToGitHub(visitor, to), user);
  return { visitor, status: response.status, location: response.headers.get("location") ?? "" };
}

async function users(email: string): Promise<number | null> {
  return await env.DB.prepare("SELECT COUNT(*) AS n FROM users WHERE email = ?1").bind(email).first<number>("n");
}

describe("sign-in with GitHub", () => {
  it("is offered only if both variables are set", async () => {
    for (const page of ["/dashboard/sign-in", "/dashboard/sign-up"]) {
      expect(await new Visitor(GITHUB).read(page)).toContain("Continue with GitHub");
      for (const some of [{}, { ...GITHUB, GITHUB_CLIENT_ID: "" }, { ...GITHUB, GITHUB_CLIENT_SECRET: " " }])
        expect(await new Visitor(some).read(page)).not.toContain("GitHub");
    }
    const unset = new Visitor();
    expect((await goToGitHub(unset)).href).toBe(`${ORIGIN}/dashboard/sign-in?done=github`);
  });

  it("redirects to GitHub with the client, the callback and a random state", async () => {
    const [first, second] = [await goToGitHub(new Visitor(GITHUB)), await goToGitHub(new Visitor(GITHUB))];
    expect(first.origin + first.pathname).toBe("https://github.com/login/oauth/authorize");
    expect(Object.fromEntries(first.searchParams)).toMatchObject({
      client_id: GITHUB.GITHUB_CLIENT_ID,
      redirect_uri: `${ORIGIN}/dashboard/auth/callback/github`,
      scope: "read:user user:email",
      response_type: "code",
    });
    expect(first.searchParams.get("state")).not.toBe(second.searchParams.get("state"));
    expect(first.href).not.toContain(encodeURIComponent(GITHUB.GITHUB_CLIENT_SECRET));
  });

  it("signs in a new user with a verified address, and the same user again", async () => {
    const user = newUser();
    const { visitor, location } = await signInAs(user, new Visitor(GITHUB), "/dashboard?from=github");
    expect(location).toBe("/dashboard?from=github");
    const page = await visitor.read("/dashboard");
    expect(page).toContain(user.email);
    expect(page).not.toContain("<b>");
    await signInAs({ ...user, name: null });
    expect(await users(user.email)).toBe(1);
    const row = await env.DB.prepare(
      "SELECT u.email_verified AS proven, i.access_token AS token FROM users u JOIN identities i ON i.user_id = u.id WHERE u.email = ?1",
    )
      .bind(user.email)
      .first<{ proven: number; token: string }>();
    expect(row?.proven).toBe(1);
    expect(row?.token).not.toContain(Buffer.from(JSON.stringify({ ...user, name: null })).toString("base64url"));
  });

  it("fails if the state is missing, used or another visitor's", async () => {
    const attacker = new Visitor(GITHUB);
    const github = await goToGitHub(attacker);
    const victim = new Visitor(GITHUB);
    const planted = await comeBack(victim, github, newUser());
    expect(planted.headers.get("location")).toContain("/dashboard/sign-in?done=github");
    expect(await victim.isSignedIn()).toBe(false);
    const visitor = new Visitor(GITHUB);
    const own = await goToGitHub(visitor);
    expect((await comeBack(visitor, own, newUser())).headers.get("location")).toBe("/dashboard");
    visitor.cookies.clear();
    expect((await comeBack(visitor, own, newUser())).headers.get("location")).toContain("done=github");
    for (const query of ["", "?error=access_denied", "?code=x", "?code=x&state=y", "?state="]) {
      const response = await visitor.get(`/dashboard/auth/callback/github${query}`);
      expect([response.status, response.headers.get("location")]).toEqual([
        303,
        expect.stringContaining("done=github"),
      ]);
    }
    expect(await visitor.isSignedIn()).toBe(false);
  });

  it("shows the reason of a failure: access denied, a used code, or an unverified address", async () => {
    const visitor = new Visitor(GITHUB);
    const state = (await goToGitHub(visitor)).searchParams.get("state");
    const denied = await visitor.get(`/dashboard/auth/callback/github?error=access_denied&state=${state}`);
    expect(await visitor.read(denied.headers.get("location") ?? "")).toContain("didn&#39;t allow GitHub");
    const used = (await goToGitHub(visitor)).searchParams.get("state");
    const failed = await visitor.get(`/dashboard/auth/callback/github?code=used&state=${used}`);
    expect(await visitor.read(failed.headers.get("location") ?? "")).toContain("failed. Try again");
    const stranger = newUser({ verified: false });
    const refused = await signInAs(stranger, visitor);
    expect(await visitor.read(refused.location)).toContain("Verify it on GitHub and try again.");
    expect([await users(stranger.email), await visitor.isSignedIn()]).toEqual([0, false]);
  });

  it("creates no user if sign-up is closed, but signs in existing users", async () => {
    const member = newUser();
    await signInAs(member);
    const closed = new Visitor({ ...GITHUB, SIGNUP: "closed" });
    expect((await signInAs(member, closed)).location).toBe("/dashboard");
    const stranger = newUser();
    const visitor = new Visitor({ ...GITHUB, SIGNUP: "closed" });
    const { location } = await signInAs(stranger, visitor);
    expect(await visitor.read(location)).toContain("Sign-up is closed, including sign-up with GitHub.");
    expect([await users(stranger.email), await visitor.isSignedIn()]).toEqual([0, false]);
  });

  it("isn't linked to a user with the same unverified address", async () => {
    const { visitor: first, email } = await signUpBeforeEmail();
    const user = newUser({ email });
    const owner = new Visitor(GITHUB);
    const { location } = await signInAs(user, owner);
    expect(await owner.read(location)).toContain("You signed up with a password");
    expect([await owner.isSignedIn(), await first.isSignedIn()]).toEqual([false, true]);
    await first.post("/dashboard/settings/verify");
    const [sent] = await readEmails(email, 1);
    const token = new URL(toLink(sent), ORIGIN).searchParams.get("token") ?? "";
    expect((await first.post("/dashboard/verify", { token })).headers.get("location")).toContain("done=verified");
    expect((await signInAs(user, owner)).location).toBe("/dashboard");
    expect(await owner.read("/dashboard")).toContain(email);
    // A GitHub account with the same unverified address isn't linked.
    const other = await signInAs(newUser({ email, verified: false }));
    expect(await other.visitor.isSignedIn()).toBe(false);
  });
});
