import { isId, toIdStart } from "../lib/id";
import { CRON_BATCH, DAY_MS, ORPHAN_AFTER_MS, ORPHAN_SEARCH_MS } from "../model/limits";
import { expireJobs, listExpiring, listUnknownIds } from "../store/job-recovery";
import { deleteObjects, deleteRequests, listRequests } from "../store/objects";

/** Deletes the requests and results of jobs that ended before `before` (Unix ms). The jobs stay listed. Returns how many. */
export async function expireOld(env: Env, before: number): Promise<number> {
  const jobs = await listExpiring(env.DB, before, CRON_BATCH);
  if (jobs.length === 0) return 0;
  // First the objects: should that fail, the rows still tell of them.
  await deleteObjects(env.STORE, jobs);
  await expireJobs(
    env.DB,
    jobs.map(({ id }) => id),
  );
  return jobs.length;
}

/**
 * Deletes stored requests that no job has. They are stored before their job, and the Worker may die in between. Each cron run
 * looks at those that have just become old enough, and at those that are older than the retention. Returns how many it
 * deleted.
 */
export async function deleteOrphans(env: Env, { now, before }: { now: number; before: number }): Promise<number> {
  const grown = toIdStart(now - ORPHAN_AFTER_MS);
  const young = await listRequests(env.STORE, toIdStart(now - ORPHAN_AFTER_MS - ORPHAN_SEARCH_MS));
  const looked = young.filter((id) => isId(id) && id < grown);
  const unknown = looked.length === 0 ? [] : await listUnknownIds(env.DB, looked);
  // A job may end long after it was made, and is kept from then on.
  const over = toIdStart(before - DAY_MS);
  const old = (await listRequests(env.STORE)).filter((id) => isId(id) && id < over);
  const ownerless = old.length === 0 ? [] : await listUnknownIds(env.DB, old);
  const orphans = [...unknown, ...ownerless];
  if (orphans.length > 0) await deleteRequests(env.STORE, orphans);
  return orphans.length;
}
