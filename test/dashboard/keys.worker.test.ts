import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ORIGIN } from "../support/client";
import { accountIdOf, signUp, suspend, Visitor } from "../support/visitor";

const FORM = { name: "nightly prices", mode: "live", scopes: ["scrape", "jobs"], allowed_ips: "" };

/** Creates a key and returns its secret from the page of the response. */
async function create(visitor: Visitor, fields: Record<string, string | string[]> = {}): Promise<string> {
  const response = await visitor.post("/dashboard/keys/new", { ...FORM, ...fields });
  const secret = /sk_(?:live|test)_\w{38}/.exec(await response.text())?.[0];
  if (response.status !== 200 || secret === undefined) throw new Error(`No key was made: status ${response.status}.`);
  return secret;
}

/** Returns the path that revokes the first key in the list. */
async function readRevocation(visitor: Visitor): Promise<string> {
  const path = /\/dashboard\/keys\/[\w-]+\/revoke/.exec(await visitor.read("/dashboard/keys"))?.[0];
  if (path === undefined) throw new Error("No key that can be revoked is listed.");
  return path;
}

async function call(secret: string, path = "/v1/jobs", headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(`${ORIGIN}${path}`, {
    headers: { authorization: `Bearer ${secret}`, ...headers },
  });
  return { status: response.status, code: (await response.json<{ error?: { code: string } }>()).error?.code };
}

describe("creating a key", () => {
  it("shows the secret once, with a complete example request", async () => {
    const { visitor } = await signUp();
    expect(await visitor.read("/dashboard/keys")).toContain("No API keys yet");
    const response = await visitor.post("/dashboard/keys/new", FORM);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const html = await response.text();
    const secret = /sk_live_\w{38}/.exec(html)?.[0] ?? "";
    expect(html).toContain("won&#39;t be shown again");
    expect(html).toContain("If you lose the key, revoke it and create another.");
    expect(html).toContain(`curl &#39;${ORIGIN}/v1/scrape?wait=true&#39;`);
    expect(html).toContain(`Authorization: Bearer ${secret}`);
    expect(html).toContain('href="/dashboard/playground"');
    expect(html).toContain(`web ${ORIGIN}/mcp --header &quot;Authorization: Bearer ${secret}&quot;`);
    expect(await call(secret)).toEqual({ status: 200, code: undefined });

    const listed = await visitor.read("/dashboard/keys");
    expect(listed).toContain("nightly prices");
    expect(listed).toContain(`${secret.slice(0, 12)}…${secret.slice(-4)}`);
    expect(listed).toMatch(/You have 1 active key\. .{0,60} plan allows 3\./);
    expect(listed).not.toContain(secret);
    expect(listed).toContain("Authorization: Bearer sk_live_…");
  });

  it("grants the selected mode, scopes and allowed IPs", async () => {
    const { visitor } = await signUp();
    const secret = await create(visitor, {
      mode: "test",
      scopes: "jobs",
      allowed_ips: "203.0.113.9/24\r\n2001:db8::/32",
    });
    expect(secret).toMatch(/^sk_test_/);
    const inside = { "cf-connecting-ip": "203.0.113.200" };
    expect(await call(secret, "/v1/jobs", inside)).toMatchObject({ status: 200 });
    expect(await call(secret, "/v1/keys", inside)).toEqual({ status: 403, code: "insufficient_scope" });
    expect(await call(secret, "/v1/jobs", { "cf-connecting-ip": "198.51.100.1" })).toEqual({
      status: 403,
      code: "ip_not_allowed",
    });
    const listed = await visitor.read("/dashboard/keys");
    expect(listed).toContain("203.0.113.0/24\n2001:db8::/32");
  });

  it("refuses what the API refuses, with an error at each field, and keeps the entered values", async () => {
    const { visitor } = await signUp();
    const response = await visitor.post("/dashboard/keys/new", {
      name: "x".repeat(101),
      mode: "test",
      allowed_ips: "203.0.113.0/24\nnonsense",
      credit_limit: "many",
    });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain('role="alert">Please fix the highlighted fields.<');
    expect(html).toMatch(/id="problem-credit_limit">Must be a whole number [^<]*, not &#39;many&#39;\.</);
    expect(html).toContain("Must have at most 100 characters.");
    expect(html).toContain("Must name at least one scope.");
    expect(html).toMatch(/Must be an address range in CIDR form[^<]*, not &#39;nonsense&#39;\./);
    expect(html).toContain(`value="${"x".repeat(101)}"`);
    expect(html).toMatch(/value="test" checked/);
    expect(html).toContain("203.0.113.0/24\nnonsense</textarea>");
    expect(await visitor.read("/dashboard/keys")).toContain("No API keys yet");
  });

  it("is refused at the plan's limit until a key is revoked", async () => {
    const { visitor } = await signUp();
    for (let i = 0; i < 3; i++) await create(visitor);
    const refused = await visitor.post("/dashboard/keys/new", FORM);
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining("allows 3 active keys")]);
    await visitor.post(await readRevocation(visitor));
    expect(await create(visitor)).toMatch(/^sk_live_/);
  });

  it("is refused for a suspended account", async () => {
    const user = await signUp();
    await user.visitor.read("/dashboard/keys");
    await suspend(user);
    const refused = await user.visitor.post("/dashboard/keys/new", FORM);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("suspended")]);
    expect(await user.visitor.read("/dashboard/keys")).toContain("No API keys yet");
  });

  it("escapes the name", async () => {
    const { visitor } = await signUp();
    const name = '"><script>alert(1)</script>';
    await create(visitor, { name });
    const pages = [await visitor.read("/dashboard/keys"), await visitor.read(await readRevocation(visitor))];
    for (const html of pages) {
      expect(html).not.toContain("<script>alert");
      expect(html).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    }
  });
});

