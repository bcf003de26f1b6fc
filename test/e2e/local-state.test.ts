import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  LOCAL_KEYS_SQL,
  type LocalKeyRow,
  type LocalSecrets,
  localAccountStatements,
  openStateFolder,
  readAdminToken,
  readLocalAdmin,
  readSecrets,
  renewRevokedSecrets,
  toIsRevoked,
  writeServiceUrl,
} from "../../scripts/local-state.ts";
import { hashFirstTables, readMigrations } from "../../scripts/migrations.ts";

const MIGRATIONS = readMigrations(resolve(import.meta.dirname, "../.."));

let stateFolder: string;
let db: DatabaseSync;

beforeEach(() => {
  stateFolder = mkdtempSync(join(tmpdir(), "local-state-"));
  db = openDatabase();
});
afterEach(() => {
  db.close();
  rmSync(stateFolder, { recursive: true });
});

function openDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const { sql } of MIGRATIONS) database.exec(sql);
  return database;
}

/** Prepares the secrets and the database as `npm start` does. Returns the printed secrets. */
function start(): LocalSecrets {
  const rows = db.prepare(LOCAL_KEYS_SQL).all() as unknown as LocalKeyRow[];
  const secrets = renewRevokedSecrets(stateFolder, readSecrets(stateFolder), toIsRevoked(rows));
  db.exec(localAccountStatements({ secrets, ratePerMinute: 600, linkToken: null }).join("\n"));
  return secrets;
}

function toHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function keys() {
  const rows = db.prepare("SELECT id, hash, mode, revoked_at FROM api_keys ORDER BY created_at, rowid").all();
  return rows as unknown as { id: string; hash: string; mode: string; revoked_at: number | null }[];
}

/** Returns true if the service would accept this API key. */
function isActive(secret: string): boolean {
  return keys().some(({ hash, revoked_at }) => hash === toHash(secret) && revoked_at === null);
}

function revoke(id: string): void {
  db.prepare("UPDATE api_keys SET revoked_at = 1 WHERE id = ?").run(id);
}

