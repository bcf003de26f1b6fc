import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { chooseTicks, toChartDays } from "../../src/dashboard/ui/usage-chart";
import { DAY_MS } from "../../src/model/limits";
import { createClient, page, refOf, waitForAllJobs } from "../support/client";
import { completeJob } from "../support/complete-job";
import { accountIdOf, signUp } from "../support/visitor";

/** Signs up a user and opens the overview, which creates the account. */
async function signUpAndOpenOverview() {
  const user = await signUp();
  return { ...user, accountId: await accountIdOf(user) };
}

/** Returns the text of a page without tags. */
function toWords(html: string): string {
  return html
    .replace(/<title>.*?<\/title>/gs, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

/** Returns the number of days between `from` and `to` in the link to a list, including both. */
function toDays(href: string): number {
  const query = new URL(href.replaceAll("&amp;", "&"), "https://a.example").searchParams;
  return (Date.parse(query.get("to") ?? "") - Date.parse(query.get("from") ?? "")) / DAY_MS + 1;
}

describe("the overview of a new account", () => {
  it("shows a welcome message, the balance and the first steps", async () => {
    const { visitor } = await signUp();
    const html = await visitor.read("/dashboard?done=welcome");
    expect(html).toMatch(/role="status">Welcome! /);
    const text = toWords(html);
    expect(text).toContain("Balance 500 credits");
    expect(text).toContain("Used in this period 0 of 500 granted");
    expect(text).toContain("You sent no live requests in the last 30 days.");
    expect(text).toContain("No jobs yet");
    expect(html).toContain('href="/dashboard/playground"');
    expect(html).toContain('href="/dashboard/keys/new"');
    expect(text).toContain("curl &#39;https://api.extraction.example/v1/scrape?wait=true&#39;");
  });

  it("shows each first step until it is completed", async () => {
    const { visitor, accountId } = await signUpAndOpenOverview();
    const headings = async () => (await visitor.read("/dashboard")).match(/(?<=<h3>)[^<]*/g);
    expect(await headings()).toEqual(["Scrape a page in the playground", "Create an API key", "Call the API"]);
    const client = await createClient({ accountId, mode: "test" });
    expect(await headings()).toEqual(["Scrape a page in the playground", "Call the API"]);
    expect((await client.scrape({ url: "https://example.com/" })).status).toBe(200);
    await expect.poll(headings).toBeNull();
  });

  it("confirms an action only if it was really done", async () => {
    const { visitor } = await signUp();
    const html = await visitor.read(
      "/dashboard?done=%3Cscript%3Ealert(1)%3C/script%3E&error=%22%3E%3Cimg%20onerror=x%3E",
    );
    expect(html).not.toContain("alert(1)");
    expect(html).not.toContain("<img");
    // The parameter `done` doesn't prove that the address is verified.
    expect(await visitor.read("/dashboard?done=verified")).not.toContain("is verified");
  });
});

describe("the overview", () => {
  it("shows requests and credits by day and endpoint, and subtracts used credits from the balance", async () => {
    const { visitor, accountId } = await signUpAndOpenOverview();
    const client = await createClient({ accountId });
    expect((await client.scrape({ url: page("article") })).status).toBe(200);
    expect((await client.scrape({ url: page("article") })).status).toBe(200);
    const requests = await visitor.read("/dashboard");
    expect(requests).toContain("<h2>Last 30 days</h2>");
    expect(requests).toMatch(/aria-label="Chart of the requests in 30 days: Scrape 2, Parse 0, Search 0, Map 0\./);
    expect(requests.match(/<span>\d+ \w+: [^<]+<\/span><\/button>/g)).toHaveLength(30);
    const [, withoutRequests = ""] = /class="series none" d="([^"]*)"/.exec(requests) ?? [];
    expect(withoutRequests.match(/M/g)).toHaveLength(29);
    expect(toWords(requests)).toContain("Balance 498 credits");
    expect(toWords(requests)).toContain("Used in this period 2 of 500 granted");
    const credits = await visitor.read("/dashboard?chart=credits");
    expect(credits).toMatch(/aria-label="Chart of the credits in 30 days: Scrape 2,/);
    expect(credits).toContain('<a href="/dashboard?chart=credits" aria-current="page">');
  });

  it("shows the success rate, the durations and the most frequent errors of the current mode", async () => {
    const { visitor, accountId } = await signUpAndOpenOverview();
    const client = await createClient({ accountId, mode: "test" });
    await client.scrape({ url: "https://example.com/" });
    await client.scrape({ url: "https://dns.test/" });
    await client.scrape({ url: "https://dns.test/again" });
    expect(toWords(await visitor.read("/dashboard"))).toContain("You sent no live requests in the last 30 days.");
    await visitor.post("/dashboard/mode", { mode: "test" });
    const html = await visitor.read("/dashboard");
    const text = toWords(html);
    expect(text).toContain("Success rate 33.3% of ended jobs With content 100% of completed jobs");
    expect(text).toContain("These figures include 3 jobs that ended in the last 30 days.");
    expect(text).toContain("dns_failure 2 jobs");
    const [, list = ""] = /href="(\/dashboard\/jobs\?code=dns_failure[^"]*)"/.exec(html) ?? [];
    const listed = await visitor.read(list.replaceAll("&amp;", "&"));
    expect(listed.match(/dns_failure<\/code>/g)).toHaveLength(2);
    expect(toDays(list)).toBe(30);
    expect(text).toMatch(/Scrape 3 33\.3% \d+ ms \d+ ms/);
    expect(toWords(await visitor.read("/dashboard?chart=credits"))).toContain("Test requests are free.");
  });

  it("counts the jobs by outcome if their pages had no content", async () => {
    const { visitor, accountId } = await signUpAndOpenOverview();
    const account = await refOf(accountId);
    await completeJob(account, "ok");
    await visitor.read("/dashboard");
    expect(await visitor.read("/dashboard")).toContain("No jobs failed in the last 30 days.");
    for (const outcome of ["login", "soft_404", "login"] as const) await completeJob(account, outcome);
    const html = await visitor.read("/dashboard");
    const text = toWords(html);
    expect(text).toContain("login 2 jobs with login 0 credits The page is a sign-in form.");
    expect(text).toMatch(/soft_404 1 job with soft_404 0 credits .* Check the URL\./);
    const [, list = ""] = /href="(\/dashboard\/jobs\?outcome=login[^"]*)"/.exec(html) ?? [];
    const logins = await visitor.read(list.replaceAll("&amp;", "&"));
    expect(logins.match(/>login<\/span>/g)).toHaveLength(2);
    expect(toDays(list)).toBe(30);
    expect(text).toContain("Success rate 100% of ended jobs With content 25% of completed jobs");
    expect(html.match(/class="status warn"/g)).toHaveLength(3);
  });

  it("shows the account's five latest jobs with escaped text", async () => {
    const { visitor, accountId } = await signUpAndOpenOverview();
    const client = await createClient({ accountId, mode: "test" });
    for (const query of ["one", "two", "three", "four", `<script>alert(1)</script>`, `"><img src=x onerror=alert(2)>`])
      expect((await client.call("POST", "/v1/serp", { query })).status).toBe(202);
    await waitForAllJobs();
    await visitor.post("/dashboard/mode", { mode: "test" });
    const html = await visitor.read("/dashboard");
    expect(html.match(/href="\/dashboard\/jobs\/[0-9a-f-]{36}"/g)).toHaveLength(5);
    expect(html).toContain("Search &lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<img");
    expect(html).not.toContain("Search one");
    const stranger = await signUp();
    await stranger.visitor.post("/dashboard/mode", { mode: "test" });
    expect(await stranger.visitor.read("/dashboard")).toContain("No jobs yet");
  });
});

