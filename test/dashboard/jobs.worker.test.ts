import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { toIdStart } from "../../src/lib/id";
import type { Mode } from "../../src/model/api-key";
import type { Outcome } from "../../src/model/job";
import { DAY_MS } from "../../src/model/limits";
import { getListedKey } from "../../src/store/keys";
import { sqlIn, stubOf } from "../support/account";
import { type Client, createClient, ORIGIN, read, refOf } from "../support/client";
import { completeJob } from "../support/complete-job";
import { createTestJob } from "../support/jobs";
import { retain } from "../support/retention";
import { createBatch } from "../support/stored-batch";
import { signUpWithTestKey } from "../support/visitor";
import { receiver } from "../support/webhooks";

async function run(client: Client, endpoint: string, body: Record<string, unknown>): Promise<string> {
  return (await read(await client.call("POST", `/v1/${endpoint}?wait=true`, body))).job_id;
}

/** Replaces the result of a job that has ended. */
async function endWith(
  { accountId }: Client,
  id: string,
  { result, meta = {} }: { result: unknown; meta?: unknown },
): Promise<void> {
  const account = await refOf(accountId);
  await sqlIn(account, "UPDATE jobs SET result_in = 'payload', meta = ?2 WHERE id = ?1", id, JSON.stringify(meta));
  await sqlIn(
    account,
    "INSERT OR REPLACE INTO payloads (mode, id, result) VALUES ('test', ?1, ?2)",
    id,
    JSON.stringify(result),
  );
}

/** Returns the part of a job's page with one view of the result. */
function panelOf(page: string, view: string): string {
  const [, rest = ""] = page.split(`id="panel-result-${view}"`);
  return rest.split('role="tabpanel"')[0] ?? "";
}

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;

it("the page of a job shows its receipt", async () => {
  const { visitor, client } = await signUpWithTestKey();
  const id = await run(client, "scrape", { url: "https://example.com/", render: "always" });
  const [, receipt = ""] = (await visitor.read(`/dashboard/jobs/${id}`)).split('aria-label="Receipt"');
  const text = receipt.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  expect(text).toContain("Scrape 1 credit Rendering 1 credit Refund -2 credits (test key)");
  expect(text).toContain("Total 0 credits");
});

