// What is too large for a row, in R2. What a run writes carries the run, so that one that lost its lease overwrites nothing.

const requestKey = (jobId: string) => `requests/${jobId}`;
const resultKey = (jobId: string, run: number) => `results/${jobId}/${run}`;
const screenshotKey = (jobId: string, run: number) => `screenshots/${jobId}/${run}`;

export async function putRequest(store: R2Bucket, jobId: string, json: string): Promise<void> {
  await store.put(requestKey(jobId), json, { httpMetadata: { contentType: "application/json" } });
}

/** The validated body of a request that was too large for its row. Throws when it isn't there. */
export async function getRequest(store: R2Bucket, jobId: string): Promise<string> {
  const request = await findRequest(store, jobId);
  if (request === null) throw new Error(`The request of job ${jobId} is not in the store.`);
  return request;
}

/** The same of a job that may have ended long ago; null when its request isn't kept any more. */
export async function findRequest(store: R2Bucket, jobId: string): Promise<string | null> {
  const object = await store.get(requestKey(jobId));
  return object === null ? null : await object.text();
}

export async function deleteRequest(store: R2Bucket, jobId: string): Promise<void> {
  await store.delete(requestKey(jobId));
}

export async function putResult(store: R2Bucket, jobId: string, run: number, json: string): Promise<void> {
  await store.put(resultKey(jobId, run), json, { httpMetadata: { contentType: "application/json" } });
}

/** The result, to be passed on; null when it isn't there. */
export async function openResult(store: R2Bucket, jobId: string, run: number): Promise<R2ObjectBody | null> {
  return await store.get(resultKey(jobId, run));
}

/** The result unless it is larger than `maxBytes`, which isn't read then. Throws when it isn't there. */
export async function getSmallResult(
  store: R2Bucket,
  jobId: string,
  run: number,
  maxBytes: number,
): Promise<string | "too large"> {
  const object = await store.get(resultKey(jobId, run));
  if (object === null) throw new Error(`The result of job ${jobId} is not in the store.`);
  return await readSmall(object, maxBytes);
}

/** The text of an object unless it is larger than `maxBytes`, which isn't read then. */
export async function readSmall(object: R2ObjectBody, maxBytes: number): Promise<string | "too large"> {
  if (object.size <= maxBytes) return await object.text();
  await object.body.cancel();
  return "too large";
}

export async function putScreenshot(
  store: R2Bucket,
  jobId: string,
  run: number,
  png: ArrayBuffer | Uint8Array,
): Promise<void> {
  await store.put(screenshotKey(jobId, run), png, { httpMetadata: { contentType: "image/png" } });
}

export async function getScreenshot(store: R2Bucket, jobId: string, run: number): Promise<R2ObjectBody | null> {
  return await store.get(screenshotKey(jobId, run));
}

/** Deletes whatever these jobs left, of every run. */
export async function deleteObjects(store: R2Bucket, jobs: { id: string; run: number }[]): Promise<void> {
  const keys = jobs.flatMap(({ id, run }) => [
    requestKey(id),
    ...Array.from({ length: run }, (_, i) => [resultKey(id, i + 1), screenshotKey(id, i + 1)]).flat(),
  ]);
  // R2 takes at most 1,000 keys a call.
  for (let i = 0; i < keys.length; i += 1_000) await store.delete(keys.slice(i, i + 1_000));
}

/**
 * Deletes what was stored before `before` (Unix ms) and went with no job: a request whose admission broke off, whatever was
 * left when deleting broke off. Returns how many.
 */
export async function deleteOldObjects(store: R2Bucket, before: number, limit: number): Promise<number> {
  let deleted = 0;
  for (const prefix of ["requests/", "results/", "screenshots/"]) {
    // Jobs' identifiers are ordered by time, and lists by key: the oldest come first.
    const { objects } = await store.list({ prefix, limit });
    const keys = objects.filter(({ uploaded }) => uploaded.getTime() <= before).map(({ key }) => key);
    if (keys.length > 0) await store.delete(keys);
    deleted += keys.length;
  }
  return deleted;
}
