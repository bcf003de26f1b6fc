import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { eraseAccount } from "../../src/account/restore-account";
import { changeAccount } from "../../src/directory/accounts";
import { createLink } from "../../src/directory/users";
import { oauthStore } from "../../src/store/namespaces";
import { createClient, ORIGIN, page, randomAddress, read } from "../support/client";
import { accountIdOf, addMember, type SignedUp, signInAsAdmin, signUp, suspend } from "../support/visitor";

const REDIRECT = "https://app.example/callback";
const VERIFIER = "a-verifier-of-at-least-forty-three-characters-long";

async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return Buffer.from(hash).toString("base64url");
}

const fetchOwn = (path: string, init?: RequestInit) => exports.default.fetch(`${ORIGIN}${path}`, init);

// biome-ignore lint/suspicious/noExplicitAny: the tests know the members of each answer.
async function json(response: Response | Promise<Response>): Promise<any> {
  return await (await response).json();
}

async function register(more: object = {}, address = randomAddress()): Promise<Response> {
  const body = { client_name: "Robot", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none", ...more };
  return await fetchOwn("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json", "cf-connecting-ip": address },
    body: JSON.stringify({ grant_types: ["authorization_code", "refresh_token"], ...body }),
  });
}

async function registerClient(more: object = {}): Promise<string> {
  return (await json(register(more))).client_id;
}

async function toPath(clientId: string, more: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: REDIRECT, state: "s" },
    ...{ code_challenge: await challengeOf(VERIFIER), code_challenge_method: "S256", resource: `${ORIGIN}/mcp` },
    ...more,
  });
  return `/dashboard/authorize?${query}`;
}

const ALL = ["scrape", "parse", "serp", "jobs"];

/** Answers the consent page. Returns the URL to which the page leads. */
async function answer({ visitor }: Pick<SignedUp, "visitor">, path: string, fields: object = {}): Promise<URL> {
  const response = await visitor.post(path, { decision: "allow", scopes: ALL, ...fields });
  const target = response.headers.get("location");
  if (target === null) throw new Error(`No consent: status ${response.status}: ${await response.text()}`);
  return new URL(target);
}

async function getTokens(fields: Record<string, string>): Promise<Response> {
  return await fetchOwn("/oauth/token", { method: "POST", body: new URLSearchParams(fields) });
}

interface Connection {
  clientId: string;
  access: string;
  refresh: string;
  scope: string;
}

/** Connects an application: registration, consent and tokens. */
async function connect(user: SignedUp, fields: object = {}, clientId?: string): Promise<Connection> {
  const id = clientId ?? (await registerClient());
  const code = (await answer(user, await toPath(id), fields)).searchParams.get("code") ?? "";
  const response = await getTokens({
    ...{ grant_type: "authorization_code", code, client_id: id, redirect_uri: REDIRECT, code_verifier: VERIFIER },
  });
  const { access_token, refresh_token, scope } = await json(response);
  return { clientId: id, access: access_token, refresh: refresh_token, scope };
}

async function refresh({ clientId, refresh: token }: Connection): Promise<Response> {
  return await getTokens({ grant_type: "refresh_token", refresh_token: token, client_id: clientId });
}

