import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashStatements, type Migration, readMigrations, toPending, VERSIONS_QUERY } from "../../scripts/migrations.ts";
import { SCHEMA_VERSION } from "../../src/model/limits.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MIGRATIONS = readMigrations(ROOT);

/** The released versions of all tables. A release adds the hashes of its new files. Never change or remove an entry. */
const RELEASED = [
  ["schema.sql", "d482d2efc5e675bd50d3000390504cb4f7e25204ad955c8a4571b1375422fb80"],
  ["src/account/storage/schema.sql", "dae6c3105b2ad2aefbe38fdd002171eb8d6351313e35d375c1c7a4d81799d355"],
  ["src/crawl/schema.sql", "7e9ce996b74a9912a182be97ae844ba20292531186134fe6ec38252bf8dbdd5a"],
] as const;

/** The schema's versions, followed by two made-up ones. */
const WITH_LATER = readWithLater();

/**
 * The SQL statements for each schema version. They insert a row into each table that the version adds. If a new version
 * adds a table, add an entry here.
 */
const ROWS: Record<number, string> = {
  1: `
    INSERT INTO accounts (id, tag, name, object, created_at) VALUES ('a', '0123456789', 'A', 'a', 1);
    INSERT INTO account_summaries (account_id, balance, reserved, granted, used, queued, processing, updated_at)
      VALUES ('a', 1, 2, 3, 4, 5, 6, 7);
    INSERT INTO api_keys (id, account_id, hash, mode, prefix, last4, scopes, created_at)
      VALUES ('k', 'a', 'hash', 'live', 'sk_live_abcd', 'wxyz', '["scrape"]', 1);
    INSERT INTO outbox (kind, target, version, due_at) VALUES ('account', 'a', 1, 1);
    INSERT INTO denied_targets (account_id, target, note, created_by, created_at) VALUES ('', 'a.example', '', 'operator', 1);
    INSERT INTO serp_checks (engine, checked_at) VALUES ('google', 1);
    INSERT INTO account_periods (start, account_id, counts, updated_at) VALUES (600000, 'a', '{}', 1);
    INSERT INTO service_hours (start, counts) VALUES (0, '{}');
    INSERT INTO service_days (start, parts) VALUES (0, '{}');
    INSERT INTO service_state (name, value) VALUES ('alerts', '{}');
    INSERT INTO incidents (id, title, parts, status, created_at, updated_at) VALUES (1, 'I', '[]', 'resolved', 1, 1);
    INSERT INTO incident_updates (incident_id, status, text, created_at) VALUES (1, 'resolved', 'U', 1);
    INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES ('u', 'U', 'u@example.com', 1, '', '');
    INSERT INTO sessions (id, token, user_id, expires_at, created_at, updated_at) VALUES ('s', 't', 'u', '', '', '');
    INSERT INTO identities (id, user_id, provider_id, account_id, created_at, updated_at)
      VALUES ('i', 'u', 'credential', 'u', '', '');
    INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at) VALUES ('v', 'x', 'y', '', '', '');
    INSERT INTO sign_in_attempts (id, key, count, last_request) VALUES ('n', 'x', 1, 1);
    INSERT INTO two_factors (id, user_id, secret, backup_codes) VALUES ('f', 'u', 'x', 'y');
    INSERT INTO memberships (user_id, account_id, role, created_at) VALUES ('u', 'a', 'owner', 1);
    INSERT INTO invitations (id, account_id, token_hash, role, invited_by, inviter_id, created_at, expires_at)
      VALUES ('i', 'a', 'hash', 'member', 'u@example.com', 'u', 1, 2);
    INSERT INTO audit_log (actor, action, account_id, detail, created_at) VALUES ('operator', 'account.create', 'a', '{}', 1);`,
  [MIGRATIONS.length + 1]: "INSERT INTO notes (account_id, note) VALUES ('a', 'N');",
};

/** Reads the versions of a project that has two more files than this one. */
function readWithLater(): Migration[] {
  const project = mkdtempSync(join(tmpdir(), "later-migrations-"));
  try {
    for (const { file } of MIGRATIONS) cpSync(join(ROOT, file), join(project, file));
    const write = (version: number, name: string, sql: string) => {
      const file = join(project, "migrations", `${String(version).padStart(4, "0")}_${name}.sql`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, sql);
    };
    const notes = "CREATE TABLE notes (account_id TEXT NOT NULL REFERENCES accounts (id), note TEXT NOT NULL) STRICT;";
    write(MIGRATIONS.length + 1, "notes", `-- Made up; with a semicolon.\n${notes}\n`);
    const change = "ALTER TABLE accounts ADD COLUMN color TEXT NOT NULL DEFAULT 'red';";
    write(MIGRATIONS.length + 2, "colors", `${change}\nCREATE INDEX notes_by_account ON notes (account_id);\n`);
    return readMigrations(project);
  } finally {
    rmSync(project, { recursive: true });
  }
}