describe("revoking a key", () => {
  it("requires a confirmation and applies from the next request", async () => {
    const { visitor } = await signUp();
    const secret = await create(visitor);
    const path = await readRevocation(visitor);
    const question = await visitor.read(path);
    expect(question).toContain("Revoke nightly prices?");
    expect(question).toContain(`<form method="post" action="${path}"`);
    expect(question).not.toContain("0 unfinished jobs");
    expect(await call(secret)).toMatchObject({ status: 200 });

    const revoked = await visitor.post(path);
    expect([revoked.status, revoked.headers.get("location")]).toEqual([
      303,
      "/dashboard/keys?done=revoked&cancelled=0",
    ]);
    expect(await call(secret)).toEqual({ status: 401, code: "revoked_api_key" });
    const listed = await visitor.read("/dashboard/keys?done=revoked&cancelled=0");
    expect(listed).toContain("The key was revoked.");
    expect(listed).not.toContain("canceled");
    expect(listed).toContain('role="status"');
    expect(listed).toMatch(/You have 0 active keys\. .{0,60} plan allows 3\./);
    expect(listed).not.toContain(path);
    expect((await visitor.get(path)).headers.get("location")).toBe("/dashboard/keys");
  });

  it("is possible only in the key's account", async () => {
    const { visitor } = await signUp();
    const secret = await create(visitor);
    const path = await readRevocation(visitor);
    const { visitor: other } = await signUp();
    expect((await other.get(path)).status).toBe(404);
    expect((await other.post(path)).status).toBe(404);
    expect(await other.read("/dashboard/keys")).not.toContain("nightly prices");
    const stranger = await new Visitor().post(path);
    expect(stranger.status).toBe(401);
    const elsewhere = await visitor.post(path, {}, { origin: "https://elsewhere.example" });
    expect(elsewhere.status).toBe(403);
    expect(await call(secret)).toMatchObject({ status: 200 });
  });
});