describe("the list of jobs", () => {
  it("shows jobs newest first, filtered by the query string", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const none = await visitor.read("/dashboard/jobs");
    expect(none).toContain("No test jobs yet");
    // The empty list also updates itself, so that new jobs appear.
    expect(none).toContain('data-live="/dashboard/jobs" data-busy="true"');
    const first = await run(client, "scrape", { url: "https://example.com/first?page=2" });
    await run(client, "scrape", { url: "https://blocked.test/" });
    await run(client, "serp", { query: "a <b>bold</b> query", engine: "bing" });
    const page = await visitor.read("/dashboard/jobs");
    expect(page).toContain(`href="/dashboard/jobs/${first}"`);
    expect(page.indexOf("a &lt;b&gt;bold&lt;/b&gt; query")).toBeLessThan(page.indexOf("example.com/first?page=2"));
    expect(page).toContain("serp · bing");
    const failed = await visitor.read("/dashboard/jobs?status=failed&endpoint=scrape");
    expect(failed).toContain("blocked_by_target");
    expect(failed).not.toContain("example.com/first");
    expect(failed).toContain('<option value="failed" selected="">');
    expect(await visitor.read("/dashboard/jobs?status=failed&endpoint=serp")).toContain("No matching jobs");
    const found = await visitor.read("/dashboard/jobs?q=FIRST");
    expect(found).toContain("example.com/first");
    expect(found).not.toContain("blocked.test");
    expect(found).toMatch(/<input id="field-q"[^>]* value="FIRST"/);
    const blocked = await visitor.read("/dashboard/jobs?code=blocked_by_target");
    expect(blocked).toContain("blocked.test");
    expect(blocked).not.toContain("example.com/first");
    const today = new Date().toISOString().slice(0, 10);
    expect(await visitor.read(`/dashboard/jobs?from=${today}&to=${today}`)).toContain("example.com/first");
    expect(await visitor.read("/dashboard/jobs?to=2026-01-01")).toContain("No matching jobs");
    await visitor.post("/dashboard/mode", { mode: "live" });
    expect(await visitor.read("/dashboard/jobs")).not.toContain("example.com/first");
  });

  it("lists the pages of batches only if they are included", async () => {
    const { visitor, client } = await signUpWithTestKey();
    await run(client, "scrape", { url: "https://example.com/single" });
    const batch = await createBatch(await refOf(client.accountId), ["https://example.com/of-a-batch"]);
    expect(await visitor.read("/dashboard/jobs")).not.toContain("example.com/of-a-batch");
    const all = await visitor.read("/dashboard/jobs?include=children");
    expect(all).toContain("example.com/single");
    expect(all).toContain("example.com/of-a-batch");
    expect(all).toContain('<option value="children" selected="">');
    const own = await visitor.read(`/dashboard/jobs?batch_id=${batch.id}`);
    expect(own).toContain("example.com/of-a-batch");
    expect(own).not.toContain("example.com/single");
  });

  it("shows the outcome of a page without content, and filters by it", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const account = await refOf(client.accountId);
    await completeJob(account, "login", { mode: "test", subject: "https://example.com/members" });
    await completeJob(account, "ok", { mode: "test", subject: "https://example.com/article" });
    const all = await visitor.read("/dashboard/jobs");
    expect(all).toMatch(
      /completed<\/span> <span class="status warn" title="The page is a sign-in form.">login<\/span>/,
    );
    expect(all.match(/class="status warn"/g)).toHaveLength(1);
    const logins = await visitor.read("/dashboard/jobs?outcome=login");
    expect(logins).toContain("example.com/members");
    expect(logins).not.toContain("example.com/article");
    expect(logins).toContain('<option value="login" selected="">');
    expect(await visitor.read("/dashboard/jobs?outcome=parked")).toContain("No matching jobs");
  });

  it("shows the key of each job, and filters by it", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const account = await refOf(client.accountId);
    await env.DB.prepare("UPDATE api_keys SET name = 'Crawler <1>' WHERE id = ?1").bind(client.keyId).run();
    const other = await createClient({ accountId: client.accountId, mode: "test" });
    const { last4 } = (await getListedKey(env.DB, { id: other.keyId, accountId: client.accountId })) ?? {};
    await run(client, "scrape", { url: "https://example.com/named" });
    await run(other, "scrape", { url: "https://example.com/unnamed" });
    await completeJob(account, "ok", { mode: "test", subject: "https://example.com/played", keyId: "dashboard" });
    await completeJob(account, "ok", { mode: "test", subject: "https://example.com/deleted", keyId: "gone" });
    const all = await visitor.read("/dashboard/jobs");
    for (const [subject, label] of [
      ["named", "Crawler &lt;1&gt;"],
      ["unnamed", `…${last4}`],
      ["played", "Playground"],
      ["deleted", "Deleted key gone"],
    ])
      expect(all).toMatch(new RegExp(`example.com/${subject}</a></td>(<td>.{0,60}</td>){2}<td>${label}</td>`));
    const named = await visitor.read(`/dashboard/jobs?key_id=${client.keyId}&outcome=ok`);
    expect(named).toContain("example.com/named");
    expect(named).toContain("1 job</p>");
    expect(named).not.toContain("example.com/unnamed");
    expect(named).toContain(`<option value="${client.keyId}" selected="">Crawler &lt;1&gt;</option>`);
    expect(await visitor.read("/dashboard/jobs?key_id=gone")).toContain(
      '<option value="gone" selected="">Deleted key gone</option>',
    );
  });

  it("shows when each job was created, with the exact time in the tooltip", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const account = await refOf(client.accountId);
    const completeAt = (ms: number) =>
      completeJob(account, "ok", { mode: "test", id: `${toIdStart(ms)}-7000-8000-00${account.tag}` });
    await completeAt(Date.parse("2026-01-02T03:04:05Z"));
    expect(await visitor.read("/dashboard/jobs")).toContain(
      '<time datetime="2026-01-02T03:04:05.000Z" title="2026-01-02T03:04:05.000Z">2026-01-02 03:04 UTC</time>',
    );
  });

  it("opens the job whose id is in the search box", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await run(client, "scrape", { url: "https://example.com/" });
    const found = await visitor.get(`/dashboard/jobs?q=%20${id.toUpperCase()}%20&status=failed`);
    expect([found.status, found.headers.get("location")]).toEqual([303, `/dashboard/jobs/${id}`]);
    const foreign = await visitor.read("/dashboard/jobs?q=0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11");
    expect(foreign).toContain("No job, batch or crawl has this ID.");
  });

  it("says that a request has created no record, and still lists the jobs with the id in their URLs", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const body = { url: "https://example.com/" };
    const headers = { "idempotency-key": "one" };
    await client.call("POST", "/v1/scrape", body, { headers });
    const responses = [
      await client.call("POST", "/v1/scrape", { url: "none" }),
      await client.call("GET", "/v1/jobs"),
      await client.call("POST", "/v1/scrape", { ...body, dry_run: true }),
      await client.call("POST", "/v1/scrape", body, { headers }),
    ];
    const ids = responses.map((response) => response.headers.get("x-request-id") ?? "");
    const found = `https://example.com/${ids[1]}`;
    await completeJob(await refOf(client.accountId), "ok", { mode: "test", subject: found });
    for (const [i, id] of ids.entries()) {
      const list = await visitor.read(`/dashboard/jobs?q=${id}`);
      expect(list).toContain("The request may have been refused, or it repeated an earlier one.");
      expect(list).toContain(i === 1 ? ">example.com/" : "No matching jobs");
    }
  });

  it("opens an archived job by its id", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const account = await refOf(client.accountId);
    const id = `${toIdStart(Date.now() - 402 * DAY_MS)}-7000-8000-00${account.tag}`;
    await completeJob(account, "ok", { mode: "test", id });
    await retain(account, Date.now());
    expect(await sqlIn(account, "SELECT id FROM jobs")).toEqual([]);
    const found = await visitor.get(`/dashboard/jobs?q=${id}`);
    expect([found.status, found.headers.get("location")]).toEqual([303, `/dashboard/jobs/${id}`]);
    expect(await visitor.read(`/dashboard/jobs/${id}`)).toContain(id);
  });

  it.each([
    ["live", "test"],
    ["test", "live"],
  ] as const)("says that the id belongs to a %s job, and switches to its data", async (mode, shown) => {
    const { visitor, client } = await signUpWithTestKey();
    const { id } = await completeJob(await refOf(client.accountId), "ok", { mode });
    await visitor.post("/dashboard/mode", { mode: shown });
    const search = `/dashboard/jobs?q=${id}`;
    const list = await visitor.read(search);
    expect(list).toContain(`This is a ${mode} job.`);
    expect(list).toContain(`>Switch to ${mode} data</button>`);
    const switched = await visitor.post("/dashboard/mode", { mode }, { referer: `${ORIGIN}${search}` });
    expect(switched.headers.get("location")).toBe(search);
    expect((await visitor.get(search)).headers.get("location")).toBe(`/dashboard/jobs/${id}`);
  });

  it("opens the job or batch that the request with this X-Request-Id created", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const openedBy = async (requestId: string | null) => {
      const found = await visitor.get(`/dashboard/jobs?q=${requestId}`);
      return [found.status, found.headers.get("location")];
    };
    const scrape = await client.scrape({ url: "https://example.com/" });
    const { job_id } = await read(scrape);
    expect(await openedBy(scrape.headers.get("x-request-id"))).toEqual([303, `/dashboard/jobs/${job_id}`]);
    const failed = await client.scrape({ url: "https://dns.test/" });
    const { job_id: failedId } = await read(failed);
    expect(await openedBy(failed.headers.get("x-request-id"))).toEqual([303, `/dashboard/jobs/${failedId}`]);

    const batch = await client.call("POST", "/v1/batch", {
      endpoint: "scrape",
      requests: [{ url: "https://a.test/" }],
    });
    const { batch_id } = await batch.json<{ batch_id: string }>();
    expect(await openedBy(batch.headers.get("x-request-id"))).toEqual([303, `/dashboard/batches/${batch_id}`]);
    const crawl = await client.call("POST", "/v1/crawl", { url: "https://example.com/", limit: 1 });
    const { crawl_id } = await crawl.json<{ crawl_id: string }>();
    expect(await openedBy(crawl.headers.get("x-request-id"))).toEqual([303, `/dashboard/batches/${crawl_id}`]);

    const { visitor: stranger } = await signUpWithTestKey();
    expect(await stranger.read(`/dashboard/jobs?q=${scrape.headers.get("x-request-id")}`)).toContain(
      "No job, batch or crawl has this ID.",
    );
  });

  it("opens the job of the playground whose page shows this request id", async () => {
    const { visitor } = await signUpWithTestKey();
    await visitor.post("/dashboard/playground?endpoint=scrape", { url: "https://example.com/", formats: "markdown" });
    const [, id = ""] = /href="\/dashboard\/jobs\/([\w-]{36})"/.exec(await visitor.read("/dashboard/jobs")) ?? [];
    const [, requestId] =
      /<dt>Request ID<\/dt><dd><code>([\w-]+)</.exec(await visitor.read(`/dashboard/jobs/${id}`)) ?? [];
    const found = await visitor.get(`/dashboard/jobs?q=${requestId}`);
    expect([found.status, found.headers.get("location")]).toEqual([303, `/dashboard/jobs/${id}`]);
  });

  it("filters by labels, to which the page of a job links", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const labels = { tags: ["<b>", "nightly"], metadata: { "order no": 1042 } };
    const id = await run(client, "scrape", { url: "https://example.com/labeled", ...labels });
    await run(client, "scrape", { url: "https://example.com/other" });
    const job = await visitor.read(`/dashboard/jobs/${id}`);
    const links = [...job.matchAll(/href="(\/dashboard\/jobs\?[^"]*(?:tag|metadata)[^"]*)"/g)].map(
      ([, href = ""]) => href,
    );
    expect(links).toHaveLength(3);
    for (const href of links) {
      const list = await visitor.read(href.replaceAll("&amp;", "&"));
      expect(list).toContain("example.com/labeled");
      expect(list).not.toContain("example.com/other");
    }
    const filtered = await visitor.read("/dashboard/jobs?tag=nightly&metadata%5Border+no%5D=1042");
    expect(filtered).toMatch(/<input[^>]* name="tag"[^>]* value="nightly"/);
    expect(filtered).toMatch(/<input[^>]* name="metadata\[order no\]"[^>]* value="1042"/);
    expect(await visitor.read("/dashboard/jobs?tag=night")).toContain("No matching jobs");
  });

  it("removes empty fields of the form from the URL", async () => {
    const { visitor } = await signUpWithTestKey();
    const response = await visitor.get("/dashboard/jobs?q=a+b&status=&endpoint=serp&outcome=&code=&from=&to=");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard/jobs?q=a+b&endpoint=serp"]);
  });

  it.each([
    ["status=nonsense", "status", "must be one of queued, processing, completed, failed"],
    ["from=yesterday", "from", "must be an ISO 8601 date"],
    ["from=2026-11-02&to=2026-11-01", "to", "must be later than &#39;from&#39;"],
    ["code=nonsense", "code", "must be one of"],
  ])("refuses %s, names the field and keeps the value", async (query, field, rule) => {
    const { visitor } = await signUpWithTestKey();
    const response = await visitor.get(`/dashboard/jobs?${query}`);
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain(`The parameter &#39;${field}&#39; ${rule}`);
    expect(page).toMatch(new RegExp(`id="field-${field}"[^>]* aria-invalid="true"`));
    const value = new URLSearchParams(query).get(field);
    expect(page).toMatch(new RegExp(`value="${value}"`));
  });

  it("refuses an invalid cursor", async () => {
    const { visitor } = await signUpWithTestKey();
    expect((await visitor.get("/dashboard/jobs?cursor=x")).status).toBe(400);
  });

  it("says that archived jobs aren't listed", async () => {
    const { visitor, client } = await signUpWithTestKey();
    await run(client, "scrape", { url: "https://example.com/old" });
    expect(await visitor.read("/dashboard/jobs")).not.toContain("archived");
    await sqlIn(await refOf(client.accountId), "UPDATE account SET archived_before = '2999-01-01'");
    const page = await visitor.read("/dashboard/jobs?outcome=ok");
    expect(page).toContain("No matching jobs");
    expect(page).toContain(">2999-01-01 00:00 UTC</time> are archived");
  });

  it("keeps the filter on the next pages", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const one = await run(client, "scrape", { url: "https://example.com/oldest" });
    const account = await refOf(client.accountId);
    await sqlIn(
      account,
      `INSERT INTO jobs (mode, id, key_id, endpoint, status, waits, rendered, waiting, origin, credits, created_at,
         receipt)
       SELECT mode, format('fffff%d-0000-7000-8000-000000000000', json_each.value), key_id, endpoint, status, 0, 0, 0, origin, 0,
         created_at, receipt
       FROM jobs, json_each(?2) WHERE jobs.id = ?1`,
      one,
      JSON.stringify(Array.from({ length: 30 }, (_, i) => i + 100)),
    );
    await sqlIn(account, "UPDATE usage SET requests = 31 WHERE mode = 'test'");
    const newest = await visitor.read("/dashboard/jobs?status=completed");
    expect(newest).toContain("<span>31 jobs</span>");
    expect(newest).not.toContain(one);
    const cursor = "fffff105-0000-7000-8000-000000000000";
    expect(newest).toContain(`href="/dashboard/jobs?status=completed&amp;cursor=${cursor}"`);
    const oldest = await visitor.read(`/dashboard/jobs?status=completed&cursor=${cursor}`);
    expect(oldest).toContain(one);
    expect(oldest).not.toContain("data-busy");
    expect(oldest).toContain('<a class="button quiet small" href="/dashboard/jobs?status=completed">Newest</a>');
  });

  it("refreshes while a job is unfinished", async () => {
    const { visitor, client } = await signUpWithTestKey();
    await visitor.post("/dashboard/mode", { mode: "live" });
    const account = await refOf(client.accountId);
    const job = await createTestJob("https://example.com/waiting", { account });
    expect(await visitor.read("/dashboard/jobs")).toMatch(/data-live="\/dashboard\/jobs"[^>]* data-busy="true">/);
    const page = await visitor.read(`/dashboard/jobs/${job.id}`);
    expect(page).toMatch(new RegExp(`data-live="/dashboard/jobs/${job.id}"[^>]* data-busy="true"`));
    expect(page).toContain("The job is queued.");
    await stubOf(account).cancel(job);
  });
});

