import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { migrate, readVersion } from "../../src/store/object-schema";

/** Versions of made-up tables. */
const VERSIONS = [
  "CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT NOT NULL) STRICT;",
  `ALTER TABLE pages ADD COLUMN title TEXT NOT NULL DEFAULT '';
   CREATE TABLE links (page INTEGER NOT NULL, url TEXT NOT NULL) STRICT;`,
  "CREATE INDEX links_by_page ON links (page);",
];
/** The statements that insert rows into the tables that a version adds. */
const ROWS = ["INSERT INTO pages (id, url) VALUES (1, 'a')", "INSERT INTO links VALUES (1, 'b')"];

/** Runs a test in a Durable Object without tables. */
async function withStorage(test: (storage: DurableObjectStorage) => void): Promise<void> {
  await runInDurableObject(env.ACCOUNT.getByName(crypto.randomUUID()), (_, { storage }) => test(storage));
}

describe("the tables of a Durable Object", () => {
  it.each([0, 1, 2, 3])("are upgraded from version %i to the latest one with their rows", async (version) => {
    await withStorage((storage) => {
      for (let n = 1; n <= version; n++) {
        migrate(storage, VERSIONS.slice(0, n));
        const rows = ROWS[n - 1];
        if (rows !== undefined) storage.sql.exec(rows);
      }
      expect(readVersion(storage)).toBe(version);
      migrate(storage, VERSIONS);
      expect(readVersion(storage)).toBe(VERSIONS.length);
      const pages = storage.sql.exec("SELECT id, url, title FROM pages").toArray();
      expect(pages).toEqual(version === 0 ? [] : [{ id: 1, url: "a", title: "" }]);
      expect(storage.sql.exec("SELECT * FROM links").toArray()).toHaveLength(version < 2 ? 0 : 1);
    });
  });

  it("keep their version if a migration fails", async () => {
    await withStorage((storage) => {
      migrate(storage, VERSIONS.slice(0, 1));
      expect(() => migrate(storage, [...VERSIONS, "CREATE TABLE pages (id INTEGER)"])).toThrow("already exists");
      expect(readVersion(storage)).toBe(1);
      expect(storage.sql.exec("SELECT name FROM sqlite_schema WHERE name = 'links'").toArray()).toEqual([]);
      migrate(storage, VERSIONS);
      expect(readVersion(storage)).toBe(3);
    });
  });

  it("of a later version aren't changed", async () => {
    await withStorage((storage) => {
      migrate(storage, VERSIONS);
      migrate(storage, VERSIONS.slice(0, 1));
      expect(readVersion(storage)).toBe(3);
    });
  });
});
