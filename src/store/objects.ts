// Reads and writes objects in R2. An object's key starts with its kind and the account's tag. The key of a result or a
// screenshot also contains the run's number. A run that has lost its lease therefore can't overwrite the objects of
// another run.
import { toTag } from "../lib/id";
import { MAX_ACTION_OUTPUTS } from "../model/limits";

/** The maximum number of keys in one R2 call. */
const R2_KEYS = 1_000;
const KINDS = ["requests", "results", "screenshots", "archive", "captures", "files"] as const;
/** The kinds of objects that a run stores. */
const RUN_KINDS = ["results", "screenshots", "captures"] as const;

type Kind = (typeof KINDS)[number];

/** Returns the key of a request, or the beginning of the keys of a job's other objects of one kind. */
const jobKey = (kind: Kind, jobId: string) => `${kind}/${toTag(jobId)}/${jobId}`;
const runKey = (kind: Kind, jobId: string, run: number) => `${jobKey(kind, jobId)}/${run}`;
/** The key of the page that a run kept. See captures.ts for the format of the object. */
export const captureKey = (jobId: string, run: number) => runKey("captures", jobId, run);
/** The key of a PDF starts like that of a screenshot, so that the same lifecycle rules of the bucket delete it. */
const pdfKey = (jobId: string, run: number) => `${runKey("screenshots", jobId, run)}.pdf`;
/** The key of the screenshot of an action. `number` counts the run's screenshot actions, from 0. */
const actionScreenshotKey = (jobId: string, run: number, number: number) =>
  `${runKey("screenshots", jobId, run)}.${number}`;

export async function putRequest(store: R2Bucket, jobId: string, json: string): Promise<void> {
  await store.put(jobKey("requests", jobId), json, { httpMetadata: { contentType: "application/json" } });
}

/** Returns the validated body of a request that was too large for its row. Throws if it doesn't exist. */
export async function getRequest(store: R2Bucket, jobId: string): Promise<string> {
  const request = await findRequest(store, jobId);
  if (request === null) throw new Error(`The request of job ${jobId} is not in the store.`);
  return request;
}

/** Returns the validated body of a stored request, or null if it doesn't exist. */
export async function findRequest(store: R2Bucket, jobId: string): Promise<string | null> {
  return (await (await openRequest(store, jobId))?.text()) ?? null;
}

/** Opens a stored request for streaming. Returns null if it doesn't exist. */
export async function openRequest(store: R2Bucket, jobId: string): Promise<R2ObjectBody | null> {
  return await store.get(jobKey("requests", jobId));
}

export async function deleteRequest(store: R2Bucket, jobId: string): Promise<void> {
  await store.delete(jobKey("requests", jobId));
}

/** Stores the file of a request. It is deleted when the job ends. */
export async function putFile(store: R2Bucket, jobId: string, content: Uint8Array): Promise<void> {
  await store.put(jobKey("files", jobId), content);
}

/** Returns the file of an unfinished job. Throws if it doesn't exist. */
export async function getFile(store: R2Bucket, jobId: string): Promise<Uint8Array> {
  const file = await store.get(jobKey("files", jobId));
  if (file === null) throw new Error(`The file of job ${jobId} is not in the store.`);
  return await file.bytes();
}

export async function deleteFiles(store: R2Bucket, jobIds: readonly string[]): Promise<void> {
  const keys = jobIds.map((id) => jobKey("files", id));
  for (let i = 0; i < keys.length; i += R2_KEYS) await store.delete(keys.slice(i, i + R2_KEYS));
}

export async function putResult(store: R2Bucket, jobId: string, run: number, json: string): Promise<void> {
  await store.put(runKey("results", jobId, run), json, { httpMetadata: { contentType: "application/json" } });
}

/** Opens a stored result for streaming. Returns null if it doesn't exist. */
export async function openResult(store: R2Bucket, jobId: string, run: number): Promise<R2ObjectBody | null> {
  return await store.get(runKey("results", jobId, run));
}

/** Returns a stored result, or "too large" if it has more than `maxBytes`. Throws if it doesn't exist. */
export async function getSmallResult(
  store: R2Bucket,
  jobId: string,
  run: number,
  maxBytes: number,
): Promise<string | "too large"> {
  const object = await store.get(runKey("results", jobId, run));
  if (object === null) throw new Error(`The result of job ${jobId} is not in the store.`);
  return await readSmall(object, maxBytes);
}

/** Returns the text of an object. Returns "too large" and reads nothing if it has more than `maxBytes`. */
export async function readSmall(object: R2ObjectBody, maxBytes: number): Promise<string | "too large"> {
  if (object.size <= maxBytes) return await object.text();
  await object.body.cancel();
  return "too large";
}

export async function putScreenshot(
  store: R2Bucket,
  jobId: string,
  run: number,
  image: ArrayBuffer | Uint8Array,
  contentType = "image/png",
): Promise<void> {
  await store.put(runKey("screenshots", jobId, run), image, { httpMetadata: { contentType } });
}

