// The rules that batches, crawls and maps share: Idempotency-Key, dry runs, prices, test keys and cancellation.
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/id";
import { type Client, createAccount, createClient, creditsOf, page, read, readEnded } from "../support/client";
import { openFolder } from "../support/crawls";

const URL_A = "https://example.com/a";

interface Kind {
  name: "batch" | "crawl" | "map";
  /** Returns a request for this page. */
  toBody: (url: string) => Record<string, unknown>;
}

const BATCH: Kind = { name: "batch", toBody: (url) => ({ endpoint: "scrape", requests: [{ url }] }) };
const CRAWL: Kind = { name: "crawl", toBody: (url) => ({ url, limit: 3, sitemap: "skip" }) };
const MAP: Kind = { name: "map", toBody: (url) => ({ url, sitemap: "skip" }) };

const KINDS = [BATCH, CRAWL, MAP].map((kind) => [kind.name, kind] as const);
const CANCELABLE = [BATCH, CRAWL].map((kind) => [kind.name, kind] as const);

async function send(client: Client, { name, toBody }: Kind, url: string, more: Record<string, unknown> = {}, key = "") {
  const init = key === "" ? {} : { headers: { "Idempotency-Key": key } };
  const response = await client.call("POST", `/v1/${name}`, { ...toBody(url), ...more }, init);
  const body = await response.json<
    Record<string, unknown> & { data: unknown; error: { code: string; message: string } }
  >();
  return { ...body, httpStatus: response.status, id: String(body.job_id ?? body.batch_id ?? body.crawl_id) };
}

async function countJobs(client: Client): Promise<number> {
  const response = await client.call("GET", "/v1/jobs?include=children");
  return (await response.json<{ pagination: { total: number } }>()).pagination.total;
}

