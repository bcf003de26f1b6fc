import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { MIGRATIONS } from "../../src/crawl/migrations";
import { crawlStub } from "../../src/store/namespaces";
import { readVersion } from "../../src/store/object-schema";
import { openObject } from "../support/account";
import { awaitCrawl, openFolder, startCrawl } from "../support/crawls";

it("upgrades a crawl's tables with their rows when its object starts with a later version of the code", async () => {
  const [account, folder] = [await openObject(), openFolder()];
  const key = await startCrawl(account, folder.page("leaf/1"));
  await awaitCrawl(account, key);
  const openStub = () => crawlStub(env, account, key.id);
  const versions = MIGRATIONS as string[];
  versions.push("ALTER TABLE frontier ADD COLUMN later TEXT; CREATE TABLE later (id INTEGER PRIMARY KEY);");
  try {
    await runInDurableObject(openStub(), (_, ctx) => ctx.abort("The test restarts the object.")).catch(() => {});
    const upgraded = await runInDurableObject(openStub(), (_, { storage }) => ({
      version: readVersion(storage),
      rows: storage.sql.exec("SELECT url, later FROM frontier").toArray(),
      added: storage.sql.exec("SELECT * FROM later").toArray(),
    }));
    expect(upgraded).toEqual({
      version: versions.length,
      rows: [{ url: folder.page("leaf/1"), later: null }],
      added: [],
    });
  } finally {
    versions.pop();
  }
});