describe("a job", () => {
  it("shows each format of a scrape in a separate view", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const formats = ["markdown", "text", "html", "screenshot", "metadata", "links"];
    const id = await run(client, "scrape", { url: "https://example.com/a", formats });
    const path = `/dashboard/jobs/${id}`;
    const page = await visitor.read(path);
    expect(page).toContain(`href="/dashboard/playground?from=${id}"`);
    for (const label of ["Markdown", "Markdown source", "Text", "HTML", "Screenshot", "Metadata", "Links", "JSON"])
      expect(page).toMatch(new RegExp(`role="tab"[^>]*>${label}</button>`));
    expect(panelOf(page, "markdown")).toMatch(/<h3 class="md-1">[^<]*example\.com/);
    expect(panelOf(page, "source")).toContain("# Mock page of example.com");
    expect(panelOf(page, "html")).toContain("&lt;!DOCTYPE html&gt;");
    expect(panelOf(page, "metadata")).toMatch(/>status_code<\/div><\/td><td[^>]*><div>200</);
    expect(panelOf(page, "links")).toContain('rel="noopener noreferrer nofollow"');
    const [, picture = ""] = /<img src="(\/screenshots\/[^"]+)"/.exec(panelOf(page, "screenshot")) ?? [];
    const response = await visitor.get(picture.replaceAll("&amp;", "&"));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    await response.body?.cancel();
  });

  it("shows search results as a table with links", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await run(client, "serp", { query: "coffee" });
    const page = await visitor.read(`/dashboard/jobs/${id}`);
    expect(page.match(/<td data-label="Result"><div><bdi><a href="https:[^"]*"/g)).toHaveLength(10);
    expect(page).toMatch(/<a href="https:\/\/example\.com\/google\/coffee\/1"[^>]*>coffee: the complete guide<\/a>/);
    expect(page).toMatch(/10 results, of about [\d,]+, in /);
    expect(panelOf(page, "json")).toContain("&quot;search_time_ms&quot;");
  });

  it("shows extracted data with evidence, and marks values that aren't on the page", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await run(client, "parse", { url: "https://example.com/p", prompt: "The product", evidence: true });
    await endWith(client, id, {
      result: { name: "Lamp", offers: [{ "per/unit": 12 }], colour: "red" },
      meta: {
        model_used: "a-model",
        evidence: {
          "/name": { quote: "The Lamp, new", verified: true },
          "/offers/0/per~1unit": { quote: "12", verified: true },
        },
        unverified: ["/colour"],
      },
    });
    const page = await visitor.read(`/dashboard/jobs/${id}`);
    expect(page).toContain("1 value of the result doesn&#39;t occur on the page.");
    expect(page).toMatch(/>Lamp<.{0,400}found on the page<q>The Lamp, new<\/q>/);
    expect(page).toMatch(/>per\/unit<.{0,400}> found on the page</);
    expect(page).toMatch(/>red<.{0,400}> not found on the page</);
    expect(page).toContain("<dt>Model used</dt><dd>a-model</dd>");
  });

  it.each<[Mode, Outcome, number, string]>([
    ["live", "login", 0, "The page is a sign-in form. Nothing was charged."],
    ["live", "paywall", 2, "The complete text needs a subscription. 2 credits were charged."],
    ["test", "parked", 0, "It has no content. Test requests are free."],
  ])("with a %s key explains the outcome %s, its price of %d and what to do", async (mode, outcome, price, text) => {
    const { visitor, client } = await signUpWithTestKey();
    await visitor.post("/dashboard/mode", { mode });
    const account = await refOf(client.accountId);
    const extras = { outcome, outcome_reason: `The page has a "<b>form</b>".` };
    const job = await completeJob(account, outcome, { mode, credits: mode === "test" ? 0 : 2, extras });
    if (price > 0) await sqlIn(account, "UPDATE jobs SET credits_used = ?2 WHERE id = ?1", job.id, price);
    const page = await visitor.read(`/dashboard/jobs/${job.id}`);
    expect(page).toContain(`<h2 id="outcome-title"><code>${outcome}</code></h2><p>`);
    expect(page).toContain(text);
    expect(page).toContain("<strong>What to do:</strong>");
    expect(page).toContain("<strong>Evidence:</strong> The page has a &quot;&lt;b&gt;form&lt;/b&gt;&quot;.");
    expect(page).toContain(`<dt>Outcome</dt><dd>${outcome}</dd>`);
    expect(page).not.toContain("<dt>Outcome reason</dt>");
    expect(page.includes("this outcome is free")).toBe(mode === "live" && price === 0);
    const answer = await visitor.read(`/dashboard/playground?job=${job.id}`);
    expect(answer).toContain(text);
  });

  it("with an outcome of a later version is shown without an explanation", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const account = await refOf(client.accountId);
    const job = await completeJob(account, "login", { mode: "test" });
    await sqlIn(account, "UPDATE jobs SET outcome = 'later' WHERE id = ?1", job.id);
    expect(await visitor.read(`/dashboard/jobs/${job.id}`)).toContain("<code>later</code>");
    expect(await visitor.read("/dashboard/jobs")).toContain(">later</span>");
  });

  it("shows the error and advice", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await run(client, "scrape", { url: "https://dns.test/" });
    const page = await visitor.read(`/dashboard/jobs/${id}`);
    expect(page).toContain("The name dns.test could not be resolved.");
    expect(page).toContain("Check the spelling of the host name.");
    expect(page).toContain("may succeed later");
  });

  it("offers a large result as a download instead of a preview", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await run(client, "scrape", { url: "https://large.test/", formats: ["html", "markdown", "links"] });
    const page = await visitor.read(`/dashboard/jobs/${id}`);
    expect(page).toContain("t be shown here");
    expect(page).toMatch(new RegExp(`href="/dashboard/jobs/${id}/result" download`));
    expect(page.length).toBeLessThan(20_000);
    const download = await visitor.get(`/dashboard/jobs/${id}/result`);
    expect(download.headers.get("content-disposition")).toBe(`attachment; filename="scrape-${id}.json"`);
    const { result } = await read(await client.call("GET", `/v1/jobs/${id}`));
    expect(await download.json()).toEqual(result);
  });

  it("shortens the HTML of a request that is stored in R2", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const html = `<p>${"long ".repeat(20_000)}THE END</p>`;
    const id = await run(client, "parse", { html, prompt: "What is it?" });
    const page = await visitor.read(`/dashboard/jobs/${id}`);
    expect(page).toContain("What is it?");
    expect(page).toContain("These fields are shortened: html.");
    expect(page).not.toContain("THE END");
    expect(await visitor.read("/dashboard/jobs")).toContain("Large request");
  });

  it("doesn't show a request that is too large, but offers to run it again", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await run(client, "parse", { html: `<p>${"long ".repeat(60_000)}</p>`, prompt: "What is it?" });
    const page = await visitor.read(`/dashboard/jobs/${id}`);
    expect(page).toContain("t be shown here");
    expect(page).not.toContain(`id="request"`);
    expect(page).toContain(`href="/dashboard/playground?from=${id}"`);
  });

  it("shows that a result has expired", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await run(client, "scrape", { url: "https://example.com/old" });
    const account = await refOf(client.accountId);
    await sqlIn(account, "UPDATE jobs SET request = NULL, result_in = NULL, expired = 1 WHERE id = ?1", id);
    await sqlIn(account, "DELETE FROM payloads WHERE id = ?1", id);
    const page = await visitor.read(`/dashboard/jobs/${id}`);
    expect(page).toContain("The result has expired.");
    expect(page).not.toContain("/dashboard/playground?from=");
    expect((await visitor.get(`/dashboard/jobs/${id}/result`)).status).toBe(404);
    expect(await visitor.read("/dashboard/jobs")).toContain("example.com/old");
  });

  it("links to its webhook delivery", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await run(client, "scrape", { url: "https://example.com/pushed" });
    await sqlIn(
      await refOf(client.accountId),
      `INSERT INTO deliveries (mode, id, job_id, event, endpoint_id, url, host, origin, status, created_at)
       VALUES ('test', ?1, ?1, 'job.completed', 'default', 'https://receiver.example/', 'receiver.example', '', 'abandoned', 1)`,
      id,
    );
    const page = await visitor.read(`/dashboard/jobs/${id}`);
    expect(page).toMatch(new RegExp(`abandoned</span> <a href="/dashboard/webhooks/deliveries/${id}"`));
  });

  it("says when its webhook event is sent, or why none was sent", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const webhook_url = receiver("ok");
    const id = await run(client, "scrape", { url: "https://example.com/", webhook_url });
    expect(await visitor.read(`/dashboard/jobs/${id}`)).toContain("No event was sent, because the caller waited");
    const running = await client.call("POST", "/v1/scrape", { url: "https://slow-60.test/", webhook_url });
    const { job_id } = await read(running);
    expect(await visitor.read(`/dashboard/jobs/${job_id}`)).toContain("The event is sent when the job ends.");
    expect((await client.call("DELETE", `/v1/jobs/${job_id}`)).ok).toBe(true);
  });

  it("isn't visible to other accounts or in the other mode", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const id = await run(client, "scrape", { url: "https://example.com/mine" });
    const other = await signUpWithTestKey();
    for (const path of [`/dashboard/jobs/${id}`, `/dashboard/jobs/${id}/result`, "/dashboard/jobs/nonsense"]) {
      const response = await other.visitor.get(path);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain("example.com/mine");
    }
    expect(await other.visitor.read("/dashboard/jobs")).not.toContain("example.com/mine");
    await visitor.post("/dashboard/mode", { mode: "live" });
    expect((await visitor.get(`/dashboard/jobs/${id}`)).status).toBe(404);
  });

  it.each([
    [
      "scrape",
      "markdown",
      { markdown: `# ${HOSTILE}\n\n[x](javascript:alert(1)) ![y](data:text/html,1)\n\n${HOSTILE}` },
    ],
    ["scrape", "source", { markdown: HOSTILE }],
    ["scrape", "html", { html: HOSTILE }],
    ["scrape", "screenshot", { screenshot_url: `javascript:alert(1)//${HOSTILE}` }],
    ["scrape", "metadata", { metadata: { title: HOSTILE, [HOSTILE]: "javascript:alert(1)" } }],
    ["scrape", "links", { links: [{ url: "javascript:alert(1)", text: HOSTILE, rel: HOSTILE }] }],
    [
      "serp",
      "results",
      { organic: [{ position: HOSTILE, title: HOSTILE, url: "javascript:alert(1)", snippet: HOSTILE }] },
    ],
    ["parse", "data", { [HOSTILE]: [HOSTILE, { url: "javascript:alert(1)" }] }],
    ["parse", "json", { [HOSTILE]: HOSTILE }],
  ])("escapes hostile content of a %s as %s", async (endpoint, view, result) => {
    const { visitor, client } = await signUpWithTestKey();
    const formats = ["markdown", "html", "screenshot", "metadata", "links"];
    const id = await run(
      client,
      endpoint,
      {
        scrape: { url: "https://example.com/", formats },
        serp: { query: HOSTILE },
        parse: { url: "https://example.com/", prompt: HOSTILE },
      }[endpoint] as Record<string, unknown>,
    );
    await endWith(client, id, { result });
    const page = await visitor.read(`/dashboard/jobs/${id}`);
    expect(panelOf(page, view)).not.toBe("");
    expect(page).not.toMatch(/<img src=x|<script>|href="(?:javascript|data):/i);
    expect(page.match(/<script/g)).toHaveLength(1);
  });
});