export async function putPdf(store: R2Bucket, jobId: string, run: number, pdf: Blob | Uint8Array): Promise<void> {
  await store.put(pdfKey(jobId, run), pdf, { httpMetadata: { contentType: "application/pdf" } });
}

/** Returns the screenshot of a completed job, or of one of its actions. Returns null if it doesn't exist. */
export async function getScreenshot(store: R2Bucket, jobId: string, number?: number): Promise<R2ObjectBody | null> {
  return await getOfLastRun(store, jobId, number === undefined ? /^\d+$/ : new RegExp(`^\\d+\\.${number}$`));
}

/** Returns the PDF of a completed job, or null if it doesn't exist. */
export async function getPdf(store: R2Bucket, jobId: string): Promise<R2ObjectBody | null> {
  return await getOfLastRun(store, jobId, /^\d+\.pdf$/);
}

/** Stores the screenshot of an action. `number` counts the run's screenshot actions, from 0. */
export async function putActionScreenshot(
  store: R2Bucket,
  { jobId, run, number }: { jobId: string; run: number; number: number },
  png: ArrayBuffer | Uint8Array,
): Promise<void> {
  await store.put(actionScreenshotKey(jobId, run, number), png, { httpMetadata: { contentType: "image/png" } });
}

/** Returns the matching object of the highest run, which has completed the job, or null. */
async function getOfLastRun(store: R2Bucket, jobId: string, name: RegExp): Promise<R2ObjectBody | null> {
  const prefix = `${jobKey("screenshots", jobId)}/`;
  const { objects } = await store.list({ prefix });
  const names = objects.map(({ key }) => key.slice(prefix.length)).filter((each) => name.test(each));
  const [last] = names.toSorted((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  return last === undefined ? null : await store.get(prefix + last);
}

/** Deletes the request and the file of each job, and the results, screenshots, PDFs and captures of all its runs. */
export async function deleteObjects(store: R2Bucket, jobs: { id: string; run: number }[]): Promise<void> {
  const keys: string[] = [];
  for (const { id, run } of jobs) {
    keys.push(jobKey("requests", id), jobKey("files", id));
    for (let i = 1; i <= run; i++) keys.push(...runKeys(id, i));
  }
  for (let i = 0; i < keys.length; i += R2_KEYS) await store.delete(keys.slice(i, i + R2_KEYS));
}

/** Returns the keys of all objects that a run may have stored. */
function runKeys(jobId: string, run: number): string[] {
  const shots = Array.from({ length: MAX_ACTION_OUTPUTS }, (_, number) => actionScreenshotKey(jobId, run, number));
  return [...RUN_KINDS.map((kind) => runKey(kind, jobId, run)), pdfKey(jobId, run), ...shots];
}

/** Deletes up to 1,000 objects of each kind. Returns the number of deleted objects, which is 0 once all are deleted. */
export async function deleteAccountObjects(store: R2Bucket, tag: string): Promise<number> {
  const counts = await Promise.all(
    KINDS.map(async (kind) => {
      const { objects } = await store.list({ prefix: `${kind}/${tag}/`, limit: R2_KEYS });
      if (objects.length > 0) await store.delete(objects.map(({ key }) => key));
      return objects.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Lists up to 1,000 keys of an account's objects. `cursor` is the last key of the previous page. */
export async function listAccountObjects(
  store: R2Bucket,
  tag: string,
  cursor = "",
): Promise<{ keys: { key: string; size: number }[]; cursor: string | null }> {
  for (const kind of KINDS) {
    const prefix = `${kind}/${tag}/`;
    // Skips the kinds that earlier pages have listed completely.
    if (KINDS.indexOf(kind) < KINDS.findIndex((known) => cursor.startsWith(`${known}/`))) continue;
    const startAfter = cursor.startsWith(prefix) ? { startAfter: cursor } : {};
    const { objects } = await store.list({ prefix, limit: R2_KEYS, ...startAfter });
    const last = objects.at(-1);
    if (last !== undefined) return { keys: objects.map(({ key, size }) => ({ key, size })), cursor: last.key };
  }
  return { keys: [], cursor: null };
}

/** Opens an object. Returns null if it doesn't exist or belongs to another account. */
export async function openAccountObject(store: R2Bucket, tag: string, key: string): Promise<R2ObjectBody | null> {
  return isKeyOf(tag, key) ? await store.get(key) : null;
}

/** Stores an object. Returns false if the key belongs to another account. */
export async function putAccountObject(
  store: R2Bucket,
  tag: string,
  { key, body, metadata }: { key: string; body: ReadableStream | null; metadata: R2HTTPMetadata },
): Promise<boolean> {
  if (!isKeyOf(tag, key)) return false;
  await store.put(key, body, { httpMetadata: metadata });
  return true;
}

function isKeyOf(tag: string, key: string): boolean {
  return KINDS.some((kind) => key.startsWith(`${kind}/${tag}/`));
}

/** Throws if R2 can't be reached. */
export async function pingStore(store: R2Bucket): Promise<void> {
  await store.head("health");
}
