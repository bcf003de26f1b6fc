import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { crawlStub } from "../../src/store/namespaces";
import { objectOf, openObject, sqlIn, stubOf } from "../support/account";
import { awaitCrawl, openFolder, startCrawl } from "../support/crawls";

/** Deletes everything that a crawl's object has stored, and stops the object. */
async function lose(crawl: DurableObjectStub): Promise<void> {
  await runInDurableObject(crawl, async (_, ctx) => {
    await ctx.storage.deleteAlarm();
    await ctx.storage.deleteAll();
    ctx.abort("The test deletes the object's data.");
  }).catch(() => {});
}

it("continues from the account's record after its own was lost, and visits no page again", async () => {
  const [account, folder] = [await openObject(), openFolder()];
  const key = await startCrawl(account, folder.page("tree/1"), { sitemap: "skip" });
  // `expect.poll` doesn't work after an object was aborted.
  await vi.waitUntil(async () => (await folder.visits()).paths.length > 6, { timeout: 90_000, interval: 20 });
  await lose(crawlStub(env, account, key.id));
  await sqlIn(account, "UPDATE batches SET due_at = 1");
  await runDurableObjectAlarm(objectOf(account));
  const crawl = await awaitCrawl(account, key);
  const urls = crawl.pages.map(({ url }) => url);
  expect(new Set(urls).size).toBe(urls.length);
  expect(urls.length).toBeGreaterThan(6);
  const { paths } = await folder.visits();
  expect(new Set(paths).size).toBe(paths.length);
  expect(crawl.batch).toMatchObject({ status: "completed", credits: { reserved: 0, used: urls.length } });
  expect(crawl.progress.note).toContain("rebuilt the list from its pages");
});

it("is found again when a crawl that couldn't pay is resumed after its record was deleted", async () => {
  const [account, folder] = [await openObject({ credits: 3 }), openFolder("ruled")];
  await fetch(folder.page("leaf/1"));
  const options = { include_paths: [`${new URL(folder.url).pathname}/*`] };
  const links = encodeURIComponent("leaf/1,leaf/2,leaf/3,leaf/4");
  const key = await startCrawl(account, folder.page(`hub/${links}`), options);
  const stopped = await awaitCrawl(account, key);
  expect(stopped.batch).toMatchObject({ error: { code: "insufficient_credits" }, credits: { used: 3 } });
  await crawlStub(env, account, key.id).erase();
  await stubOf(account).adjust({ key: "more", amount: 100 });
  await stubOf(account).resumeBatch({ ...key, owner: { keyId: "key", creditLimit: null } });
  await crawlStub(env, account, key.id).wake({ ...key, account });
  const crawl = await awaitCrawl(account, key);
  const urls = crawl.pages.map(({ url }) => url);
  expect(new Set(urls).size).toBe(urls.length);
  expect(crawl.batch).toMatchObject({ status: "completed", credits: { used: urls.length } });
  // The crawl has the pages that the account had already accepted, and the pages of the sitemap.
  expect(urls).toEqual(expect.arrayContaining([...stopped.pages.map(({ url }) => url), folder.page("listed")]));
});
