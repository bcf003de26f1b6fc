import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Zip } from "../../src/documents/zip";
import type { AccountRef } from "../../src/model/account";
import { putResult } from "../../src/store/objects";
import { sqlIn, stubOf } from "../support/account";
import { refOf } from "../support/client";
import { createBatch, waitForBatch } from "../support/stored-batch";
import { addMember, signUpWithTestKey } from "../support/visitor";

const SITE = "https://example.com";

async function signUp() {
  const { visitor, client } = await signUpWithTestKey();
  return { visitor, client, account: await refOf(client.accountId) };
}

/** Returns the first page of a batch. */
async function firstJob(account: AccountRef, id: string) {
  const reply = await stubOf(account).listPages({ mode: "test", id, after: 0, limit: 1 });
  const job = reply.kind === "pages" ? reply.pages[0]?.job : null;
  if (job == null) throw new Error("The batch has no job.");
  return job;
}

async function readZip(response: Response): Promise<{ names: string[]; text: (name: string) => Promise<string> }> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const zip = new Zip(bytes);
  const text = async (name: string) => {
    let content = "";
    for await (const chunk of zip.read(name)) content += new TextDecoder().decode(chunk);
    return content;
  };
  const index = await text("index.csv");
  return { names: [...index.matchAll(/\d{5}-[^,\r]*\.(?:md|json)/g)].map(([name]) => name), text };
}

const toText = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

describe("the list of batches", () => {
  it("shows batches and crawls newest first, in parts", async () => {
    const { visitor, account } = await signUp();
    const none = await visitor.read("/dashboard/batches");
    expect(none).toContain("No test batches or crawls yet");
    expect(none).toContain('data-live="/dashboard/batches" data-busy="true"');
    await createBatch(account, [`${SITE}/a`, "https://http-404.test/b", `${SITE}/c`]).then(waitForBatch);
    await createBatch(account, [], { kind: "crawl", request: JSON.stringify({ url: `${SITE}/crawled`, limit: 10 }) });
    const page = await visitor.read("/dashboard/batches");
    expect(page.indexOf("example.com/crawled")).toBeLessThan(page.indexOf("example.com/a and 2 other pages"));
    expect(toText(page)).toContain("3 pages, 1 failed");
    expect(page).toMatch(/<a href="\/dashboard\/batches" aria-current="page">/);
    for (let index = 0; index < 25; index++) await createBatch(account, [], { kind: "crawl", request: "{}" });
    const first = await visitor.read("/dashboard/batches");
    const [, older = ""] = /href="(\/dashboard\/batches\?cursor=[^"]+)"/.exec(first) ?? [];
    const second = await visitor.read(older);
    expect(second).toContain("example.com/a and 2 other pages");
    expect(second).toContain("Newest");
  });

  it("shows only the batches of the mode and the account", async () => {
    const { visitor, account } = await signUp();
    const { visitor: stranger } = await signUp();
    const { id } = await createBatch(account, [`${SITE}/mine`]);
    expect(await stranger.read("/dashboard/batches")).not.toContain("example.com/mine");
    const refused = await stranger.get(`/dashboard/batches/${id}`);
    expect([refused.status, await refused.text()]).toEqual([
      404,
      expect.stringContaining("contain this batch or crawl"),
    ]);
    expect((await stranger.get(`/dashboard/batches/${id}/pages.zip`)).status).toBe(404);
    await visitor.post("/dashboard/mode", { mode: "live" });
    expect((await visitor.get(`/dashboard/batches/${id}`)).status).toBe(404);
    expect((await visitor.get("/dashboard/batches/not-an-id")).status).toBe(404);
  });
});

