import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { crawlStub } from "../../src/store/namespaces";
import { objectOf, openObject, stubOf } from "../support/account";
import { awaitCrawl, openFolder, startCrawl } from "../support/crawls";

it("deletes the URLs of an account's crawls when the account is erased", async () => {
  const [account, folder] = [await openObject(), openFolder()];
  const key = await startCrawl(account, folder.page("tree/1"), { max_depth: 1, sitemap: "skip" });
  await awaitCrawl(account, key);
  const crawl = crawlStub(env, account, key.id);
  expect(await crawl.progress()).not.toBeNull();
  await stubOf(account).erase();
  // The alarm may already have run. The loop ensures that it ran often enough.
  while ((await stubOf(account).readState()).kind === "erasing") await runDurableObjectAlarm(objectOf(account));
  expect(await crawl.progress()).toBeNull();
  const tables = await runInDurableObject(crawl, (_, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_%' ESCAPE '\\'").toArray(),
  );
  expect(tables).toEqual([]);
});
