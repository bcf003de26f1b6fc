import { expect, it } from "vitest";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { newJob, openObject, sqlIn, stubOf } from "../support/account";
import { listJobLines, listJobs } from "../support/jobs";

/** Copies a job `count` times with older ids. Every `interval`th copy has the subject `needle`. */
async function copyJob(account: AccountRef, id: string, { count, interval }: { count: number; interval: number }) {
  const columns = (await sqlIn<{ name: string }>(account, "SELECT name FROM pragma_table_info('jobs')")).map(
    ({ name }) => name,
  );
  const values = columns.map((name) => {
    if (name === "id") return "printf('00000000-0000-7%03x-8%03x-%s', n / 4096, n % 4096, substr(id, 25))";
    return name === "subject" ? `iif(n % ${interval} = 0, 'needle', 'hay')` : name;
  });
  await sqlIn(
    account,
    `INSERT INTO jobs (${columns.join()})
     WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
     SELECT ${values.join()} FROM numbers, jobs WHERE id = ?1`,
    id,
  );
}

it("returns full pages and each job once, although each call reads only some of the rows", async () => {
  const account = await openObject();
  const job = newJob(account, { id: newTaggedId(account.tag), subject: "first" });
  await stubOf(account).createJob(job);
  // The account's alarm would run the copies of an unfinished job, and the jobs of other tests would wait for them.
  await stubOf(account).cancel(job);
  // Every 3,000th job matches. One call reads at most 10,000 rows, so the first call finds three jobs and the second
  // call finds four.
  await copyJob(account, job.id, { count: 25_000, interval: 3_000 });
  const filter = { mode: "live", text: "needle", limit: 5, offset: 0 } as const;
  const first = await listJobs(account, filter);
  expect(first.items).toHaveLength(5);
  const second = await listJobs(account, { ...filter, cursor: first.next ?? "" });
  expect(second.items).toHaveLength(3);
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(8);
});

it("applies the offset and the total to all calls together", async () => {
  const account = await openObject();
  const job = newJob(account, { id: newTaggedId(account.tag), subject: "first" });
  await stubOf(account).createJob(job);
  // The account's alarm would run the copies of an unfinished job, and the jobs of other tests would wait for them.
  await stubOf(account).cancel(job);
  await copyJob(account, job.id, { count: 25_000, interval: 3_000 });
  const list = async (more: { limit: number; offset: number; text?: string }) => {
    const page = await listJobs(account, { mode: "live", text: "needle", ...more });
    return { ...page, items: page.items.map(({ id }) => id) };
  };
  const all = await list({ limit: 20, offset: 0 });
  expect(all).toMatchObject({ total: 8, next: null });
  expect(all.items).toHaveLength(8);
  expect(await list({ limit: 20, offset: 5 })).toMatchObject({ items: all.items.slice(5), total: 8, next: null });
  expect(await list({ limit: 2, offset: 4 })).toMatchObject({ items: all.items.slice(4, 6), next: all.items[5] });
  const lines = await listJobLines(account, { mode: "live", text: "needle", limit: 2, offset: 4 });
  expect(lines.items.map(({ id }) => id)).toEqual(all.items.slice(4, 6));
  // The total is a lower bound while further matches may follow.
  const page = await list({ limit: 2, offset: 0 });
  expect(page.total).toBeGreaterThanOrEqual(3);
  expect(page.isEstimate).toBe(true);
});

it("ends with the error for an unknown key if the account doesn't exist", async () => {
  const unknown = { ...(await openObject()), object: crypto.randomUUID() };
  for (const list of [listJobs, listJobLines]) {
    const page = list(unknown, { mode: "live", limit: 1, offset: 0 });
    await expect(page).rejects.toMatchObject({ code: "invalid_api_key", status: 401 });
  }
});