describe("the page of a batch", () => {
  it("shows the progress, the counts and the pages with links to their jobs", async () => {
    const { visitor, account } = await signUp();
    const batch = await createBatch(account, [`${SITE}/a`, "https://http-404.test/b", `${SITE}/c`]);
    await waitForBatch(batch);
    const page = await visitor.read(`/dashboard/batches/${batch.id}`);
    const text = toText(page);
    expect(text).toContain("3 of 3 pages (100%)");
    expect(text).toContain("Completed 2 Failed 1");
    expect(page).not.toContain('data-busy="true"');
    expect(page).toContain('<progress class="share" max="3" value="3"');
    const { id: job } = await firstJob(account, batch.id);
    expect(page).toContain(`<a href="/dashboard/jobs/${job}">example.com/a</a>`);
    expect(page.length).toBeLessThan(20_000);
    const failed = toText(await visitor.read(`/dashboard/batches/${batch.id}?pages=failed`));
    expect(failed).toContain("http-404.test/b");
    expect(failed).not.toContain("3. example.com/c");
    const ok = toText(await visitor.read(`/dashboard/batches/${batch.id}?code=ok`));
    expect(ok).toContain("example.com/c");
    expect(ok).not.toContain("2. http-404.test/b");
    expect(await visitor.read(`/dashboard/jobs/${job}`)).toContain(
      `<a href="/dashboard/batches/${batch.id}">Page 1</a>`,
    );
  });

  it("shows long lists of pages in parts", async () => {
    const { visitor, account } = await signUp();
    const urls = Array.from({ length: 30 }, (_, index) => `${SITE}/page-${index + 1}-${"long-".repeat(20)}`);
    const { id } = await createBatch(account, urls);
    const first = await visitor.read(`/dashboard/batches/${id}`);
    expect(first).toContain("/page-25-");
    expect(first).not.toContain("/page-26-");
    expect(first.length).toBeLessThan(20_000);
    const second = await visitor.read(`/dashboard/batches/${id}?after=25`);
    expect(second).toContain("/page-30-");
    expect(second).toContain("First pages");
  });

  it("cancels a running batch, which a second request leaves unchanged", async () => {
    const { visitor, account } = await signUp();
    const { id } = await createBatch(account, [`${SITE}/a`, "https://slow-60.test/", "https://slow-60.test/2"]);
    const running = await visitor.read(`/dashboard/batches/${id}`);
    expect(running).toContain('data-busy="true"');
    expect(running).toContain(`action="/dashboard/batches/${id}/cancel"`);
    for (const _ of [1, 2]) {
      const response = await visitor.post(`/dashboard/batches/${id}/cancel`);
      expect([response.status, response.headers.get("location")]).toEqual([303, `/dashboard/batches/${id}`]);
    }
    const page = await visitor.read(`/dashboard/batches/${id}`);
    expect(page).toContain("<code>cancelled</code>");
    expect(toText(page)).toMatch(/ [01] of 3 pages /);
    expect(page).not.toContain(`action="/dashboard/batches/${id}/cancel"`);
    expect(page).not.toContain(`action="/dashboard/batches/${id}/resume"`);
  });

  it("resumes a batch that ran out of credits", async () => {
    const { visitor, account } = await signUp();
    await visitor.post("/dashboard/mode", { mode: "live" });
    // The account can't pay for the second page.
    const { id } = await createBatch(account, ["https://a.invalid/", "https://b.invalid/"], {
      mode: "live",
      credits: [1, 1_000_000],
    });
    await waitForBatch({ account, mode: "live", id });
    const page = await visitor.read(`/dashboard/batches/${id}`);
    expect(page).toContain("<code>insufficient_credits</code>");
    expect(toText(page)).toContain("2. b.invalid failed insufficient_credits");
    expect(toText(page)).toContain("1 of 2 pages (50%)");
    expect(page).toContain(`action="/dashboard/batches/${id}/resume"`);
    await sqlIn(account, "UPDATE batch_pages SET credits = 1 WHERE batch_id = ?1 AND number = 2", id);
    expect((await visitor.post(`/dashboard/batches/${id}/resume`)).status).toBe(303);
    await waitForBatch({ account, mode: "live", id });
    expect(await visitor.read(`/dashboard/batches/${id}`)).not.toContain("insufficient_credits");
  });

  it("shows no buttons to a user with read-only access, and refuses their forms", async () => {
    const { client, account } = await signUp();
    const { visitor } = await addMember(client.accountId, "read_only");
    await visitor.post("/dashboard/mode", { mode: "test" });
    const { id } = await createBatch(account, ["https://slow-60.test/"]);
    expect(await visitor.read(`/dashboard/batches/${id}`)).not.toContain("/cancel");
    expect((await visitor.post(`/dashboard/batches/${id}/cancel`)).status).toBe(403);
  });

  it("escapes the URLs of pages", async () => {
    const { visitor, account } = await signUp();
    const { id } = await createBatch(account, [`${SITE}/"><script>alert(1)</script>`]);
    const page = await visitor.read(`/dashboard/batches/${id}`);
    expect(page).not.toContain("<script>alert");
  });
});

describe("the secrets in the URLs of a batch", () => {
  it("are shown neither on its page nor in its files", async () => {
    const { visitor, account } = await signUp();
    const url = `${SITE}/private?access_token=s3cret`;
    const request = JSON.stringify({ url, limit: 1 });
    const { id } = await createBatch(account, [url], { request });
    await waitForBatch({ account, mode: "test", id });
    const { names, text } = await readZip(await visitor.get(`/dashboard/batches/${id}/pages.zip`));
    expect(names).toEqual(["00001-example.com-private-access_token.md"]);
    const shown = [
      await visitor.read("/dashboard/batches"),
      await visitor.read(`/dashboard/batches/${id}`),
      await visitor.read("/dashboard/jobs?include=children"),
      await text("index.csv"),
    ];
    for (const content of shown) expect(content).not.toContain("s3cret");
    expect(shown[1]).toContain("example.com/private?access_token=…");
  });
});