describe("plan and limits", () => {
  it("marks the current plan and shows rates, concurrency, keys, credits and prices", async () => {
    const { visitor } = await signUp();
    const html = await visitor.read("/dashboard/plan");
    const text = toWords(html);
    expect(text).toContain("Your plan: Free");
    expect(text).not.toContain("charges your account");
    expect(text).toContain("Free current 500 10 5 2 3");
    expect(text).toContain("Pro 20,000 100 25 10 20");
    expect(text).toContain("Business 100,000 500 100 50 100");
    expect(text).toContain("Enterprise custom custom custom custom 1,000");
    expect(text).toMatch(/Parse Rendering is included\. 5 credits/);
    expect(text).toMatch(/Scrape with rendering [^.]*\. 2 credits/);
    expect(text).toMatch(/Scrape with JSON or a summary [^.]*\. 6 credits/);
    expect(text).toMatch(/Synchronous request [^.]*\. 60 s/);
    expect(html.match(/aria-current="true"/g)).toHaveLength(1);
  });

  it("shows the prices of plans and a link to change the plan if the operator gives them", async () => {
    const plain = await (await signUp()).visitor.read("/dashboard/plan");
    expect(plain).not.toContain("Change plan");
    expect(toWords(plain)).toContain("To change your plan or limits, contact");
    const given = { PLAN_PRICES: '{"pro": "$29 per month"}', UPGRADE_URL: "https://example.com/upgrade" };
    const { visitor } = await signUp(undefined, given as unknown as Partial<Env>);
    const html = await visitor.read("/dashboard/plan");
    expect(html).toMatch(/<a [^>]*href="https:\/\/example.com\/upgrade"[^>]*>Change plan<\/a>/);
    expect(toWords(html)).toContain("Pro $29 per month 20,000 100");
    expect(toWords(html)).toContain("Free current – 500 10");
  });

  it("shows the account's own limits", async () => {
    const { visitor, accountId } = await signUpAndOpenOverview();
    await env.DB.prepare(
      `UPDATE accounts SET plan = 'pro', rate_per_minute = 250, monthly_credits = 30000, concurrent_jobs = 7,
         charge_free_outcomes = 1 WHERE id = ?1`,
    )
      .bind(accountId)
      .run();
    const text = toWords(await visitor.read("/dashboard/plan"));
    expect(text).toContain("Requests per minute 250 custom limit");
    expect(text).toContain("Credits per month 30,000 custom limit");
    expect(text).toContain("Concurrent asynchronous jobs 7 custom limit");
    expect(text).toContain("charges your account for pages without content");
    expect(text).toContain("GET /v1/jobs/{id} requests per minute 2,500");
  });
});

