// What is too large for a row, in R2. What a run writes carries the run, so that one that lost its lease overwrites nothing.

/** R2 takes and lists at most so many keys a call. */
const R2_KEYS = 1_000;
const MAX_NAMED_RUNS = 10;

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

/** The request, to be read as it comes; null when it isn't there. */
export async function openRequest(store: R2Bucket, jobId: string): Promise<R2ObjectBody | null> {
  return await store.get(requestKey(jobId));
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
  const keys: string[] = [];
  for (const { id, run } of jobs) {
    keys.push(requestKey(id));
    // A job that often found no browser free has had many runs, few of which left anything.
    if (run > MAX_NAMED_RUNS) keys.push(...(await listKeys(store, id)));
    else for (let i = 1; i <= run; i++) keys.push(resultKey(id, i), screenshotKey(id, i));
  }
  await deleteKeys(store, keys);
}

async function listKeys(store: R2Bucket, jobId: string): Promise<string[]> {
  const listings = await Promise.all([
    store.list({ prefix: `results/${jobId}/` }),
    store.list({ prefix: `screenshots/${jobId}/` }),
  ]);
  return listings.flatMap(({ objects }) => objects.map(({ key }) => key));
}

async function deleteKeys(store: R2Bucket, keys: string[]): Promise<void> {
  for (let i = 0; i < keys.length; i += R2_KEYS) await store.delete(keys.slice(i, i + R2_KEYS));
}

/** The ids of stored requests, the oldest first; of those only that begin after `after`, which is the beginning of an id. */
export async function listRequests(store: R2Bucket, after = ""): Promise<string[]> {
  const { objects } = await store.list({ prefix: requestKey(""), startAfter: requestKey(after), limit: R2_KEYS });
  return objects.map(({ key }) => key.slice(requestKey("").length));
}

export async function deleteRequests(store: R2Bucket, jobIds: string[]): Promise<void> {
  await deleteKeys(store, jobIds.map(requestKey));
}

/** Throws if R2 doesn't answer. */
export async function pingStore(store: R2Bucket): Promise<void> {
  await store.head("health");
}