type Row = Record<string, unknown>;

function tablesOf(db: DatabaseSync): string[] {
  const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  return rows.map(({ name }) => String(name));
}

function versionsOf(db: DatabaseSync): number[] {
  return db
    .prepare(VERSIONS_QUERY)
    .all()
    .map(({ version }) => Number(version));
}

function rowsOf(db: DatabaseSync): Map<string, Row[]> {
  return new Map(tablesOf(db).map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all() as Row[]]));
}

it.each(RELEASED)("%s has the statements of its release", (file, hash) => {
  const actual = hashStatements([readFileSync(join(ROOT, file), "utf8")]);
  expect(actual, "Add a migration instead of editing this file. See 'Change stored data' in docs/development.md.").toBe(
    hash,
  );
});

describe("the schema's versions", () => {
  it("end with the version that the code requires", () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, i) => i + 1));
  });

  it.each([0, ...WITH_LATER.map(({ version }) => version)])(
    "upgrade a database of version %i to the latest one and keep its rows",
    (version) => {
      const db = new DatabaseSync(":memory:");
      for (const earlier of WITH_LATER.slice(0, version)) {
        db.exec(earlier.sql);
        db.exec(ROWS[earlier.version] ?? "");
      }
      const before = rowsOf(db);
      const empty = [...before].filter(([, rows]) => rows.length === 0).map(([table]) => table);
      expect(empty, "tables without a row in ROWS").toEqual([]);

      for (const { sql } of toPending(WITH_LATER, version === 0 ? [] : versionsOf(db)))
        db.exec(`BEGIN; ${sql} COMMIT;`);
      for (const [table, rows] of before) {
        const after = db.prepare(`SELECT * FROM ${table}`).all() as Row[];
        for (const [index, row] of rows.entries()) expect(after[index]).toMatchObject(row);
      }
      expect(versionsOf(db)).toEqual(WITH_LATER.map((migration) => migration.version));
      expect(db.prepare("SELECT DISTINCT color FROM accounts").all()).toEqual(version === 0 ? [] : [{ color: "red" }]);
      expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
      expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    },
  );

  it.each(WITH_LATER)("change nothing if they are applied twice: $file", ({ version, sql }) => {
    const db = new DatabaseSync(":memory:");
    for (const migration of WITH_LATER.slice(0, version)) db.exec(migration.sql);
    const before = [tablesOf(db), versionsOf(db)];
    expect(() => db.exec(`BEGIN; ${sql} COMMIT;`)).toThrow();
    db.exec("ROLLBACK");
    expect([tablesOf(db), versionsOf(db)]).toEqual(before);
  });

  it("have no triggers after the first version, because `wrangler d1 migrations apply` can't parse them", () => {
    for (const { sql } of MIGRATIONS.slice(1)) expect(sql).not.toMatch(/CREATE\s+TRIGGER/i);
  });
});

describe("the pending versions", () => {
  it.each([
    [[], [1, 2]],
    [[1], [2]],
    [[1, 2], []],
    // The database is newer than the code, so no migration is pending.
    [[1, 2, 3], []],
  ])("of a database with %j are %j", (applied, pending) => {
    expect(toPending(WITH_LATER.slice(0, 2), applied).map(({ version }) => version)).toEqual(pending);
  });

  it("can't be determined if a version in between is missing", () => {
    expect(() => toPending(WITH_LATER, [1, 3])).toThrow(
      "The database has the versions 1, 3. A version before 3 is missing.",
    );
  });
});

describe("the migrations folder", () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), "migrations-"));
    mkdirSync(join(project, "migrations"));
    writeFileSync(join(project, "schema.sql"), "");
  });
  afterEach(() => rmSync(project, { recursive: true }));

  it.each([
    [["0003_later.sql"], "migrations/0003_later.sql must have the number 0002"],
    [["0002_one.sql", "0002_two.sql"], "migrations/0002_two.sql must have the number 0003"],
    [["2_short.sql"], "migrations/2_short.sql must have a name like 0002_some_change.sql."],
    [["notes.md"], "migrations/notes.md must have a name like 0002_some_change.sql."],
  ])("is refused with %j", (names, message) => {
    for (const name of names) writeFileSync(join(project, "migrations", name), "");
    expect(() => readMigrations(project)).toThrow(message);
  });
});
