import { env } from "cloudflare:workers";
import { selectAll, selectOne } from "css-select";
import type { AnyNode, Document, Element } from "domhandler";
import { textContent } from "domutils";
import { parseDocument } from "htmlparser2";
import { describe, expect, it, onTestFinished } from "vitest";
import { toIso } from "../../src/lib/clock";
import { toIdStart } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { DAY_MS } from "../../src/model/limits";
import { newJob, sqlIn, stubOf } from "../support/account";
import { awaitBatch, postBatch } from "../support/batches";
import { type Client, createClient, refOf } from "../support/client";
import { completeJob } from "../support/complete-job";
import { awaitCrawl } from "../support/crawls";
import { accountIdOf, type SignedUp, signUp, signUpWithTestKey, type Visitor } from "../support/visitor";

const PAGES = 28;

/** Signs up a user whose account may send many requests per minute. Selects test data. */
async function signUpWithManyRequests() {
  const user = await signUpWithTestKey();
  const { accountId } = user.client;
  await env.DB.prepare("UPDATE accounts SET rate_per_minute = 250 WHERE id = ?1").bind(accountId).run();
  return { ...user, account: await refOf(accountId) };
}

/** Returns the first moment of a day (UTC), `days` days ago. */
const startOfDay = (days: number) => Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS;
const dayOf = (ms: number) => toIso(ms).slice(0, 10);

/** Returns the id of a job that is created at this time. */
const idAt = ({ tag }: AccountRef, ms: number) => `${toIdStart(ms)}-7000-8000-00${tag}`;

/** Creates a job that doesn't end before the test. */
async function createUnfinished(account: AccountRef, keyId: string): Promise<void> {
  const job = newJob(account, { mode: "test", keyId });
  await stubOf(account).createJob(job);
  await sqlIn(account, "UPDATE jobs SET due_at = due_at + ?2 WHERE id = ?1", job.id, DAY_MS);
  onTestFinished(async () => {
    await stubOf(account).cancel(job);
  });
}

async function runBatch(client: Client, body: Record<string, unknown>): Promise<string> {
  const { httpStatus, batch_id } = await postBatch(client, body);
  expect(httpStatus).toBe(202);
  await awaitBatch(client, batch_id);
  return batch_id;
}

/** Defines a test that counts jobs by day. It is run again if midnight (UTC) has passed before it failed. */
function itOnOneDay(name: string, test: () => Promise<void>): void {
  it(name, async () => {
    const day = startOfDay(0);
    try {
      await test();
    } catch (error) {
      if (startOfDay(0) === day) throw error;
      await test();
    }
  });
}

/** Returns the links of a page's content whose text starts with a number, except for ranges such as "7 days". */
function linkedNumbersOf(page: Document): { text: string; href: string; number: number }[] {
  const links = selectAll<AnyNode, Element>('main a:not(nav[aria-label="Range"] a)', page);
  return links.flatMap((link) => {
    const text = textContent(link).trim();
    const [digits] = /^\d[\d,]*/.exec(text) ?? [];
    if (digits === undefined) return [];
    return [{ text, href: link.attribs.href ?? "", number: Number(digits.replaceAll(",", "")) }];
  });
}

/** Returns the total that a list of jobs shows, or its text if this isn't an exact number. */
function totalOf(list: Document): number | string {
  const pages = selectOne<AnyNode, Element>('p.pages, nav[aria-label="Pagination"] span', list);
  const text = pages === null ? "no total" : textContent(pages);
  const [, total] = /^(?:1–25 of )?([\d,]+)(?: jobs?)?$/.exec(text) ?? [];
  return total === undefined ? text : Number(total.replaceAll(",", ""));
}

