import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { resealAccount } from "../../src/jobs/reseal";
import { openSecrets, sealSecrets } from "../../src/jobs/secrets";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { createEndpoint, openEndpoint } from "../../src/webhooks/endpoints";
import { openSigningSecrets, readSettings, rotate } from "../../src/webhooks/settings";
import { newJob, openObject, sqlIn, stubOf } from "../support/account";
import { call } from "../support/admin";
import { createAccount, ORIGIN, refOf } from "../support/client";
import { createBatch } from "../support/stored-batch";
import { receiver } from "../support/webhooks";

const now = Date.now();
const OLD = "the key before this one";
/** The environments before and during the rotation. After the rotation, the service has only the current key. */
const before = { ...env, ENCRYPTION_KEY: OLD };
const during = { ...env, ENCRYPTION_KEY_PREVIOUS: OLD };

const SECRETS = JSON.stringify([[["headers", "X-Api-Key"], "marked-header"]]);
const REQUEST = { headers: { "X-Api-Key": "[redacted]" } };
const OPENED = { headers: { "X-Api-Key": "marked-header" } };

async function sealedIn(account: AccountRef, table: string): Promise<string[]> {
  return (await sqlIn(account, `SELECT secrets FROM ${table}`)).map((row) => String(row.secrets));
}

describe("after a change of ENCRYPTION_KEY, an account", () => {
  it("gets webhook secrets that the new key decrypts, and the receivers' secrets stay the same", async () => {
    const owner = { account: await openObject(), mode: "live" as const };
    const previous = await readSettings(before, owner, now);
    const { secret } = await rotate(before, owner, now);
    const endpoint = await createEndpoint(before, owner, {
      url: receiver("ok"),
      events: null,
      origin: ORIGIN,
      now,
    });
    expect((await readSettings(during, owner, now)).secret).toBe(secret);
    expect(await resealAccount(during, owner.account)).toEqual({ resealed: 3, unreadable: 0 });
    expect((await readSettings(env, owner, now)).secret).toBe(secret);
    expect((await openEndpoint(env, owner, endpoint.id, now)).secret).toBe(endpoint.secret);
    const [row] = await sqlIn(
      owner.account,
      "SELECT secret, previous_secret AS previousSecret FROM webhooks WHERE id = 'default'",
    );
    expect(await openSigningSecrets(env, owner, row as { secret: string; previousSecret: string })).toEqual({
      current: secret,
      previous: previous.secret,
    });
    expect(await resealAccount(during, owner.account)).toEqual({ resealed: 0, unreadable: 0 });
  });

  it("gets secrets of unfinished jobs and batches that the new key decrypts", async () => {
    const account = await openObject();
    const job = newJob(account);
    await stubOf(account).createJob({ ...job, secrets: await sealSecrets(before, job, SECRETS) });
    const key = { mode: "test" as const, id: newTaggedId(account.tag) };
    const sealed = await sealSecrets(before, key, SECRETS);
    await createBatch(account, ["https://a.example/", "https://b.example/"], { ...key, secrets: sealed });
    const [started = ""] = await sqlIn(account, "SELECT id FROM jobs WHERE batch_id IS NOT NULL").then((rows) =>
      rows.map((row) => String(row.id)),
    );
    const done = await resealAccount(during, account);
    expect(done?.unreadable).toBe(0);
    const [ofBatch = ""] = await sealedIn(account, "batches");
    expect(await openSecrets(env, key, REQUEST, ofBatch)).toEqual(OPENED);
    const rows = await sqlIn(account, "SELECT id, secrets FROM jobs WHERE secrets IS NOT NULL");
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([job.id]));
    for (const { id, secrets } of rows)
      expect(await openSecrets(env, id === job.id ? job : key, REQUEST, String(secrets))).toEqual(OPENED);
    expect(started === "" || rows.some(({ id }) => id === started)).toBe(true);
  });

  it("keeps values that no key decrypts, and they are counted", async () => {
    const lines = vi.spyOn(console, "log").mockImplementation(() => {});
    const owner = { account: await openObject(), mode: "live" as const };
    await readSettings({ ...env, ENCRYPTION_KEY: "a key that nobody has" }, owner, now);
    const stored = await sqlIn(owner.account, "SELECT * FROM webhooks");
    expect(await resealAccount(during, owner.account)).toEqual({ resealed: 0, unreadable: 1 });
    lines.mockRestore();
    expect(await sqlIn(owner.account, "SELECT * FROM webhooks")).toEqual(stored);
  });

  it("that doesn't exist is skipped", async () => {
    const account = { id: "unknown", tag: "0000000000", object: crypto.randomUUID(), jurisdiction: null };
    expect(await resealAccount(during, account)).toBeNull();
  });
});

it("the admin API encrypts the secrets of all accounts, page by page", async () => {
  const id = await createAccount();
  const account = await refOf(id);
  await readSettings(env, { account, mode: "live" }, now);
  // All ids are UUIDs, so with this `after`, the list begins with this account.
  const { status, data } = await call("POST", "/reseal", { after: id.slice(0, -1) });
  expect(status).toBe(200);
  expect(data).toMatchObject({ accounts: expect.any(Number), resealed: 0, unreachable: [] });
  expect(data.accounts).toBeGreaterThan(0);
  const last = await call("POST", "/reseal", { after: "~" });
  expect(last.data).toMatchObject({ accounts: 0, next: null, two_factor: { resealed: expect.any(Number) } });
});
