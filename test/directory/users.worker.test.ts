import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createLink, findUserOfLink, isEmail, type Link } from "../../src/directory/users";
import { toIso } from "../../src/lib/clock";
import { newId } from "../../src/lib/id";
import { DAY_MS } from "../../src/model/limits";
import { listAudit } from "../../src/store/audit";
import { createAccount, ORIGIN } from "../support/client";

const NOW = 1_000_000;

async function create(link: Link, accountId: string | null = null): Promise<URL> {
  return new URL(await createLink(env, { link, origin: ORIGIN, accountId, actor: "me", now: NOW }));
}

async function insertUser(email: string): Promise<string> {
  const id = newId();
  await env.DB.prepare(
    "INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES (?1, 'Ada', ?2, 1, '', '')",
  )
    .bind(id, email)
    .run();
  return id;
}

async function newestLink() {
  const query = "SELECT identifier, value, expires_at, created_at FROM verifications ORDER BY rowid DESC LIMIT 1";
  return await env.DB.prepare(query).first<Record<string, string>>();
}

describe("a link", () => {
  it("to sign in works for a day for the user with this email address", async () => {
    const accountId = await createAccount();
    const email = `Ada-${newId()}@Example.com`;
    const userId = await insertUser(email.toLowerCase());
    const url = await create({ kind: "sign-in", email, name: "Ada" }, accountId);
    expect([url.origin, url.pathname]).toEqual([ORIGIN, "/dashboard/link"]);
    const token = url.searchParams.get("token") ?? "";
    expect(token.length).toBeGreaterThanOrEqual(32);
    const stored = await newestLink();
    expect(stored).toMatchObject({ expires_at: toIso(NOW + DAY_MS), created_at: toIso(NOW) });
    expect(JSON.parse(stored?.value ?? "")).toEqual({ type: "magic-link", email: email.toLowerCase(), name: "Ada" });
    // The database doesn't contain the token.
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(await findUserOfLink(env.DB, token)).toMatchObject({ id: userId });
    expect(await findUserOfLink(env.DB, `${token}x`)).toBeNull();
    const [entry] = await listAudit(env.DB, { accountId, limit: 1, before: null });
    expect(entry).toMatchObject({ actor: "me", action: "link.create", detail: { kind: "sign-in", email }, at: NOW });
  });

  it("to set a password contains the user's id", async () => {
    const [accountId, userId] = [await createAccount(), newId()];
    const url = await create({ kind: "reset", userId }, accountId);
    expect(url.pathname).toBe("/dashboard/reset");
    expect(await newestLink()).toMatchObject({ value: userId });
    expect(await findUserOfLink(env.DB, url.searchParams.get("token") ?? "")).toBeNull();
    const [entry] = await listAudit(env.DB, { accountId, limit: 1, before: null });
    expect(entry).toMatchObject({ detail: { kind: "reset", user: userId } });
  });

  it("has another token each time", async () => {
    const tokens = await Promise.all([1, 2].map(async () => (await create({ kind: "reset", userId: "a" })).search));
    expect(tokens[0]).not.toBe(tokens[1]);
  });

  it("isn't created for an invalid email address", async () => {
    await expect(create({ kind: "sign-in", email: "ada", name: "Ada" })).rejects.toMatchObject({
      ...{ code: "invalid_request", details: [{ path: "email", message: "must be an email address" }] },
    });
  });
});

it.each([
  ["ada@example.com", true],
  ["ada+tag@sub.example.com", true],
  [`${"a".repeat(242)}@example.com`, true],
  [`${"a".repeat(243)}@example.com`, false],
  ["ada", false],
  ["ada@", false],
  ["ada@example", false],
  ["ada lovelace@example.com", false],
  ["", false],
])("%s is an email address: %s", (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});