/** Reads a list of jobs or of a batch's pages to its end. Returns the total that it shows first, and the number of its rows. */
async function readList(visitor: Visitor, href: string): Promise<{ total: number | string; rows: number }> {
  const first = parseDocument(await visitor.read(href));
  let rows = 0;
  for (let page = first; ; ) {
    rows += selectAll("table:is(.jobs, .page-lines) tbody tr", page).length;
    const next = selectOne<AnyNode, Element>('a[rel="next"]', page)?.attribs.href;
    if (next === undefined) return { total: totalOf(first), rows };
    page = parseDocument(await visitor.read(next));
  }
}

/** Follows every number of the page that is a link, and expects a list of this length. Returns the number of links. */
async function expectListsOfSameLength(visitor: Visitor, path: string): Promise<number> {
  const page = parseDocument(await visitor.read(path));
  const numbers = linkedNumbersOf(page);
  for (const { text, href, number } of numbers)
    expect({ path, text, ...(await readList(visitor, href)) }).toEqual({ path, text, total: number, rows: number });
  // The page has no other link to a filtered list, because its length couldn't be compared.
  expect(selectAll('main a[href*="/jobs?"]', page)).toHaveLength(numbers.length);
  return numbers.length;
}

/**
 * Follows the links that filter the pages of a batch, and expects lists with these numbers of pages. Returns the texts of
 * the links.
 */
async function expectPagesOfSameLength(visitor: Visitor, id: string): Promise<string[]> {
  const path = `/dashboard/batches/${id}`;
  const page = parseDocument(await visitor.read(path));
  const links = selectAll<AnyNode, Element>('main :is(nav[aria-label="Pages by status"] a, a.chip)[href]', page);
  for (const link of links) {
    const text = textContent(link).trim();
    const number = Number(text.split(" ").at(-1)?.replaceAll(",", ""));
    expect([path, text, (await readList(visitor, link.attribs.href ?? "")).rows]).toEqual([path, text, number]);
  }
  // The page has no other link to a part of its pages, except for the next part.
  const filtered = links.filter(({ attribs }) => attribs.href?.includes("?"));
  expect(selectAll(`main a[href*="${path}?"]:not([rel])`, page)).toHaveLength(filtered.length);
  return links.map((link) => textContent(link).trim());
}

async function expectSameLengths(visitor: Visitor): Promise<number> {
  const [first, yesterday] = [dayOf(startOfDay(29)), dayOf(startOfDay(1))];
  let links = 0;
  for (const path of [
    "/dashboard",
    "/dashboard/usage",
    "/dashboard/usage?chart=credits",
    `/dashboard/usage?from=${first}&to=${yesterday}`,
    `/dashboard/usage?from=${first}&to=${first}`,
    `/dashboard/usage?from=${dayOf(startOfDay(364))}`,
  ])
    links += await expectListsOfSameLength(visitor, path);
  return links;
}

