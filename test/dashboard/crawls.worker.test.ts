import { describe, expect, it } from "vitest";
import { Zip } from "../../src/documents/zip";
import { stubOf } from "../support/account";
import { creditsOf, refOf } from "../support/client";
import { awaitCrawl, openFolder, startCrawl } from "../support/crawls";
import { createBatch } from "../support/stored-batch";
import { signUpWithTestKey, type Visitor } from "../support/visitor";

const toText = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

async function signUp() {
  const { visitor, client } = await signUpWithTestKey();
  return { visitor, account: await refOf(client.accountId) };
}

/** Returns the value of a figure on the page, such as "12". */
const figureOf = (page: string, label: string) => new RegExp(` ${label} ([\\d,]+) `).exec(toText(page))?.[1];

describe("the page of a crawl", () => {
  it("shows the discovered URLs, and the skipped URLs by reason", async () => {
    const { visitor, account } = await signUp();
    await visitor.post("/dashboard/mode", { mode: "live" });
    const key = await startCrawl(account, openFolder().page("tree/1"), { limit: 3, sitemap: "skip" });
    const { batch, progress } = await awaitCrawl(account, key);
    expect(batch.status).toBe("completed");
    const page = await visitor.read(`/dashboard/batches/${key.id}`);
    expect(figureOf(page, "Discovered")).toBe(String(progress.discovered));
    const skipped = Object.values(progress.skipped).reduce((sum, count) => sum + count, 0);
    expect(skipped).toBeGreaterThan(0);
    expect(figureOf(page, "Skipped")).toBe(String(skipped));
    expect(toText(page)).toContain(
      `${progress.skipped.limit} not visited because the crawl reached its maximum number of pages`,
    );
    expect(page.length).toBeLessThan(20_000);
    expect(toText(await visitor.read("/dashboard/batches"))).toContain("Crawl · scrape");
  });

  it("offers a zip file without a file for a page that redirects to an earlier page", async () => {
    const { visitor, account } = await signUp();
    await visitor.post("/dashboard/mode", { mode: "live" });
    const key = await startCrawl(account, openFolder().page("ring"), { sitemap: "skip" });
    await awaitCrawl(account, key);
    const response = await visitor.get(`/dashboard/batches/${key.id}/pages.zip`);
    let index = "";
    for await (const chunk of new Zip(new Uint8Array(await response.arrayBuffer())).read("index.csv"))
      index += new TextDecoder().decode(chunk);
    expect(index).toMatch(/2,[^,]+\/to\/ring,completed,ok,,The page redirects to an earlier page of the crawl\./);
  });

  it("explains why a crawl found no pages", async () => {
    const { visitor, account } = await signUp();
    await visitor.post("/dashboard/mode", { mode: "live" });
    for (const [url, note] of [
      [openFolder().page("missing"), "The first page failed with target_http_error, so the crawl found no links."],
      [openFolder("closed").page("a"), "doesn't allow the start URL"],
    ] as const) {
      const key = await startCrawl(account, url, { sitemap: "skip" });
      await awaitCrawl(account, key);
      expect((await visitor.read(`/dashboard/batches/${key.id}`)).replaceAll("&#39;", "'")).toContain(note);
    }
  });

  it("resumes a crawl that ran out of credits", async () => {
    const { visitor, account } = await signUp();
    await visitor.post("/dashboard/mode", { mode: "live" });
    const { balance } = await creditsOf(account.id);
    await stubOf(account).adjust({ key: "almost-all", amount: 2 - balance });
    const key = await startCrawl(account, openFolder().page("tree/1"), { limit: 4, sitemap: "skip" });
    const { batch: stopped } = await awaitCrawl(account, key);
    expect(stopped).toMatchObject({ status: "failed", counts: { completed: 2 } });
    const page = await visitor.read(`/dashboard/batches/${key.id}`);
    expect(page).toContain("<code>insufficient_credits</code>");
    expect(toText(page)).toContain("Resume crawl");
    // Without credits, the crawl stays stopped.
    expect((await visitor.post(`/dashboard/batches/${key.id}/resume`)).status).toBe(402);
    await stubOf(account).adjust({ key: "more", amount: 10 });
    expect((await visitor.post(`/dashboard/batches/${key.id}/resume`)).status).toBe(303);
    const { batch } = await awaitCrawl(account, key);
    expect(batch).toMatchObject({ status: "completed", counts: { completed: 4, failed: 0 }, error: null });
    expect(toText(await visitor.read(`/dashboard/batches/${key.id}`))).not.toContain("Resume crawl");
  });

  it("shows no numbers of URLs on the page of a batch", async () => {
    const { visitor, account } = await signUp();
    const { id } = await createBatch(account, ["https://example.com/"]);
    expect(toText(await visitor.read(`/dashboard/batches/${id}`))).not.toContain("Discovered");
  });
});

