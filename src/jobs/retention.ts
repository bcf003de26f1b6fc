import { isId, toIdStart } from "../lib/id";
import { CRON_BATCH, DAY_MS, ORPHAN_AFTER_MS, ORPHAN_LOOKS_MS } from "../model/limits";
import { expireJobs, listExpiring, listUnknownIds } from "../store/job-recovery";
import { deleteObjects, deleteRequests, listRequests } from "../store/objects";

/** Lets go what was kept of jobs that ended before `before` (Unix ms); the jobs stay listed. Returns how many. */
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
 * Deletes stored requests that no job has: they are stored before their job, and an admission may die between. Looks at
 * those that have just come of age, each for a few cron runs, and, should all of these have been missed, at what is older than
 * anything is kept. Returns how many.
 */
export async function deleteOrphans(env: Env, { now, before }: { now: number; before: number }): Promise<number> {
  const grown = toIdStart(now - ORPHAN_AFTER_MS);
  const young = await listRequests(env.STORE, toIdStart(now - ORPHAN_AFTER_MS - ORPHAN_LOOKS_MS));
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