describe.each(KINDS)("an Idempotency-Key of a %s", (_, kind) => {
  it("returns what the first request created, also to concurrent requests", async () => {
    const client = await createClient({ mode: "test" });
    const all = await Promise.all([1, 2, 3, 4].map(() => send(client, kind, URL_A, {}, "one")));
    expect(all.map(({ httpStatus }) => httpStatus)).toEqual([202, 202, 202, 202]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect((await send(client, kind, URL_A, {}, "two")).id).not.toBe(all[0]?.id);
  });

  it("conflicts with another body", async () => {
    const client = await createClient({ mode: "test" });
    await send(client, kind, URL_A, {}, "one");
    const { httpStatus, error } = await send(client, kind, "https://example.com/b", {}, "one");
    expect([httpStatus, error.code]).toEqual([409, "idempotency_conflict"]);
  });

  it("isn't used by a dry run", async () => {
    const client = await createClient({ mode: "test" });
    await send(client, kind, URL_A, { dry_run: true }, "one");
    expect((await send(client, kind, "https://example.com/b", {}, "one")).httpStatus).toBe(202);
    expect((await send(client, kind, URL_A, { dry_run: true }, "one")).httpStatus).toBe(200);
  });
});

describe("a dry run", () => {
  it.each([
    ["batch", BATCH, { pages: 1, max_credits: 1, balance: 100_000 }],
    ["crawl", CRAWL, { pages: 3, max_credits: 3, balance: 100_000 }],
    ["map", MAP, { max_credits: 1, method: "plain", balance: 100_000 }],
  ])("of a %s returns the highest price and creates nothing", async (_, kind, data) => {
    const client = await createClient();
    expect(await send(client, kind, page("article"), { dry_run: true })).toMatchObject({
      ...{ httpStatus: 200, dry_run: true, data },
    });
    expect([await countJobs(client), await creditsOf(client.accountId)]).toMatchObject([0, { balance: 100_000 }]);
  });

  it("has the price of each page's options", async () => {
    const client = await createClient();
    const requests = [{ url: page("article") }, { url: page("article"), render: "always" }, { url: "x" }];
    const batch = await send(client, BATCH, URL_A, { requests, ignore_invalid: true, dry_run: true });
    expect(batch.data).toMatchObject({ pages: 2, max_credits: 3, invalid: [{ index: 2 }] });
    const crawl = await send(client, CRAWL, URL_A, { scrape: { render: "always" }, dry_run: true });
    expect(crawl.data).toMatchObject({ pages: 3, max_credits: 6 });
  });

  it.each(CANCELABLE)("of a %s is free with a test key", async (_, kind) => {
    const { data } = await send(await createClient({ mode: "test" }), kind, URL_A, { dry_run: true });
    expect(data).toMatchObject({ max_credits: 0 });
  });
});

describe("a first page that costs more than the balance", () => {
  const render = { render: "always" };
  const batch = { requests: [{ url: URL_A, ...render }, { url: URL_A }] };

  it.each([
    ["batch", BATCH, batch, "The highest total price of all pages is 3 credits."],
    ["crawl", CRAWL, { scrape: render }, "The highest total price of all pages is 6 credits."],
  ])("is a 402 that says what the whole %s costs at most", async (_, kind, more, whole) => {
    const client = await createClient({ accountId: await createAccount({ credits: 1 }) });
    for (const dry_run of [false, true]) {
      const { httpStatus, error } = await send(client, kind, URL_A, { ...more, dry_run });
      expect([httpStatus, error.code, error.message]).toEqual([
        402,
        "insufficient_credits",
        `The first page costs 2 credits; the balance is 1. ${whole}`,
      ]);
    }
    expect(await countJobs(client)).toBe(0);
  });

  it.each([
    ["batch", BATCH, batch, "The highest total price of all pages is 3 credits."],
    ["crawl", CRAWL, { scrape: render }, "The highest total price of all pages is 6 credits."],
  ])("with the credit limit of the key is a 402 that says the same: %s", async (_, kind, more, whole) => {
    const owner = await createClient();
    const made = await owner.call("POST", "/v1/keys", { credit_limit: 1 });
    const { key } = (await made.json<{ data: { key: string } }>()).data;
    const headers = { authorization: `Bearer ${key}` };
    const response = await owner.call("POST", `/v1/${kind.name}`, { ...kind.toBody(URL_A), ...more }, { headers });
    expect(response.status).toBe(402);
    expect((await read(response)).error.message).toContain(whole);
  });
});

describe.each(CANCELABLE)("a %s", (_, kind) => {
  it("isn't found with an unknown id, another account, another mode or the other route", async () => {
    const client = await createClient({ mode: "test" });
    const { id } = await send(client, kind, URL_A);
    const other = await createClient({ mode: "test" });
    const live = await createClient({ accountId: client.accountId });
    const otherName = kind.name === "batch" ? "crawl" : "batch";
    for (const [caller, path] of [
      [client, `${kind.name}/${newId()}`],
      [client, `${kind.name}/x`],
      [client, `${otherName}/${id}`],
      [other, `${kind.name}/${id}`],
      [live, `${kind.name}/${id}`],
    ] as const) {
      for (const [method, suffix] of [
        ["GET", ""],
        ["DELETE", ""],
        ["POST", "/resume"],
      ] as const) {
        const response = await caller.call(method, `/v1/${path}${suffix}`);
        expect([path, response.status, (await read(response)).error.code]).toEqual([path, 404, "not_found"]);
      }
    }
  });

  it("has the same final state if it is canceled again, or resumed", async () => {
    const client = await createClient();
    const { id } = await send(client, kind, page("held"));
    const first = await read(await client.call("DELETE", `/v1/${kind.name}/${id}`));
    expect(first).toMatchObject({ status: "failed", error: { code: "cancelled" }, credits: { reserved: 0, used: 0 } });
    for (const [method, path] of [
      ["DELETE", ""],
      ["POST", "/resume"],
    ] as const) {
      const again = await client.call(method, `/v1/${kind.name}/${id}${path}`);
      expect(again.status).toBe(200);
      expect(await read(again)).toMatchObject({
        status: "failed",
        error: { code: "cancelled" },
        completed_at: first.completed_at,
        counts: first.counts,
      });
    }
  });

  it("stays completed if it is canceled after its end", async () => {
    const client = await createClient();
    const { id } = await send(client, kind, openFolder().page("leaf/1"));
    const { status, completed_at } = await readEnded(client, `/v1/${kind.name}/${id}`);
    expect(status).toBe("completed");
    const canceled = await client.call("DELETE", `/v1/${kind.name}/${id}`);
    expect([canceled.status, await read(canceled)]).toMatchObject([200, { status: "completed", completed_at }]);
  });
});