describe("changing a key", () => {
  const pathOf = async (visitor: Visitor) => (await readRevocation(visitor)).replace(/\/revoke$/, "");

  it("shows the present values, and saves the new ones", async () => {
    const { visitor } = await signUp();
    const secret = await create(visitor, { expires_at: "2099-01-31", credit_limit: "1,000" });
    const path = await pathOf(visitor);
    const form = await visitor.read(path);
    expect(form).toContain('value="2099-01-31"');
    expect(form).toContain('value="1000"');
    expect(form).not.toContain('type="radio" name="mode"');
    const fields = { ...FORM, name: "daily", scopes: "keys", expires_at: "", credit_limit: "5" };
    expect((await visitor.post(path, fields)).headers.get("location")).toBe("/dashboard/keys?done=changed");
    expect(await call(secret)).toEqual({ status: 403, code: "insufficient_scope" });
    const listed = await visitor.read("/dashboard/keys?done=changed");
    for (const text of ["daily", "0 of 5 credits", "The key was changed."]) expect(listed).toContain(text);
    expect(listed).not.toContain("Expires ");
  });

  it("refuses what the API refuses, with an error at each field", async () => {
    const { visitor } = await signUp();
    await create(visitor);
    const path = await pathOf(visitor);
    for (const [field, value] of [
      ["expires_at", "2020-01-01"],
      ["credit_limit", "many"],
      ["credit_limit", "0"],
      ["allowed_ips", "somewhere"],
    ] as const) {
      const response = await visitor.post(path, { ...FORM, [field]: value });
      expect([field, response.status]).toEqual([field, 400]);
      expect(await response.text()).toContain(`id="problem-${field}"`);
    }
  });

  it("of another account isn't possible", async () => {
    const [{ visitor }, { visitor: stranger }] = [await signUp(), await signUp()];
    await create(visitor);
    const path = await pathOf(visitor);
    for (const to of [path, `${path}/rotate`]) {
      expect((await stranger.get(to)).status).toBe(404);
      expect((await stranger.post(to, FORM)).status).toBe(404);
    }
  });
});

it("the form of a new key has its credit limit again if a test key can't have one", async () => {
  const { visitor } = await signUp();
  const response = await visitor.post("/dashboard/keys/new", { ...FORM, mode: "test", credit_limit: "5" });
  expect([response.status, (await response.text()).includes('id="problem-credit_limit"')]).toEqual([400, true]);
});

it("the list of keys has the actions of active keys only", async () => {
  const user = await signUp();
  await create(user.visitor);
  const isListed = async (status: string) => {
    const page = await user.visitor.read("/dashboard/keys");
    return [page.includes(`${status}</span>`), /\/dashboard\/keys\/[\w-]+\/(?:rotate|revoke)/.test(page)];
  };
  expect(await isListed("active")).toEqual([true, true]);
  await env.DB.prepare("UPDATE api_keys SET expires_at = ?2 WHERE account_id = ?1")
    .bind(await accountIdOf(user), Date.now() - 1_000)
    .run();
  expect(await isListed("expired")).toEqual([true, false]);
});

describe("rotating a key", () => {
  it("shows the new secret once, and the previous secret works for the selected time", async () => {
    const { visitor } = await signUp();
    const secret = await create(visitor);
    const path = (await readRevocation(visitor)).replace(/\/revoke$/, "/rotate");
    expect(await visitor.read(path)).toContain("Keep the current secret for");
    const page = await (await visitor.post(path, { grace_period_s: "3600" })).text();
    const rotated = /sk_live_\w{38}/.exec(page)?.[0] ?? "";
    expect(rotated).not.toBe(secret);
    expect(page).toContain("The previous secret works until");
    expect([await call(secret), await call(rotated)]).toEqual([{ status: 200 }, { status: 200 }]);
    expect(await visitor.read("/dashboard/keys")).toContain("Previous secret expires");
    const again = await (await visitor.post(path, { grace_period_s: "0" })).text();
    expect(await call(rotated)).toEqual({ status: 401, code: "expired_api_key" });
    expect(await call(/sk_live_\w{38}/.exec(again)?.[0] ?? "")).toEqual({ status: 200 });
  });
});