describe("the batch form of the playground", () => {
  const fields = { mode: "test", endpoint: "scrape", defaults: '{"formats":["text"]}' };

  it("shows the price, and starts a batch", async () => {
    const { visitor } = await signUp();
    expect(await visitor.read("/dashboard/playground")).toContain('href="/dashboard/playground/batch"');
    expect(await visitor.read("/dashboard/playground/batch")).toContain("Start batch");
    const requests = `example.com/a\r\n\r\n${SITE}/b\r\n`;
    const preview = await visitor.post("/dashboard/playground/batch/preview", { ...fields, requests });
    expect(await preview.text()).toContain("2 pages. Test requests are free.");
    const started = await visitor.post("/dashboard/playground/batch", { ...fields, requests });
    expect(started.status).toBe(303);
    const page = toText(await visitor.read(started.headers.get("location") ?? ""));
    expect(page).toContain("1. example.com/a");
    expect(page).toContain("2. example.com/b");
    expect(page).toContain("Key Playground");
    const [, id = ""] = /([^/]+)$/.exec(started.headers.get("location") ?? "") ?? [];
    const again = `/dashboard/playground/batch?from=${id}`;
    expect(await visitor.read(`/dashboard/batches/${id}`)).toContain(`href="${again}"`);
    const form = await visitor.read(again);
    expect(form).toContain(`>https://example.com/a\n${SITE}/b</textarea>`);
  });

  it("keeps the values of a refused form, and names the line of every invalid URL", async () => {
    const { visitor } = await signUp();
    const requests = `${SITE}/a\nftp://x/\n\nnowhere`;
    const refused = await visitor.post("/dashboard/playground/batch", { ...fields, requests });
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(page).toContain("ftp://x/");
    expect(page).toContain('role="alert"');
    expect(toText(page)).toMatch(/Line 2: \S.* Line 4: \S/);
    expect((await visitor.post("/dashboard/playground/batch", { ...fields, requests, defaults: "{" })).status).toBe(
      400,
    );
    const valid = await visitor.post("/dashboard/playground/batch", { ...fields, requests, ignore_invalid: "true" });
    expect(valid.status).toBe(303);
    const other = await visitor.post("/dashboard/playground/batch", { ...fields, mode: "live", requests: SITE });
    expect(await other.text()).toContain("switched to test data in another tab");
  });
});

it("a large batch counts several times in the rate window, also while its form is edited", async () => {
  const { visitor } = await signUp();
  const fields = { mode: "test", endpoint: "scrape", requests: `${SITE}/a\n`.repeat(350) };
  const edit = async () => (await visitor.post("/dashboard/playground/batch/preview", fields)).status;
  for (let i = 0; i < 25; i++) expect(await edit()).toBe(200);
  expect(await edit()).toBe(429);
  const start = async () => (await visitor.post("/dashboard/playground/batch", fields)).status;
  expect([await start(), await start(), await start()]).toEqual([303, 303, 429]);
});

describe("the zip file of a batch", () => {
  it("has a Markdown file for each completed page, and a list of all pages, as the NDJSON has", async () => {
    const { visitor, account } = await signUp();
    const batch = await createBatch(account, [`${SITE}/docs/intro`, "https://http-404.test/b", `${SITE}/large`]);
    await waitForBatch(batch);
    const reply = await stubOf(account).listPages({ mode: "test", id: batch.id, after: 2, limit: 1 });
    const large = reply.kind === "pages" ? reply.pages[0]?.job : null;
    if (large == null) throw new Error("The batch has no third job.");
    // A large result is stored in R2.
    const markdown = "A long line. ".repeat(20_000);
    await putResult(env.STORE, large.id, large.run, JSON.stringify({ markdown }));
    await sqlIn(account, "UPDATE jobs SET result_in = 'r2' WHERE id = ?1", large.id);
    await sqlIn(account, "UPDATE payloads SET result = NULL WHERE id = ?1", large.id);
    const response = await visitor.get(`/dashboard/batches/${batch.id}/pages.zip`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="batch-${batch.id}.zip"`);
    const { names, text } = await readZip(response);
    expect(names).toEqual(["00001-example.com-docs-intro.md", "00003-example.com-large.md"]);
    expect(await text("00001-example.com-docs-intro.md")).toContain("# ");
    expect(await text("00003-example.com-large.md")).toBe(markdown);
    const lines = (await visitor.read(`/dashboard/batches/${batch.id}/pages.ndjson`)).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).number)).toEqual([1, 2, 3]);
    expect(JSON.parse(lines[2] ?? "").result).toEqual({ markdown });
    expect(await text("index.csv")).toMatch(/2,https:\/\/http-404\.test\/b,failed,[a-z_]+,,/);
  });
});