describe("the crawl form of the playground", () => {
  const fields = { mode: "test", limit: "5", sitemap: "skip", robots: "respect", scrape: '{"formats":["text"]}' };

  /** Starts a crawl with the form, and returns its page. */
  async function start(visitor: Visitor, values: Record<string, string | string[]>): Promise<string> {
    const started = await visitor.post("/dashboard/playground/crawl", { ...fields, ...values });
    expect(started.status).toBe(303);
    return await visitor.read(started.headers.get("location") ?? "");
  }

  it("shows the price, and starts a crawl", async () => {
    const { visitor } = await signUp();
    expect(await visitor.read("/dashboard/playground")).toContain('href="/dashboard/playground/crawl"');
    const form = await visitor.read("/dashboard/playground/crawl");
    expect(form).toContain("Start crawl");
    expect(form.length).toBeLessThan(20_000);
    const shown = await visitor.post("/dashboard/playground/crawl/preview", { ...fields, url: "example.com" });
    expect(await shown.text()).toContain("At most 5 pages. Test requests are free.");
    const page = await start(visitor, { url: "example.com" });
    expect(toText(page)).toContain("Key Playground");
    const [, again = ""] = /href="(\/dashboard\/playground\/crawl\?from=[^"]+)"/.exec(page) ?? [];
    const filled = await visitor.read(again);
    expect(filled).toContain('value="https://example.com"');
    expect(filled).toContain('value="5"');
    await visitor.post("/dashboard/mode", { mode: "live" });
    const live = { ...fields, mode: "live", url: "example.com" };
    const price = await visitor.post("/dashboard/playground/crawl/preview", live);
    expect(await price.text()).toContain("5 pages cost at most 5 credits. Your balance is ");
  });

  it("sends all options", async () => {
    const { visitor } = await signUp();
    const page = await start(visitor, {
      url: "https://example.com/",
      max_depth: "2",
      include_paths: "/a/*\r\n\r\n /b/* ",
      exclude_paths: "/a/x",
      allow_subdomains: "true",
      delay: "0.5",
      robots: "ignore",
      webhook_url: "https://example.org/hook",
      webhook_events: ["crawl.completed", "crawl.page"],
      tags: "one\r\ntwo",
    });
    const [, text = ""] =
      /<code id="request"[^>]*>([\s\S]*?)<\/code>/.exec(page) ?? /id="request"[^>]*>([\s\S]*?)<\/pre>/.exec(page) ?? [];
    const request = JSON.parse(text.replace(/<[^>]+>/g, "").replaceAll("&quot;", '"'));
    expect(request).toMatchObject({
      url: "https://example.com/",
      limit: 5,
      max_depth: 2,
      include_paths: ["/a/*", "/b/*"],
      exclude_paths: ["/a/x"],
      allow_subdomains: true,
      sitemap: "skip",
      delay: 0.5,
      robots: "ignore",
      tags: ["one", "two"],
      scrape: { formats: ["text"] },
    });
    expect(toText(page)).toContain("Webhook example.org");
  });

  it("keeps the values of a refused form, and names the field of each problem", async () => {
    const { visitor } = await signUp();
    const values = { url: "https://example.com/", include_paths: "blog", max_depth: "deep" };
    const refused = await visitor.post("/dashboard/playground/crawl", { ...fields, ...values });
    expect(refused.status).toBe(400);
    const page = await refused.text();
    for (const name of ["include_paths", "max_depth"]) expect(page).toContain(`id="problem-${name}"`);
    expect(page).toContain('value="deep"');
    const wrong = await visitor.post("/dashboard/playground/crawl", { ...fields, url: values.url, scrape: "{" });
    expect(await wrong.text()).toContain('id="problem-scrape"');
    const unknown = { ...fields, url: values.url, scrape: '{"format": []}' };
    expect(await (await visitor.post("/dashboard/playground/crawl", unknown)).text()).toContain('id="problem-scrape"');
    const other = await visitor.post("/dashboard/playground/crawl", { ...fields, mode: "live", url: values.url });
    expect(await other.text()).toContain("switched to test data in another tab");
  });
});