async function callMcp(token: string | null, method = "tools/list", params: object = {}): Promise<Response> {
  return await fetchOwn("/mcp", {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

async function listTools(token: string): Promise<string[]> {
  return (await json(callMcp(token))).result.tools.map(({ name }: { name: string }) => name);
}

describe("discovery", () => {
  it("leads from a request without a key to the authorization server", async () => {
    const response = await callMcp(null);
    expect(response.status).toBe(401);
    const url = /^Bearer resource_metadata="(.*)"$/.exec(response.headers.get("www-authenticate") ?? "")?.[1];
    expect(url).toBe(`${ORIGIN}/.well-known/oauth-protected-resource/mcp`);
    const resource = await json(fetchOwn("/.well-known/oauth-protected-resource/mcp"));
    expect(resource).toMatchObject({ resource: `${ORIGIN}/mcp`, authorization_servers: [ORIGIN] });
    expect(await json(fetchOwn("/.well-known/oauth-authorization-server"))).toMatchObject({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/dashboard/authorize`,
      registration_endpoint: `${ORIGIN}/oauth/register`,
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
    });
  });

  it("says that a token isn't valid", async () => {
    const user = await signUp();
    const forged = (await connect(user)).access.replace(/.$/, (last) => (last === "x" ? "y" : "x"));
    for (const token of [forged, "any.nobody:x:y", "eu.nobody:x:y", "::", "nonsense"]) {
      const response = await callMcp(token);
      expect([token, response.status]).toEqual([token, 401]);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token", resource_metadata=/);
    }
  });
});

describe("a connection", () => {
  it("can use the tools of its scopes, and no other part of the service", async () => {
    const user = await signUp();
    const { access, scope } = await connect(user, { scopes: ["scrape"] });
    expect(scope).toBe("scrape");
    const names = await listTools(access);
    expect(names).toContain("scrape");
    expect(names).not.toContain("serp");
    const { result } = await json(callMcp(access, "tools/call", { name: "serp", arguments: { query: "x" } }));
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("insufficient_scope") }] });
    const headers = { authorization: `Bearer ${access}` };
    expect((await fetchOwn("/v1/usage", { headers })).status).toBe(401);
    expect((await fetchOwn("/dashboard/keys", { headers, redirect: "manual" })).status).toBe(303);
  });

  it("spends at most its credit limit", async () => {
    const { access } = await connect(await signUp(), { credit_limit: "1" });
    const scrape = async () => {
      const args = { name: "scrape", arguments: { url: page("article") } };
      return JSON.stringify((await json(callMcp(access, "tools/call", args))).result);
    };
    expect(await scrape()).toContain("untrusted-content");
    expect(await scrape()).toContain("insufficient_credits");
  });

  it("gets new tokens, and an old refresh token ends with the next one", async () => {
    const first = await connect(await signUp());
    const second = { ...first, refresh: (await json(refresh(first))).refresh_token };
    expect((await refresh(second)).status).toBe(200);
    const again = await refresh(first);
    expect([again.status, (await json(again)).error]).toEqual([400, "invalid_grant"]);
  });

  it("ends when its client revokes a token, together with its key", async () => {
    const user = await signUp();
    const connection = await connect(user);
    expect(await user.visitor.read("/dashboard/keys")).toContain("Connected applications");
    const { refresh: token, clientId, access } = connection;
    expect((await getTokens({ token, client_id: clientId })).status).toBe(200);
    expect((await callMcp(access)).status).toBe(401);
    expect((await json(refresh(connection))).error).toBe("invalid_grant");
    expect(await user.visitor.read("/dashboard/keys")).not.toContain("Connected applications");
  });

  it("is listed by its name and host, and ends when the user disconnects it", async () => {
    const user = await signUp();
    const connection = await connect(user, {}, await registerClient({ client_name: "<b>Wanderer</b>" }));
    const html = await user.visitor.read("/dashboard/keys");
    expect(html).toContain("&lt;b&gt;Wanderer&lt;/b&gt;");
    expect(html).toContain("app.example");
    const path = /action="(\/dashboard\/keys\/[\w-]+\/revoke)"/.exec(html)?.[1] ?? "";
    expect((await user.visitor.post(path)).status).toBe(303);
    expect((await callMcp(connection.access)).status).toBe(401);
    expect((await json(refresh(connection))).error).toBe("invalid_grant");
  });

  it("has the scopes of its token, which a refresh can narrow", async () => {
    const { clientId: client_id, refresh: refresh_token } = await connect(await signUp());
    const response = await getTokens({ grant_type: "refresh_token", refresh_token, client_id, scope: "jobs" });
    const { access_token } = await json(response);
    expect(await listTools(access_token)).not.toContain("scrape");
  });

  it("survives the suspension of its account", async () => {
    const user = await signUp();
    const connection = await connect(user);
    await suspend(user);
    expect((await json(refresh(connection))).error).toBe("temporarily_unavailable");
    const accountId = await accountIdOf(user);
    await changeAccount(env, { accountId, change: { suspendedAt: null }, actor: "operator", now: Date.now() });
    expect((await refresh(connection)).status).toBe(200);
  });

  it("of a member ends when the member leaves, and no other member's does", async () => {
    const owner = await signUp();
    const accountId = await accountIdOf(owner);
    const member = await addMember(accountId, "member");
    const clientId = await registerClient();
    const own = await connect(owner, {}, clientId);
    const left = await connect(member, { account_id: accountId }, clientId);
    expect((await callMcp(own.access)).status).toBe(200);
    expect((await member.visitor.post("/dashboard/account/leave")).status).toBe(303);
    expect((await callMcp(left.access)).status).toBe(401);
    expect((await callMcp(own.access)).status).toBe(200);
  });

  it("ends when the same application connects again", async () => {
    const user = await signUp();
    const first = await connect(user);
    const second = await connect(user, {}, first.clientId);
    expect((await callMcp(first.access)).status).toBe(401);
    expect(await listTools(second.access)).toContain("scrape");
  });

  it("ends with its account, whose store is emptied", async () => {
    const user = await signUp();
    const { access } = await connect(user);
    const accountId = await accountIdOf(user);
    await eraseAccount(env, { accountId, actor: "operator" });
    expect((await callMcp(access)).status).toBe(401);
    expect(await oauthStore(env, { id: accountId, jurisdiction: null }).list("")).toEqual([]);
  });

  it("ends if its client never fetches the tokens", async () => {
    const user = await signUp();
    await answer(user, await toPath(await registerClient()));
    const store = oauthStore(env, { id: await accountIdOf(user), jurisdiction: null });
    await runInDurableObject(store, (_, { storage }) => {
      storage.sql.exec("UPDATE entries SET expires_at = 1");
    });
    await runDurableObjectAlarm(store);
    expect(await store.list("")).toEqual([]);
    expect(await user.visitor.read("/dashboard/keys")).not.toContain("Connected applications");
  });

  it("doesn't count toward the keys of the plan, but there are at most 10", async () => {
    const user = await signUp();
    for (let i = 0; i < 10; i++) await connect(user);
    expect(await user.visitor.read("/dashboard/keys")).toContain("No API keys yet");
    const path = await toPath(await registerClient());
    const response = await user.visitor.post(path, { decision: "allow", scopes: ALL });
    expect(await response.text()).toContain("allows 10 connected applications.");
  });

  it("has a key that can't be rotated", async () => {
    const user = await signUp();
    await connect(user);
    const html = await user.visitor.read("/dashboard/keys");
    const path = /\/dashboard\/keys\/[\w-]+(?=\/revoke)/.exec(html)?.[0];
    const response = await user.visitor.post(`${path}/rotate`, { grace_period_s: "0" });
    expect(await response.text()).toContain("can&#39;t be rotated");
  });
});

describe("the consent page", () => {
  it("requires a sign-in, and returns to the request, also after a sign-in with a link", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const visitor = await signInAsAdmin(email);
    visitor.cookies.clear();
    const path = await toPath(await registerClient());
    expect((await visitor.get(path)).headers.get("location")).toBe(`/dashboard/sign-in?to=${encodeURIComponent(path)}`);
    const link = { kind: "sign-in" as const, email, name: email };
    const url = await createLink(env, { link, origin: ORIGIN, accountId: null, actor: "operator", now: Date.now() });
    const token = new URL(url).searchParams.get("token") ?? "";
    const response = await visitor.post("/dashboard/link", { token });
    expect([response.status, response.headers.get("location")]).toEqual([303, path]);
  });

  it("requires a recent sign-in", async () => {
    const { visitor, email } = await signUp();
    const long = new Date(Date.now() - 9 * 3_600_000).toISOString();
    await env.DB.prepare("UPDATE sessions SET created_at = ?1 WHERE user_id = (SELECT id FROM users WHERE email = ?2)")
      .bind(long, email)
      .run();
    const path = await toPath(await registerClient());
    expect(await visitor.read(path)).toContain("Sign in again");
    const response = await visitor.post(path, { decision: "allow", scopes: ALL });
    expect(response.headers.get("location")).toBeNull();
    const out = await visitor.post("/dashboard/sign-out", { to: path });
    expect(out.headers.get("location")).toBe(`/dashboard/sign-in?to=${encodeURIComponent(path)}`);
    expect(await visitor.isSignedIn()).toBe(false);
  });

  it("names the application, the receiver and the scopes, and can't be framed", async () => {
    const { visitor } = await signUp();
    const response = await visitor.get(await toPath(await registerClient({ client_name: "<i>Evil</i>" })));
    const html = await response.text();
    for (const text of ["&lt;i&gt;Evil&lt;/i&gt;", "app.example", 'value="parse"', "Credit limit"])
      expect(html).toContain(text);
    expect(html).not.toContain("on your computer");
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain("frame-ancestors 'none'");
    // Browsers refuse redirects of forms to other sites.
    expect(policy).toContain("form-action 'self' https://github.com * https:;");
  });

  it("shows the whole address of a program, whatever name it has", async () => {
    const redirect_uri = "evil-app://claude.ai/callback";
    const id = await registerClient({ client_name: "\u202eClaude", redirect_uris: [redirect_uri] });
    const { visitor } = await signUp();
    const html = await visitor.read(await toPath(id, { redirect_uri }));
    expect(html).toContain(redirect_uri);
    expect(html).not.toContain("\u202e");
    expect(html).toContain("on your computer");
  });

  it("warns about an application on the user's computer", async () => {
    const redirect_uris = ["http://127.0.0.1:1/callback"];
    const id = await registerClient({ redirect_uris });
    const { visitor } = await signUp();
    // RFC 8252: the port may differ.
    const html = await visitor.read(await toPath(id, { redirect_uri: "http://127.0.0.1:5555/callback" }));
    expect(html).toContain("127.0.0.1:5555");
    expect(html).toContain("on your computer");
  });

  it("tells the application that the user gave no access", async () => {
    const url = await answer(await signUp(), await toPath(await registerClient()), { decision: "deny" });
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error: "access_denied", state: "s", iss: ORIGIN });
  });

  it.each([
    ["an unknown client", { client_id: "nobody" }],
    ["another redirect address", { redirect_uri: "https://evil.example/callback" }],
    ["a longer redirect address", { redirect_uri: `${REDIRECT}/more` }],
    ["no redirect address", { redirect_uri: "" }],
  ])("shows an error and doesn't redirect for %s", async (_, more) => {
    const { visitor } = await signUp();
    const path = await toPath(await registerClient(), more);
    for (const response of [await visitor.get(path), await visitor.post(path, { decision: "allow", scopes: ALL })]) {
      expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    }
  });

  it.each([
    ["no PKCE", { code_challenge: "" }, "invalid_request"],
    ["the method plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
  ])("shows an error for %s, with a link that tells the client", async (_, more, error) => {
    const { visitor } = await signUp();
    const confidential = { token_endpoint_auth_method: "client_secret_post" };
    for (const id of [await registerClient(), await registerClient(confidential)]) {
      const response = await visitor.get(await toPath(id, more));
      expect([response.status, response.headers.get("location")]).toEqual([400, null]);
      const link = /href="(https:\/\/app\.example[^"]*)"/.exec(await response.text())?.[1] ?? "";
      const sent = Object.fromEntries(new URL(link.replaceAll("&amp;", "&")).searchParams);
      expect(sent).toMatchObject({ error, state: "s", iss: ORIGIN });
    }
  });

  it("is refused if another site sends the form", async () => {
    const { visitor } = await signUp();
    const path = await toPath(await registerClient());
    const response = await visitor.post(path, { decision: "allow", scopes: ALL }, { origin: "https://evil.example" });
    expect(response.status).toBe(403);
  });

  it("connects another account of the user, if the user's role allows it", async () => {
    const owner = await signUp();
    const accountId = await accountIdOf(owner);
    for (const [role, allowed] of [
      ["read_only", false],
      ["member", true],
    ] as const) {
      const user = await addMember(accountId, role);
      const path = await toPath(await registerClient());
      const response = await user.visitor.post(path, { decision: "allow", scopes: ALL, account_id: accountId });
      expect([role, response.headers.get("location") !== null]).toEqual([role, allowed]);
    }
    expect(await owner.visitor.read("/dashboard/keys")).toContain("Robot");
    const stranger = await signUp();
    const path = await toPath(await registerClient());
    const response = await stranger.visitor.post(path, { decision: "allow", scopes: ALL, account_id: accountId });
    expect(response.headers.get("location")).toBeNull();
  });
});

describe("tokens", () => {
  it.each([
    ["a wrong verifier", { code_verifier: "x".repeat(43) }],
    ["another redirect address", { redirect_uri: "https://evil.example/callback" }],
  ])("aren't given for %s", async (_, more) => {
    const client_id = await registerClient();
    const code = (await answer(await signUp(), await toPath(client_id))).searchParams.get("code") ?? "";
    const fields = { grant_type: "authorization_code", code, client_id, redirect_uri: REDIRECT };
    const response = await getTokens({ ...fields, code_verifier: VERIFIER, ...more });
    expect([response.status, (await json(response)).error]).toEqual([400, "invalid_grant"]);
  });

  it("are given once for a code that several requests use at the same time", async () => {
    const client_id = await registerClient();
    const code = (await answer(await signUp(), await toPath(client_id))).searchParams.get("code") ?? "";
    const fields = { code, client_id, redirect_uri: REDIRECT, code_verifier: VERIFIER };
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => getTokens({ grant_type: "authorization_code", ...fields })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it("are given for a code that was refused while the account was suspended", async () => {
    const user = await signUp();
    const client_id = await registerClient();
    const code = (await answer(user, await toPath(client_id))).searchParams.get("code") ?? "";
    const fields = { code, client_id, redirect_uri: REDIRECT, code_verifier: VERIFIER };
    await suspend(user);
    const refused = await json(getTokens({ grant_type: "authorization_code", ...fields }));
    expect(refused.error).toBe("temporarily_unavailable");
    const accountId = await accountIdOf(user);
    await changeAccount(env, { accountId, change: { suspendedAt: null }, actor: "operator", now: Date.now() });
    const { access_token } = await json(getTokens({ grant_type: "authorization_code", ...fields }));
    expect((await callMcp(access_token)).status).toBe(200);
  });

  it("are given once for a code, and end if the code is used again", async () => {
    const client_id = await registerClient();
    const code = (await answer(await signUp(), await toPath(client_id))).searchParams.get("code") ?? "";
    const fields = {
      grant_type: "authorization_code",
      code,
      client_id,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
    };
    const { access_token } = await json(getTokens(fields));
    expect((await callMcp(access_token)).status).toBe(200);
    expect((await json(getTokens(fields))).error).toBe("invalid_grant");
    expect((await callMcp(access_token)).status).toBe(401);
  });

  it("aren't given to an unknown client, which learns that it must register again", async () => {
    const response = await getTokens({ grant_type: "refresh_token", refresh_token: "any.a:b:c", client_id: "nobody" });
    expect((await json(response)).error).toBe("invalid_client");
  });
});

describe("the registration of a client", () => {
  it.each([
    ["no redirect address", { redirect_uris: [] }],
    ["a script", { redirect_uris: ["javascript:alert(1)"] }],
    ["http on another host", { redirect_uris: ["http://evil.example/callback"] }],
  ])("is refused with %s", async (_, more) => {
    const response = await register(more);
    expect([response.status, (await json(response)).error]).toEqual([400, "invalid_client_metadata"]);
  });

  it("is limited to 10 an hour for each network", async () => {
    const address = randomAddress();
    for (let i = 0; i < 10; i++) expect((await register({}, address)).status).toBe(201);
    expect((await register({}, address)).status).toBe(429);
    expect((await register({}, randomAddress())).status).toBe(201);
  });

  it("is deleted after a day if no user has connected the client", async () => {
    const store = oauthStore(env, "clients");
    const [unused, used] = [await registerClient(), await registerClient()];
    await connect(await signUp(), {}, used);
    const ends = await runInDurableObject(store, (_, { storage }) => {
      const rows = storage.sql
        .exec<{ key: string; expires_at: number }>("SELECT key, expires_at FROM entries")
        .toArray();
      return new Map(rows.map(({ key, expires_at }) => [key, (expires_at - Date.now()) / 86_400_000]));
    });
    expect(ends.get(`client:${unused}`)).toBeLessThanOrEqual(1);
    expect(ends.get(`client:${used}`)).toBeGreaterThan(300);
  });
});

it("an API key works as before", async () => {
  const { secret } = await createClient();
  expect(await listTools(secret)).toContain("scrape");
  expect(await read(await callMcp(secret))).toHaveProperty("result");
});
