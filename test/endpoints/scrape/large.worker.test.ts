import { describe, expect, it } from "vitest";
import { LARGE_PAGE_BYTES } from "../../../src/model/page-limits";
import type { RunContext } from "../../../src/model/run-context";
import { createClient, page, querySite, read, readEnded } from "../../support/client";
import { run } from "../../support/run-endpoint";

const LARGE_LINES = Math.ceil((1.2 * LARGE_PAGE_BYTES) / (15 * 12));
const FORMATS = ["html", "markdown", "text", "metadata", "links"];

/** Runs a scrape job that calls `acquireLargeLock` to acquire the lock for large pages. */
function runOf(url: string, acquireLargeLock: RunContext["acquireLargeLock"], signal = new AbortController().signal) {
  return run("scrape", { url, formats: ["text"] }, { acquireLargeLock, signal });
}

describe("a page of more than 1 MB", () => {
  it("doesn't hold the memory of other pages until it is received completely", async () => {
    const url = `${page("begun")}?lines=${LARGE_LINES}`;
    let isReleased = false;
    const requested = Promise.withResolvers<boolean>();
    const running = runOf(url, async () => requested.resolve(isReleased));
    await expect.poll(() => querySite("hits", url)).toBe(1);
    isReleased = true;
    await querySite("release", url);
    expect(await requested.promise).toBe(true);
    const paragraphs = String((await running).data.text).split("\n\n");
    expect(paragraphs).toHaveLength(LARGE_LINES + 2);
    expect(paragraphs.at(-1)).toBe("The end.");
  });

  it("isn't received while four others wait for memory", async () => {
    const urls = Array.from({ length: 5 }, () => `${page("begun")}?lines=${LARGE_LINES}`);
    const isFree = Promise.withResolvers<void>();
    let waiting = 0;
    const wait = async () => {
      waiting++;
      await isFree.promise;
    };
    const [last = "", ...others] = urls;
    const running = others.map((url) => runOf(url, wait));
    for (const url of others) await expect.poll(() => querySite("hits", url)).toBe(1);
    for (const url of others) await querySite("release", url);
    await expect.poll(() => waiting).toBe(4);
    running.push(runOf(last, wait));
    await expect.poll(() => querySite("hits", last)).toBe(1);
    await querySite("release", last);
    await runOf(page("article"), async () => {});
    expect(waiting).toBe(4);
    isFree.resolve();
    await Promise.all(running);
  });

  it("gets the lock for a large response, even if a script has removed most of the page", async () => {
    let locks = 0;
    const acquireLargeLock = async (bytes = LARGE_PAGE_BYTES) => {
      if (bytes >= LARGE_PAGE_BYTES) locks++;
    };
    const url = page("shrinking");
    await run("scrape", { url, formats: ["raw_html"], render: "always" }, { acquireLargeLock });
    expect(locks).toBe(1);
  });

  it("stops waiting for the memory when the run is aborted", async () => {
    const url = `${page("begun")}?lines=${LARGE_LINES}`;
    const ended = new AbortController();
    const running = runOf(
      url,
      () => {
        ended.abort(new Error("the run is over"));
        return Promise.reject(ended.signal.reason);
      },
      ended.signal,
    );
    const rejected = expect(running).rejects.toThrow("the run is over");
    await expect.poll(() => querySite("hits", url)).toBe(1);
    await querySite("release", url);
    await rejected;
  });

  it("counts with its own size if it is smaller", async () => {
    const sizes: unknown[] = [];
    const { data } = await runOf(`${page("large")}?words=150000`, async (bytes) => void sizes.push(bytes));
    expect(String(data.text).length).toBeGreaterThan(700_000);
    expect(sizes).toEqual([expect.any(Number)]);
    expect(Number(sizes[0])).toBeGreaterThan(700_000);
  });
});

it("small pages don't wait for a large one", async () => {
  const { scrape } = await createClient();
  const url = `${page("begun")}?lines=${LARGE_LINES}`;
  const ended: string[] = [];
  const large = scrape({ url, formats: ["text"] }).then(async (response) => {
    ended.push("large");
    return await read(response);
  });
  await expect.poll(() => querySite("hits", url)).toBe(1);
  expect((await read(await scrape({ url: page("article") }))).success).toBe(true);
  ended.push("small");
  await querySite("release", url);
  expect((await large).success).toBe(true);
  expect(ended).toEqual(["small", "large"]);
});

it("eight large pages in parallel all get their result, synchronously and as jobs", async () => {
  const { call, scrape } = await createClient();
  const url = () => `${page("large")}?words=${(1.5 * LARGE_PAGE_BYTES) / 5}`;
  const words = (result: Record<string, string> | undefined) => result?.text?.split(" ").length;
  const answers = Promise.all(
    Array.from({ length: 4 }, async () => await read(await scrape({ url: url(), formats: FORMATS }))),
  );
  const jobs = await Promise.all(
    Array.from(
      { length: 4 },
      async () => await read(await call("POST", "/v1/scrape", { url: url(), formats: FORMATS })),
    ),
  );
  for (const answer of await answers) {
    expect(answer).toMatchObject({ success: true, meta: { credits_used: 1 }, job_id: expect.any(String) });
    expect(words(answer.data)).toBeGreaterThan(300_000);
  }
  for (const { job_id } of jobs) {
    const job = await readEnded({ call }, `/v1/jobs/${job_id}`);
    expect(job).toMatchObject({ success: true, status: "completed", job_id });
    expect(words(job.result as Record<string, string>)).toBeGreaterThan(300_000);
  }
});
