import { describe, expect, it } from "vitest";
import { iterate, type PageStart } from "../../clients/typescript/src/pagination";
import type { Fetch } from "../../clients/typescript/src/transport";
import { createClient } from "../support/client";
import { connect, failureOf, toWorker } from "../support/extraction-client";

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("the list of jobs", () => {
  async function withJobs(count: number) {
    const client = connect(await createClient({ mode: "test" }));
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const labels = { tags: ["test", `job-${index}`], metadata: { index } };
      ids.unshift((await client.scrape({ url: `https://example.com/${index}`, ...labels })).job_id);
    }
    return { client, ids };
  }

  it("is read page by page, newest first", async () => {
    const { client, ids } = await withJobs(5);
    const walked = await collect(client.jobs.list({ limit: 2 }));
    expect(walked.map((job) => job.job_id)).toEqual(ids);
    expect((await collect(client.jobs.list({ limit: 2, offset: 3 }))).map((job) => job.job_id)).toEqual(ids.slice(3));
    expect(await client.jobs.page({ limit: 2, offset: 2 })).toMatchObject({
      data: [{ job_id: ids[2], status: "completed" }, { job_id: ids[3] }],
      pagination: { total: 5, limit: 2, offset: 2, has_more: true },
    });
    const rest = await collect(client.jobs.list({ limit: 2, cursor: ids[2] }));
    expect(rest.map((job) => job.job_id)).toEqual(ids.slice(3));
    const found = await collect(client.jobs.list({ limit: 1, q: "COM/4", from: "2026-01-01", outcome: "ok" }));
    const labeled = await collect(client.jobs.list({ tag: ["test", "job-3"], metadata: { index: 3 } }));
    expect(labeled).toMatchObject([{ job_id: ids[1], tags: ["test", "job-3"], metadata: { index: 3 } }]);
    expect(await collect(client.jobs.list({ tag: "job-3", metadata: { index: 4 } }))).toEqual([]);
    expect(found).toMatchObject([{ job_id: ids[0], request: { url: "https://example.com/4" }, outcome: "ok" }]);
  });

  it("yields each job once, even if newer jobs shift the pages", async () => {
    const { client, ids } = await withJobs(4);
    const walked: string[] = [];
    for await (const job of client.jobs.list({ limit: 2 })) {
      walked.push(job.job_id);
      if (walked.length === 2) await client.scrape({ url: "https://example.com/newer" });
    }
    expect(walked).toEqual(ids);
  });

  it("yields each item once, also in a list without cursors", async () => {
    const pages = [
      { data: ["c", "b"], pagination: { total: 3, limit: 2, offset: 0, has_more: true } },
      { data: ["b", "a"], pagination: { total: 4, limit: 2, offset: 2, has_more: false } },
    ];
    const starts: PageStart[] = [];
    const readPage = async (start: PageStart) => pages[starts.push(start) - 1] ?? expect.fail("There is no more page.");
    expect(await collect(iterate(readPage, { start: { offset: 0 }, id: (item) => item }))).toEqual(["c", "b", "a"]);
    expect(starts).toEqual([{ offset: 0 }, { offset: 2 }]);
  });

  it("requests a page only when it is needed", async () => {
    const key = await createClient({ mode: "test" });
    for (const path of ["a", "b", "c"]) await connect(key).scrape({ url: `https://example.com/${path}` });
    const requestedPaths: string[] = [];
    const counting: Fetch = (url, init) => {
      requestedPaths.push(url);
      return toWorker(url, init);
    };
    for await (const job of connect(key, { fetch: counting }).jobs.list({ limit: 2 })) {
      expect(job.status).toBe("completed");
      break;
    }
    expect(requestedPaths).toHaveLength(1);
  });

  it("can be filtered, and is empty if no job matches", async () => {
    const { client } = await withJobs(1);
    const failed = await client.startSerp({ query: "blocked" });
    await failed.wait();
    const listed = await collect(client.jobs.list({ status: "failed", endpoint: "serp" }));
    expect(listed).toMatchObject([{ job_id: failed.id, error: { code: "blocked_by_target" } }]);
    expect(await collect(client.jobs.list({ endpoint: "parse" }))).toEqual([]);
  });
});

describe("a job", () => {
  it("that doesn't exist causes not_found, with the id in the message", async () => {
    const client = connect(await createClient());
    expect(await failureOf(client.jobs.get("no such job"))).toMatchObject({
      code: "not_found",
      status: 404,
      jobId: "no such job",
    });
  });

  it("is polled until it ends", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const job = await client.startScrape({ url: "https://slow-2.test/" });
    expect(await job.wait()).toMatchObject({ job_id: job.id, status: "completed" });
  });

  it("continues when the wait is aborted", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const job = await client.startScrape({ url: "https://slow-3.test/" });
    const controller = new AbortController();
    const waited = job.wait({ signal: controller.signal });
    controller.abort(new Error("Enough."));
    await expect(waited).rejects.toThrow("Enough.");
    expect(await job.wait()).toMatchObject({ status: "completed" });
  });
});

describe("keys", () => {
  it("can be created, listed and revoked", async () => {
    const client = connect(await createClient());
    const made = await client.keys.create({ name: "Importer", scopes: ["scrape", "jobs"] });
    expect(made).toMatchObject({ name: "Importer", mode: "live", scopes: ["scrape", "jobs"] });
    const other = connect({ secret: made.key });
    expect((await other.usage()).balance).toBe(100_000);

    const { key: _, ...record } = made;
    const find = async () => (await collect(client.keys.list({ limit: 1 }))).find(({ id }) => id === made.id);
    expect(await find()).toMatchObject({ ...record, last_used_at: expect.toBeOneOf([null, expect.any(String)]) });
    // Polls, because the key verifier sends the time of the last use to D1 through a queue.
    await expect.poll(async () => (await find())?.last_used_at).toEqual(expect.any(String));
    await client.keys.revoke(made.id);
    await client.keys.revoke(made.id);
    expect(await failureOf(other.usage())).toMatchObject({ code: "revoked_api_key" });
    expect((await client.keys.page()).data.find(({ id }) => id === made.id)?.revoked_at).not.toBeNull();
  });

  it("are listed from an offset", async () => {
    const client = connect(await createClient());
    const names = ["first", "second"];
    for (const name of names) await client.keys.create({ name });
    const all = await collect(client.keys.list());
    expect(all).toHaveLength(3);
    expect(await collect(client.keys.list({ offset: 1, limit: 1 }))).toEqual(all.slice(1));
  });

  it("inherit properties that the request omits", async () => {
    const client = connect(await createClient({ mode: "test", scopes: ["keys", "jobs"] }));
    expect(await client.keys.create()).toMatchObject({ mode: "test", scopes: ["keys", "jobs"], name: null });
  });
});

it("returns the usage and the checks of the search engines", async () => {
  const client = connect(await createClient());
  expect(await client.usage()).toMatchObject({ balance: 100_000, reserved: 0, days: [] });
  // Tests of the same runtime may have checked the engines.
  expect(await client.serpHealth()).toEqual({ enabled: false, checks: expect.any(Array) });
});