describe("a number that links to a list", () => {
  itOnOneDay("is the length of the list, on the overview and the usage page", async () => {
    const { visitor, client, account } = await signUpWithManyRequests();
    const other = await createClient({ accountId: client.accountId, mode: "test" });
    for (const host of ["example.com", "login.test", "needs-rendering.test", "dns.test", "dns.test", "blocked.test"])
      await client.scrape({ url: `https://${host}/` });
    for (const host of ["example.com", "soft-404.test", "timeout.test"])
      await other.scrape({ url: `https://${host}/` });
    await client.call("POST", "/v1/parse?wait=true", { url: "https://example.com/", prompt: "The title" });
    await client.call("POST", "/v1/serp?wait=true", { query: "one" });
    await other.call("POST", "/v1/serp?wait=true", { query: "blocked" });
    const hosts = ["example.com", "login.test", "dns.test", "needs-rendering.test"];
    const requests = Array.from({ length: PAGES }, (_, i) => ({ url: `https://${hosts[i % 4]}/${i}` }));
    await runBatch(client, { requests });
    await runBatch(other, { requests: requests.slice(0, 3), endpoint: "parse", defaults: { prompt: "The title" } });
    const crawl = await other.call("POST", "/v1/crawl", { url: "https://example.com/", sitemap: "skip" });
    const { crawl_id: id } = await crawl.json<{ crawl_id: string }>();
    const { pages } = await awaitCrawl(account, { mode: "test", id });
    // The first and the last moment of days at the ends of the ranges, and the moments next to them.
    for (const at of [startOfDay(29), startOfDay(29) - 1, startOfDay(28) - 1, startOfDay(28), startOfDay(0) - 1])
      await completeJob(account, "login", { mode: "test", id: idAt(account, at), keyId: "dashboard" });
    await createUnfinished(account, client.keyId);
    await createUnfinished(account, "dashboard");
    await completeJob(account, "login");

    expect(pages.length).toBeGreaterThan(1);
    const overview = parseDocument(await visitor.read("/dashboard"));
    const texts = linkedNumbersOf(overview).map(({ text }) => text);
    // One job, a quarter of the batch's pages, and four jobs of earlier days.
    expect(texts).toContain(`${1 + PAGES / 4 + 4} jobs with login`);
    // Two jobs, a quarter of the batch's pages, and one page of the second batch.
    expect(texts).toContain(`${2 + PAGES / 4 + 1} jobs with dns_failure`);
    expect(await expectSameLengths(visitor)).toBeGreaterThan(60);
    await visitor.post("/dashboard/mode", { mode: "live" });
    expect(await expectSameLengths(visitor)).toBeGreaterThan(5);
  });

  it("is the length of the list, on the page of a batch or crawl", async () => {
    const { visitor, client, account } = await signUpWithManyRequests();
    const hosts = ["example.com", "login.test", "dns.test", "needs-rendering.test"];
    const requests = Array.from({ length: 4 * 26 }, (_, i) => ({ url: `https://${hosts[i % 4]}/${i}` }));
    const ended = await runBatch(client, { requests });
    expect((await expectPagesOfSameLength(visitor, ended)).toSorted()).toEqual([
      ...["All 104", "Completed 78", "Failed 26"],
      ...["dns_failure 26", "login 26", "needs_rendering 26", "ok 26"],
    ]);
    const { batch_id: canceled } = await postBatch(client, { requests });
    await client.call("POST", `/v1/batch/${canceled}/cancel`);
    await awaitBatch(client, canceled);
    expect((await expectPagesOfSameLength(visitor, canceled)).length).toBeGreaterThan(2);
    const crawl = await client.call("POST", "/v1/crawl", { url: "https://example.com/", sitemap: "skip" });
    const { crawl_id: id } = await crawl.json<{ crawl_id: string }>();
    const { pages } = await awaitCrawl(account, { mode: "test", id });
    expect(await expectPagesOfSameLength(visitor, id)).toContain(`All ${pages.length}`);

    // The jobs of a day have been archived. The batch still exists, because it ended on the next day.
    await sqlIn(account, "UPDATE account SET archived_before = '2999-01-01'");
    await sqlIn(account, "DELETE FROM jobs WHERE batch_id = ?1 AND page <= 8", ended);
    expect(await expectPagesOfSameLength(visitor, ended)).toEqual(["All 104"]);
    expect(await visitor.read(`/dashboard/batches/${ended}?code=login&pages=failed`)).toContain("dns_failure 26");
  });

  itOnOneDay("leads to a list that shows its conditions, and the user can remove them", async () => {
    const user = await signUp();
    const { visitor } = user;
    await completeJob(await accountOf(user), "login");
    const [link] = linkedNumbersOf(parseDocument(await visitor.read("/dashboard")));
    const list = parseDocument(await visitor.read(link?.href ?? ""));
    const labelOf = ({ attribs }: Element) =>
      textContent(selectAll<AnyNode, Element>(`label[for="${attribs.id}"]`, list));
    const fields = selectAll<AnyNode, Element>("form[aria-label='Filter jobs'] :is(input, select)", list);
    const selected = fields.flatMap((field) => {
      const [option] = selectAll<AnyNode, Element>("option[selected]", field);
      const value = option === undefined ? field.attribs.value : textContent(option);
      return value === undefined || value === "" || value === "All" ? [] : [[labelOf(field), value]];
    });
    expect(selected).toEqual([
      ["Outcome", "login"],
      ["Pages of batches and crawls", "Included"],
      ["From (UTC)", dayOf(startOfDay(29))],
      ["To (UTC)", dayOf(startOfDay(0))],
    ]);
    expect(selectAll('a[href="/dashboard/jobs"]', list).map((clear) => textContent(clear))).toContain("Clear");
  });

  itOnOneDay("is the length of a list of very many jobs", async () => {
    const user = await signUp();
    const account = await accountOf(user);
    await insertMany(account, 12_000);
    const page = parseDocument(await user.visitor.read("/dashboard/usage"));
    const numbers = linkedNumbersOf(page);
    expect(numbers.map(({ number }) => number)).toEqual([12_000, 12_000, 12_000]);
    for (const { text, href } of numbers) {
      const list = parseDocument(await user.visitor.read(href));
      expect([text, totalOf(list)]).toEqual([text, expect.stringMatching(/^at least [\d,]+ jobs$/)]);
    }
  });

  itOnOneDay("is shown by a list that ends before its first job", async () => {
    const user = await signUp();
    const account = await accountOf(user);
    await insertMany(account, 4, { keyId: "rare", days: 1 });
    await insertMany(account, 150_001);
    const page = parseDocument(await user.visitor.read("/dashboard/usage"));
    const link = linkedNumbersOf(page).find(({ href }) => href.includes("key_id=rare"));
    expect(link?.number).toBe(4);
    const list = parseDocument(await user.visitor.read(link?.href ?? ""));
    const texts = selectAll<AnyNode, Element>(".empty :is(h2, a)", list).map((each) => textContent(each));
    expect(texts).toEqual(["No matching jobs so far", "Search older jobs"]);
    const next = selectOne<AnyNode, Element>(".empty a", list)?.attribs.href ?? "";
    expect((await readList(user.visitor, next)).rows).toBe(4);
  });

  itOnOneDay("doesn't exist for days whose jobs are archived, because lists omit them", async () => {
    const user = await signUp();
    const account = await accountOf(user);
    for (const days of [0, 1, 2]) await completeJob(account, "login", { id: idAt(account, startOfDay(days)) });
    await sqlIn(account, "UPDATE account SET archived_before = ?1", dayOf(startOfDay(1)));
    for (const path of ["/dashboard", "/dashboard/usage"]) {
      const html = await user.visitor.read(path);
      expect(linkedNumbersOf(parseDocument(html))).toEqual([]);
      expect(html).toContain("login");
    }
    const since = `/dashboard/usage?from=${dayOf(startOfDay(1))}`;
    expect(await expectListsOfSameLength(user.visitor, since)).toBe(3);
  });
});

async function accountOf(user: SignedUp): Promise<AccountRef> {
  return await refOf(await accountIdOf(user));
}

/** Inserts this number of jobs, which failed on a day, and their usage. */
async function insertMany(account: AccountRef, count: number, { keyId = "key", days = 0 } = {}): Promise<void> {
  await sqlIn(
    account,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO jobs (mode, id, key_id, endpoint, status, waits, rendered, waiting, origin, credits, created_at, code,
       error, receipt)
     SELECT 'live', ?2 || printf('-7000-8000-%012x', i), ?3, 'scrape', 'failed', 0, 0, 0, '', 1, 0, 'dns_failure',
       '{"message":"No such host.","status":502,"retryable":true}', '{"total":0,"lines":[]}' FROM n`,
    count,
    toIdStart(startOfDay(days)),
    keyId,
  );
  await sqlIn(
    account,
    `INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations)
     VALUES ('live', ?1, ?3, 'scrape', 'dns_failure', 1, ?2, 0, '{}')`,
    dayOf(startOfDay(days)),
    count,
    keyId,
  );
}