describe("npm start", () => {
  it("keeps its secrets while their keys are active", () => {
    const first = start();
    expect(start()).toEqual(first);
    expect(keys().map(({ id }) => id)).toEqual(["local-live", "local-test"]);
    expect([isActive(first.live), isActive(first.test)]).toEqual([true, true]);
  });

  it("replaces a revoked key with a new one and keeps the revoked one in the list", () => {
    const first = start();
    revoke("local-test");
    const second = start();
    expect(second).toEqual({ ...first, test: second.test });
    expect(second.test).toMatch(/^sk_test_\w{38}$/);
    expect(second.test).not.toBe(first.test);
    expect([isActive(second.test), isActive(first.test)]).toEqual([true, false]);
    const id = `local-test-${toHash(second.test).slice(0, 8)}`;
    expect(keys().map((key) => [key.id, key.revoked_at === null])).toEqual([
      ["local-live", true],
      ["local-test", false],
      [id, true],
    ]);
    expect(start()).toEqual(second);
    // The new key can also be revoked.
    revoke(id);
    const third = start();
    expect([isActive(third.test), isActive(third.live)]).toEqual([true, true]);
    expect(keys()).toHaveLength(4);
  });

  it("replaces both keys when both are revoked", () => {
    const first = start();
    revoke("local-live");
    revoke("local-test");
    const second = start();
    expect([second.live === first.live, second.test === first.test]).toEqual([false, false]);
    expect([isActive(second.live), isActive(second.test)]).toEqual([true, true]);
    expect([second.signing, second.encryption]).toEqual([first.signing, first.encryption]);
  });

  it("doesn't restore a revoked key that was deleted from the database", () => {
    const first = start();
    db.exec("DELETE FROM api_keys WHERE id = 'local-live'");
    const second = start();
    expect(second.live).not.toBe(first.live);
    expect([isActive(second.live), isActive(first.live)]).toEqual([true, false]);
  });

  it("keeps the secrets when the database was deleted", () => {
    const first = start();
    db.close();
    db = openDatabase();
    expect(start()).toEqual(first);
    expect([isActive(first.live), isActive(first.test)]).toEqual([true, true]);
  });

  it("prints working keys when the file of secrets was deleted", () => {
    start();
    rmSync(join(stateFolder, "local-secrets.json"));
    const second = start();
    expect([isActive(second.live), isActive(second.test)]).toEqual([true, true]);
  });

  it("stores its secrets in a file that only the file's owner can read", () => {
    start();
    revoke("local-test");
    const secrets = start();
    const path = join(stateFolder, "local-secrets.json");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(secrets);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe("the local account", () => {
  it("is pushed to its Durable Object and to its KeyVerifiers at each start", () => {
    start();
    db.exec("DELETE FROM outbox");
    start();
    const rows = db.prepare("SELECT kind, version FROM outbox ORDER BY kind").all();
    expect(rows.map((row) => [row.kind, row.version])).toEqual([
      ["account", 3],
      ["key", 3],
      ["key", 3],
    ]);
  });

  it("keeps its tag", () => {
    start();
    const tag = () => db.prepare("SELECT tag FROM accounts WHERE id = 'local'").get()?.tag;
    const first = tag();
    start();
    expect(first).toMatch(/^[0-9a-f]{10}$/);
    expect(tag()).toBe(first);
  });
});

describe("the state folder", () => {
  it("is used again as long as the tables are the same", () => {
    const { runtimeFolder, movedTo } = openStateFolder(stateFolder, "a");
    expect(movedTo).toBeNull();
    writeFileSync(join(runtimeFolder, "d1.sqlite"), "accounts");
    expect(openStateFolder(stateFolder, "a")).toEqual({ runtimeFolder, movedTo: null });
    expect(readFileSync(join(runtimeFolder, "d1.sqlite"), "utf8")).toBe("accounts");
  });

  it("of other tables is moved once, and its secrets are kept", () => {
    const secrets = readSecrets(stateFolder);
    for (const [index, tables] of ["a", "b", "c"].entries()) {
      const { runtimeFolder, movedTo } = openStateFolder(stateFolder, tables);
      const expected = [null, "old-state", "old-state-2"][index] ?? null;
      expect(movedTo).toBe(expected === null ? null : join(stateFolder, expected));
      if (movedTo !== null) expect(readFileSync(join(movedTo, "d1.sqlite"), "utf8")).toBe(["a", "b"][index - 1]);
      expect(existsSync(join(runtimeFolder, "d1.sqlite"))).toBe(false);
      writeFileSync(join(runtimeFolder, "d1.sqlite"), tables);
      expect(openStateFolder(stateFolder, tables).movedTo).toBeNull();
    }
    expect(readSecrets(stateFolder)).toEqual(secrets);
  });

  it("is moved if it doesn't name its tables, as in development versions", () => {
    mkdirSync(join(stateFolder, "v3"));
    expect(openStateFolder(stateFolder, "a").movedTo).toBe(join(stateFolder, "old-state"));
  });

  it("is created only for its owner", () => {
    const folder = join(stateFolder, "new");
    expect(openStateFolder(folder, "a").movedTo).toBeNull();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("contains the admin API's token, and its URL while the service runs", () => {
    expect(readLocalAdmin(stateFolder)).toBeNull();
    const token = readAdminToken(stateFolder);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(stateFolder, "admin-token")).mode & 0o777).toBe(0o600);
    writeServiceUrl(stateFolder, "http://127.0.0.1:8787");
    expect(readLocalAdmin(stateFolder)).toEqual({ url: "http://127.0.0.1:8787", token });
    writeServiceUrl(stateFolder, null);
    expect(readLocalAdmin(stateFolder)).toBeNull();
  });
});

describe("the hash of the tables", () => {
  const table = "CREATE TABLE a (id INTEGER);";
  const hash = (schema: string, account: string, crawl: string) => {
    for (const folder of ["src/account/storage", "src/crawl"])
      mkdirSync(join(stateFolder, folder), { recursive: true });
    writeFileSync(join(stateFolder, "schema.sql"), schema);
    writeFileSync(join(stateFolder, "src/account/storage/schema.sql"), account);
    writeFileSync(join(stateFolder, "src/crawl/schema.sql"), crawl);
    return hashFirstTables(stateFolder);
  };

  it("changes with version 1 of each schema", () => {
    const hashes = [
      hash(table, table, table),
      hash("CREATE TABLE a (id TEXT);", table, table),
      hash(table, "CREATE TABLE a (id TEXT);", table),
      hash(table, table, "CREATE TABLE a (id TEXT);"),
    ];
    expect(new Set(hashes).size).toBe(4);
    expect(hashFirstTables(resolve(import.meta.dirname, "../.."))).toMatch(/^[0-9a-f]{64}$/);
  });

  it("doesn't change with comments and white space", () => {
    const commented = "-- The first table.\nCREATE TABLE a (\n  id INTEGER -- counted from 1\n);\n";
    const spaced = "CREATE TABLE a ( id INTEGER );";
    expect(hash(spaced, spaced, spaced)).toBe(hash(commented, commented, commented));
  });
});
