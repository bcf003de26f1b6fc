import { describe, expect, it } from "vitest";
import { sqlIn } from "../support/account";
import {
  type Client,
  createAccount,
  createClient,
  creditsOf,
  forbidden,
  page,
  querySite,
  refOf,
} from "../support/client";

interface Answer {
  dry_run?: boolean;
  data: Record<string, unknown>;
  error: { code: string; details?: { path: string }[] };
}

async function dryRun(
  client: Client,
  body: Record<string, unknown>,
  { endpoint = "scrape", query = "", headers = {} }: { endpoint?: string; query?: string; headers?: HeadersInit } = {},
) {
  const response = await client.call("POST", `/v1/${endpoint}${query}`, { ...body, dry_run: true }, { headers });
  return { status: response.status, ...(await response.json<Answer>()) };
}

async function countJobs(client: Client): Promise<number> {
  const [row] = await sqlIn<{ jobs: number }>(await refOf(client.accountId), "SELECT COUNT(*) AS jobs FROM jobs");
  return row?.jobs ?? 0;
}

describe("a dry run", () => {
  it.each([
    ["scrape", { render: "auto" }, 2, "plain_then_browser", ["scrape", "rendering"]],
    ["scrape", { render: "auto", max_credits: 1 }, 1, "plain", ["scrape"]],
    ["scrape", { formats: ["screenshot"] }, 2, "browser", ["scrape", "rendering"]],
    ["parse", { prompt: "The title." }, 5, "plain_then_browser", ["parse"]],
  ])("of %s with %j returns the highest price and the method", async (endpoint, fields, credits, method, items) => {
    const client = await createClient();
    const url = page("article");
    for (const query of ["", "?wait=true"]) {
      const { status, dry_run, data } = await dryRun(client, { url, ...fields }, { endpoint, query });
      expect([status, dry_run]).toEqual([200, true]);
      expect(data).toMatchObject({ max_credits: credits, method, balance: 100_000, would_wait: false });
      expect((data.lines as { item: string }[]).map(({ item }) => item)).toEqual(items);
      expect(data.model).toBe(endpoint === "parse" ? "gpt-5.4-mini" : undefined);
    }
    expect([await countJobs(client), await querySite("hits", url)]).toEqual([0, 0]);
    expect(await creditsOf(client.accountId)).toMatchObject({ balance: 100_000, used: 0 });
  });

  it("doesn't use the Idempotency-Key", async () => {
    const client = await createClient();
    const init = { headers: { "Idempotency-Key": "one" } };
    await dryRun(client, { url: page("article") }, init);
    const real = await client.call("POST", "/v1/scrape?wait=true", { url: page("article") }, init);
    expect(real.status).toBe(200);
    expect(await dryRun(client, { url: page("other") }, init)).toMatchObject({ status: 200 });
  });

  it.each([
    ["a target", "scrape", { url: forbidden }, 400, "invalid_target"],
    ["a selector", "scrape", { url: "https://example.com/", wait_for: "p[" }, 400, "invalid_request"],
    ["a country", "scrape", { url: "https://example.com/", proxy_country: "BR" }, 400, "proxy_unavailable"],
    ["a model", "parse", { html: "x", prompt: "x", model: "none" }, 400, "invalid_request"],
    ["a price", "serp", { query: "x", max_credits: 1 }, 402, "price_limit"],
  ])("refuses %s as the request would be", async (_, endpoint, body, status, code) => {
    const client = await createClient();
    expect(await dryRun(client, body, { endpoint })).toMatchObject({ status, error: { code } });
  });

  it("refuses a price above the balance, and a suspended account", async () => {
    const client = await createClient({ accountId: await createAccount({ credits: 1 }) });
    const url = page("article");
    expect(await dryRun(client, { url })).toMatchObject({ status: 200, data: { balance: 1, max_credits: 1 } });
    expect(await dryRun(client, { url, render: "auto" })).toMatchObject({
      ...{ status: 402, error: { code: "insufficient_credits" } },
    });
    await sqlIn(await refOf(client.accountId), "UPDATE account SET suspended_at = 1");
    expect(await dryRun(client, { url })).toMatchObject({ status: 403, error: { code: "account_suspended" } });
  });

  it("says if the job would wait for a slot", async () => {
    const client = await createClient();
    await sqlIn(await refOf(client.accountId), "UPDATE account SET concurrent_jobs = 0");
    const url = page("article");
    expect((await dryRun(client, { url })).data).toMatchObject({ would_wait: true });
    expect((await dryRun(client, { url }, { query: "?wait=true" })).data).toMatchObject({ would_wait: false });
  });

  it("with a test key is free, and shows the price with a live key", async () => {
    const client = await createClient({ mode: "test" });
    const { data } = await dryRun(client, { url: "https://example.com/", render: "auto" });
    expect(data).toMatchObject({
      max_credits: 0,
      lines: [
        { item: "scrape", credits: 1 },
        { item: "rendering", credits: 1 },
        { item: "refund", credits: -2, reason: "test_key" },
      ],
    });
  });

  it("counts toward the rate limit", async () => {
    const client = await createClient({ accountId: await createAccount({ ratePerMinute: 2 }) });
    const url = "https://example.com/";
    const statuses = [await dryRun(client, { url }), await dryRun(client, { url }), await dryRun(client, { url })];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
  });
});

describe("the receipt", () => {
  it("is in the response, the job and the list", async () => {
    const client = await createClient();
    const response = await client.scrape({ url: page("article") });
    const { meta, job_id } = await response.json<{ meta: Record<string, unknown>; job_id: string }>();
    const receipt = { total: 1, lines: [{ item: "scrape", credits: 1 }] };
    expect(meta).toMatchObject({ credits_used: 1, receipt });
    const job = await (await client.call("GET", `/v1/jobs/${job_id}`)).json<{ meta: object }>();
    expect(job.meta).toEqual(meta);
    const list = await (await client.call("GET", "/v1/jobs")).json<{ data: { meta: object }[] }>();
    expect(list.data[0]?.meta).toEqual(meta);
  });

  it("of a failed job says what was given back, and why", async () => {
    const client = await createClient();
    const response = await client.scrape({ url: `${page("status")}?code=404`, render: "auto" });
    const { job_id } = await response.json<{ job_id: string }>();
    const job = await (await client.call("GET", `/v1/jobs/${job_id}`)).json<{ meta: object }>();
    expect(job.meta).toMatchObject({
      credits_used: 0,
      receipt: {
        total: 0,
        lines: [
          { item: "scrape", credits: 1 },
          { item: "rendering", credits: 1 },
          { item: "refund", credits: -2, reason: "target_http_error" },
        ],
      },
    });
  });
});