describe("the chart", () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [94, [0, 50, 100]],
    [330, [0, 100, 200, 300, 400]],
    [12_345, [0, 5_000, 10_000, 15_000]],
  ])("has round ticks up to at least %d", (max, ticks) => {
    expect(chooseTicks(max)).toEqual(ticks);
  });

  it("contains every day of the period and no older day", () => {
    const now = Date.parse("2026-03-01T00:30:00Z");
    const usage = [
      { date: "2026-03-01", endpoint: "serp", requests: 2, credits: 4 },
      { date: "2026-02-27", endpoint: "scrape", requests: 3, credits: 0 },
      { date: "2026-02-26", endpoint: "scrape", requests: 9, credits: 9 },
    ] as const;
    expect(toChartDays(usage, "requests", 3, now)).toEqual([
      { date: "2026-02-27", counts: { scrape: 3, parse: 0, serp: 0, map: 0 }, total: 3 },
      { date: "2026-02-28", counts: { scrape: 0, parse: 0, serp: 0, map: 0 }, total: 0 },
      { date: "2026-03-01", counts: { scrape: 0, parse: 0, serp: 2, map: 0 }, total: 2 },
    ]);
    expect(toChartDays(usage, "credits", 3, now).map(({ total }) => total)).toEqual([0, 0, 4]);
  });
});
